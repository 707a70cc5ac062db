// Nodes that record events and wait for them, made by hand and by captures.
// EXPECT: types 7 6, events: same same
// EXPECT: a launch takes time: yes, before it the event has none: cudaErrorInvalidResourceHandle
// EXPECT: another event in the graph: same, in the executable graph: recorded
// EXPECT: captured: 3 nodes of type 7 0 6
// EXPECT: no event: cudaErrorInvalidResourceHandle
#include <cstdio>
#include <cuda_runtime.h>
#include <initializer_list>

__global__ void work(int* to) {
    int value = *to;
    for (int i = 0; i < 1000; ++i)
        value = value * 3 + i;
    *to = value;
}
const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}
const char* same(cudaEvent_t one, cudaEvent_t other) {
    return one == other ? "same" : "another";
}

int main() {
    int* memory;
    cudaStream_t stream;
    cudaEvent_t start, end, other, third, found[2];
    cudaMalloc(&memory, sizeof(int));
    cudaStreamCreate(&stream);
    for (cudaEvent_t* each : {&start, &end, &other, &third})
        cudaEventCreate(each);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t started, worked, ended, waited;
    void* arguments[] = {&memory};
    cudaKernelNodeParams what = {reinterpret_cast<void*>(work), dim3(1), dim3(1), 0, arguments, nullptr};
    cudaGraphCreate(&graph, 0);
    cudaGraphAddEventRecordNode(&started, graph, nullptr, 0, start);
    cudaGraphAddKernelNode(&worked, graph, &started, 1, &what);
    cudaGraphAddEventRecordNode(&ended, graph, &worked, 1, end);
    cudaGraphAddEventWaitNode(&waited, graph, &ended, 1, end);
    cudaGraphNodeType types[2];
    cudaGraphNodeGetType(ended, &types[0]);
    cudaGraphNodeGetType(waited, &types[1]);
    cudaGraphEventRecordNodeGetEvent(ended, &found[0]);
    cudaGraphEventWaitNodeGetEvent(waited, &found[1]);
    std::printf("types %d %d, events: %s %s\n", types[0], types[1], same(found[0], end), same(found[1], end));

    float milliseconds = 0;
    const cudaError_t before = cudaEventElapsedTime(&milliseconds, start, end);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaEventElapsedTime(&milliseconds, start, end);
    std::printf("a launch takes time: %s, before it the event has none: %s\n", milliseconds > 0 ? "yes" : "no",
                name(before));
    cudaGraphEventRecordNodeSetEvent(ended, other);
    cudaGraphEventRecordNodeGetEvent(ended, &found[0]);
    cudaGraphEventWaitNodeSetEvent(waited, other);
    cudaGraphExecEventRecordNodeSetEvent(exec, ended, third);
    cudaGraphExecEventWaitNodeSetEvent(exec, waited, third);
    cudaGraphLaunch(exec, stream);
    const cudaError_t recorded = cudaEventElapsedTime(&milliseconds, start, third);
    std::printf("another event in the graph: %s, in the executable graph: %s\n", same(found[0], other),
                recorded == cudaSuccess ? "recorded" : name(recorded));

    cudaGraph_t captured;
    cudaGraphNode_t nodes[3];
    size_t count = 3;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal);
    work<<<1, 1, 0, stream>>>(memory);
    cudaStreamWaitEvent(stream, other, cudaEventWaitExternal);
    cudaStreamEndCapture(stream, &captured);
    cudaGraphGetNodes(captured, nodes, &count);
    std::printf("captured: %zu nodes of type", count);
    for (size_t i = 0; i < count; ++i) {
        cudaGraphNodeGetType(nodes[i], &types[0]);
        std::printf(" %d", types[0]);
    }
    std::printf("\n");
    cudaEventDestroy(third);
    std::printf("no event: %s\n", name(cudaGraphAddEventRecordNode(&started, graph, nullptr, 0, third)));
    return 0;
}
