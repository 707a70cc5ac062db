// A kernel that accesses memory of a graph after the graph has freed it.
// EXPECT: before the free: cudaSuccess, after it: cudaErrorIllegalAddress
// ERROR: graph_memory_fault.cu:9
// ERROR: use-after-free store of 4 bytes
#include <cstdio>
#include <cuda_runtime.h>

extern "C" __global__ void put(int* to) {
    *to = 1;
}

int main() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int* memory = nullptr;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaMallocAsync(reinterpret_cast<void**>(&memory), 4, stream);
    put<<<1, 1, 0, stream>>>(memory);
    cudaFreeAsync(memory, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    const cudaError_t before = cudaStreamSynchronize(stream);
    put<<<1, 1, 0, stream>>>(memory);
    std::printf("before the free: %s, after it: %s\n", cudaGetErrorName(before),
                cudaGetErrorName(cudaStreamSynchronize(stream)));
    return 0;
}
