// Memory that graphs allocate and free: nodes made by hand and by captures, memory that outlives a launch, errors.
// EXPECT: temporary: 0 1 3, launched again: 0 1 3, same address
// EXPECT: after the launch: used 0, high 1048576
// EXPECT: nodes: type 10 of 1048576 bytes, type 11 of the same address
// EXPECT: left: 5 6 7, used 400, launched again: cudaErrorInvalidValue
// EXPECT: freed by the program: cudaSuccess, launched again: 5 6 7, again with AutoFreeOnLaunch: 5 6 7 5 6 7
// EXPECT: freed by another graph: cudaSuccess, used 0, freed twice: cudaErrorInvalidValue
// EXPECT: captured: 4 nodes of type 10 0 1 11, result 42 42
// EXPECT: freed twice in a graph: cudaErrorInvalidValue, an address of cudaMalloc: cudaErrorInvalidValue
// EXPECT: destroy a node: an error, clone: an error, in a child: an error, second executable graph: an error
// EXPECT: moved to a child: cudaSuccess, 0 1 3, made executable or destroyed alone: an error, an error
// EXPECT: high after its reset: 0
// ERROR: heddle: a graph frees memory of a graph at
// ERROR: heddle: launch of a graph whose memory at
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>

__global__ void fill(int* to, int first, int step) {
    to[threadIdx.x] = first + step * static_cast<int>(threadIdx.x);
}
__global__ void sums(const int* from, int* to) {
    int total = 0;
    for (unsigned i = 0; i <= threadIdx.x; ++i)
        total += from[i];
    to[threadIdx.x] = total;
}
const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}
const char* refused(cudaError_t error) {
    return error == cudaSuccess ? "no error" : "an error";
}

int* result; // three numbers on the device
cudaStream_t stream;

std::uint64_t amount(cudaGraphMemAttributeType attribute) {
    std::uint64_t value = 99;
    cudaDeviceGetGraphMemAttribute(0, attribute, &value);
    return value;
}
cudaMemAllocNodeParams memory_of(size_t bytes) {
    cudaMemAllocNodeParams what = {};
    what.poolProps.allocType = cudaMemAllocationTypePinned;
    what.poolProps.location.type = cudaMemLocationTypeDevice;
    what.bytesize = bytes;
    return what;
}
cudaGraphNode_t add_fill(cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, void* to, int first, int step) {
    void* arguments[] = {&to, &first, &step};
    cudaKernelNodeParams what = {reinterpret_cast<void*>(fill), dim3(1), dim3(3), 0, arguments, nullptr};
    cudaGraphNode_t node = nullptr;
    cudaGraphAddKernelNode(&node, graph, after, count, &what);
    return node;
}
void print(const int* from) {
    int values[3] = {};
    cudaMemcpy(values, from, sizeof values, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d", values[0], values[1], values[2]);
}

// Memory of one launch: filled with 0 1 2, its sums are the result.
cudaGraph_t temporary(void*& address, cudaGraphNode_t& allocated, cudaGraphNode_t& freed) {
    cudaGraph_t graph;
    cudaGraphNode_t summed;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams what = memory_of(1 << 20);
    cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &what);
    address = what.dptr;
    const cudaGraphNode_t filled = add_fill(graph, &allocated, 1, address, 0, 1);
    void* arguments[] = {&address, &result};
    cudaKernelNodeParams sum = {reinterpret_cast<void*>(sums), dim3(1), dim3(3), 0, arguments, nullptr};
    cudaGraphAddKernelNode(&summed, graph, &filled, 1, &sum);
    cudaGraphAddMemFreeNode(&freed, graph, &summed, 1, address);
    return graph;
}

