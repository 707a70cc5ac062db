// Several copies by one call: of memory, and of three-dimensional parts.
// EXPECT: copies: cudaSuccess, 1 2 3 4
// EXPECT: on the default stream: cudaErrorInvalidValue, attributes that begin later: cudaErrorInvalidValue
// EXPECT: rows: cudaSuccess, 1 2 0 0 3 4 0 0
// EXPECT: captured: 2 nodes, 1 2 3 4
#include <cstdio>
#include <cuda_runtime.h>

const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}

int* memory; // eight numbers
cudaStream_t stream;

void print(const char* before, int count) {
    int found[8];
    cudaMemcpy(found, memory, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("%s", before);
    for (int i = 0; i < count; ++i)
        std::printf(" %d", found[i]);
    std::printf("\n");
}

int main() {
    const int first[2] = {1, 2}, second[2] = {3, 4};
    cudaMalloc(&memory, 32);
    cudaMemset(memory, 0, 32);
    cudaStreamCreate(&stream);
    void* to[] = {memory, memory + 2};
    const void* from[] = {first, second};
    size_t sizes[] = {8, 8}, begin = 0, late = 1;
    cudaMemcpyAttributes attributes = {};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    std::printf("copies: %s,", name(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &begin, 1, stream)));
    print("", 4);
    std::printf("on the default stream: %s, ",
                name(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &begin, 1, nullptr)));
    std::printf("attributes that begin later: %s\n",
                name(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &late, 1, stream)));

    // Two rows of two numbers, which become 16 bytes apart.
    const int rows[4] = {1, 2, 3, 4};
    cudaMemset(memory, 0, 32);
    cudaMemcpy3DBatchOp copy = {};
    copy.src.type = copy.dst.type = cudaMemcpyOperandTypePointer;
    copy.src.op.ptr.ptr = const_cast<int*>(rows);
    copy.dst.op.ptr.ptr = memory;
    copy.dst.op.ptr.rowLength = 16;
    copy.extent.width = 8;
    copy.extent.height = 2;
    copy.extent.depth = 1;
    copy.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    std::printf("rows: %s,", name(cudaMemcpy3DBatchAsync(1, &copy, 0, stream)));
    print("", 8);

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    cudaMemset(memory, 0, 32);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &begin, 1, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    std::printf("captured: %zu nodes,", nodes);
    print("", 4);
    return 0;
}