void one_launch() {
    void* address = nullptr;
    cudaGraphNode_t allocated, freed;
    const cudaGraph_t graph = temporary(address, allocated, freed);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    std::printf("temporary: ");
    print(result);
    cudaMemset(result, 0, 12);
    cudaGraphLaunch(exec, stream);
    std::printf(", launched again: ");
    print(result);
    cudaMemAllocNodeParams found = {};
    cudaGraphMemAllocNodeGetParams(allocated, &found);
    std::printf(", %s\n", found.dptr == address ? "same address" : "another address");
    std::printf("after the launch: used %llu, high %llu\n",
                static_cast<unsigned long long>(amount(cudaGraphMemAttrUsedMemCurrent)),
                static_cast<unsigned long long>(amount(cudaGraphMemAttrUsedMemHigh)));
    cudaGraphNodeType types[2];
    void* freed_address = nullptr;
    cudaGraphNodeGetType(allocated, &types[0]);
    cudaGraphNodeGetType(freed, &types[1]);
    cudaGraphMemFreeNodeGetParams(freed, &freed_address);
    std::printf("nodes: type %d of %zu bytes, type %d of %s address\n", types[0], found.bytesize, types[1],
                freed_address == address ? "the same" : "another");
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

// Memory that is there after the launch.
void left() {
    cudaGraph_t graph, other;
    cudaGraphNode_t node;
    cudaGraphExec_t exec, freeing;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams what = memory_of(400);
    cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &what);
    add_fill(graph, &node, 1, what.dptr, 5, 1);
    int* const memory = static_cast<int*>(what.dptr);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    std::printf("left: ");
    print(memory);
    std::printf(", used %llu", static_cast<unsigned long long>(amount(cudaGraphMemAttrUsedMemCurrent)));
    std::printf(", launched again: %s\n", name(cudaGraphLaunch(exec, stream)));
    std::printf("freed by the program: %s, launched again: ", name(cudaFreeAsync(memory, stream)));
    cudaGraphLaunch(exec, stream);
    print(memory);
    cudaFree(memory);
    cudaGraphExecDestroy(exec);
    cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    std::printf(", again with AutoFreeOnLaunch: ");
    cudaGraphLaunch(exec, stream);
    print(memory);
    cudaGraphLaunch(exec, stream);
    std::printf(" ");
    print(memory);
    cudaGraphCreate(&other, 0);
    cudaGraphAddMemFreeNode(&node, other, nullptr, 0, memory);
    cudaGraphInstantiate(&freeing, other, 0);
    std::printf("\nfreed by another graph: %s, ", name(cudaGraphLaunch(freeing, stream)));
    std::printf("used %llu, freed twice: %s\n", static_cast<unsigned long long>(amount(cudaGraphMemAttrUsedMemCurrent)),
                name(cudaFree(memory)));
    for (cudaGraphExec_t each : {exec, freeing})
        cudaGraphExecDestroy(each);
    cudaGraphDestroy(other);
    cudaGraphDestroy(graph);
}

void captured() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *memory = nullptr, values[2] = {};
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaMallocAsync(reinterpret_cast<void**>(&memory), 12, stream);
    fill<<<1, 1, 0, stream>>>(memory, 42, 0);
    cudaMemcpyAsync(result, memory, 4, cudaMemcpyDeviceToDevice, stream);
    cudaFreeAsync(memory, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphNode_t nodes[4];
    size_t count = 4;
    cudaGraphNodeType types[4];
    cudaGraphGetNodes(graph, nodes, &count);
    for (int i = 0; i < 4; ++i)
        cudaGraphNodeGetType(nodes[i], &types[i]);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int& value : values) {
        cudaMemset(result, 0, 4);
        cudaGraphLaunch(exec, stream);
        cudaMemcpy(&value, result, 4, cudaMemcpyDeviceToHost);
    }
    std::printf("captured: %zu nodes of type %d %d %d %d, result %d %d\n", count, types[0], types[1], types[2],
                types[3], values[0], values[1]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

void wrong() {
    void *address = nullptr, *ordinary = nullptr;
    cudaGraphNode_t allocated, freed, node;
    cudaGraph_t graph = temporary(address, allocated, freed), clone, parent;
    cudaGraphExec_t exec, second;
    cudaMalloc(&ordinary, 4);
    std::printf("freed twice in a graph: %s, ", name(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, address)));
    std::printf("an address of cudaMalloc: %s\n", name(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, ordinary)));
    cudaGraphCreate(&parent, 0);
    std::printf("destroy a node: %s, ", refused(cudaGraphDestroyNode(freed)));
    std::printf("clone: %s, ", refused(cudaGraphClone(&clone, graph)));
    std::printf("in a child: %s, ", refused(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph)));
    cudaGraphInstantiate(&exec, graph, 0);
    std::printf("second executable graph: %s\n", refused(cudaGraphInstantiate(&second, graph, 0)));
    cudaGraphExecDestroy(exec);
    cudaGraphNodeParams child = {cudaGraphNodeTypeGraph};
    child.graph.graph = graph;
    child.graph.ownership = cudaGraphChildGraphOwnershipMove;
    const cudaError_t moved = cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &child);
    cudaMemset(result, 0, 12);
    cudaGraphInstantiate(&exec, parent, 0);
    cudaGraphLaunch(exec, stream);
    std::printf("moved to a child: %s, ", name(moved));
    print(result);
    std::printf(", made executable or destroyed alone: %s, ", refused(cudaGraphInstantiate(&second, graph, 0)));
    std::printf("%s", refused(cudaGraphDestroy(graph)));
    std::uint64_t zero = 0;
    cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero);
    std::printf("\nhigh after its reset: %llu\n", static_cast<unsigned long long>(amount(cudaGraphMemAttrUsedMemHigh)));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(parent);
    cudaDeviceGraphMemTrim(0);
}

int main() {
    cudaMalloc(&result, 12);
    cudaStreamCreate(&stream);
    one_launch();
    left();
    captured();
    wrong();
    return 0;
}
