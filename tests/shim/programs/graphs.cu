// Graphs: made by hand, by the capture of a stream, and of two streams; launched again, changed, refused.
// EXPECT: by hand: 5 nodes, 1 root, type 0
// EXPECT: launches: 8 32, host 2
// EXPECT: with another number: 64
// EXPECT: captured: 3 nodes, nothing done yet: 0
// EXPECT: three launches: 3 6 9, host 3
// EXPECT: other arguments: 59
// EXPECT: updated: cudaSuccess 66, not with other nodes: cudaErrorGraphExecUpdateFailure 1
// EXPECT: two streams: cudaSuccess, 7
// EXPECT: within a graph: 12
// EXPECT: status 0 1 0
// EXPECT: unjoined: cudaErrorStreamCaptureUnjoined
// EXPECT: waited for: cudaErrorStreamCaptureUnsupported, then cudaErrorStreamCaptureInvalidated
// EXPECT: device waited for: cudaErrorStreamCaptureUnsupported, then cudaErrorStreamCaptureInvalidated
// EXPECT: of the default stream: cudaErrorStreamCaptureUnsupported
// EXPECT: event: cudaErrorCapturedEvent
// EXPECT: of a stream that is gone: cudaSuccess
// EXPECT: joined by a stream that is gone: cudaSuccess
// EXPECT: clone after the original is gone: 5
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int* to, int n, int what) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        to[i] += what;
}
__global__ void sum(const int* from, int n, int* to) {
    int total = 0;
    for (int i = 0; i < n; ++i)
        total += from[i];
    *to = total;
}
void count_up(void* counter) {
    ++*static_cast<int*>(counter);
}
const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}

int *values, *total, *device_total;
int host = 0;

// To 8 values 1 is added, they are summed up, the sum is copied, a host function called, the values are set to 3.
void by_hand() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t more, summed, copied, called, filled;
    cudaMemset(values, 0, 32);
    cudaGraphCreate(&graph, 0);
    int n = 8, one = 1;
    void* add_arguments[] = {&values, &n, &one};
    void* sum_arguments[] = {&values, &n, &device_total};
    cudaKernelNodeParams adds = {reinterpret_cast<void*>(add), dim3(1), dim3(32), 0, add_arguments, nullptr};
    cudaKernelNodeParams sums = {reinterpret_cast<void*>(sum), dim3(1), dim3(1), 0, sum_arguments, nullptr};
    cudaHostNodeParams calls = {count_up, &host};
    cudaMemsetParams threes = {};
    threes.dst = values;
    threes.value = 3;
    threes.elementSize = 4;
    threes.width = 8;
    threes.height = 1;
    cudaGraphAddKernelNode(&more, graph, nullptr, 0, &adds);
    cudaGraphAddKernelNode(&summed, graph, &more, 1, &sums);
    cudaGraphAddMemcpyNode1D(&copied, graph, &summed, 1, total, device_total, sizeof(int), cudaMemcpyDeviceToHost);
    cudaGraphAddHostNode(&called, graph, &copied, 1, &calls);
    cudaGraphAddMemsetNode(&filled, graph, &called, 1, &threes);
    one = 99; // the node has its own copy of the arguments
    size_t nodes = 0, roots = 0;
    cudaGraphNodeType type;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetRootNodes(graph, nullptr, &roots);
    cudaGraphNodeGetType(more, &type);
    std::printf("by hand: %zu nodes, %zu root, type %d\n", nodes, roots, type);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    const int first = *total; // 8 * (0 + 1)
    cudaGraphLaunch(exec, 0);
    std::printf("launches: %d %d, host %d\n", first, *total, host); // 8 * (3 + 1)
    cudaGraphExecDestroy(exec);

    cudaKernelNodeParams changed;
    cudaGraphKernelNodeGetParams(more, &changed);
    int five = 4 + *static_cast<int*>(changed.kernelParams[2]);
    void* changed_arguments[] = {&values, &n, &five};
    changed.kernelParams = changed_arguments;
    cudaGraphKernelNodeSetParams(more, &changed);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    std::printf("with another number: %d\n", *total); // 8 * (3 + 5)
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

int read_first(cudaStream_t stream) {
    int value;
    cudaMemcpyAsync(&value, values, sizeof value, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    return value;
}

void captured(cudaStream_t stream) {
    cudaMemset(values, 0, 32);
    host = 0;
    cudaGraph_t graph, other;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, stream>>>(values, 8, 1);
    add<<<1, 32, 0, stream>>>(values, 8, 2);
    cudaLaunchHostFunc(stream, count_up, &host);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphNode_t nodes[4];
    size_t count = 4;
    cudaGraphGetNodes(graph, nodes, &count);
    std::printf("captured: %zu nodes, nothing done yet: %d\n", count, read_first(stream) + host);
    cudaGraphInstantiate(&exec, graph, 0);
    int results[3];
    for (int& result : results) {
        cudaGraphLaunch(exec, stream);
        result = read_first(stream);
    }
    std::printf("three launches: %d %d %d, host %d\n", results[0], results[1], results[2], host);
    int n = 8, much = 49;
    void* arguments[] = {&values, &n, &much};
    cudaKernelNodeParams changed = {reinterpret_cast<void*>(add), dim3(1), dim3(32), 0, arguments, nullptr};
    cudaGraphExecKernelNodeSetParams(exec, nodes[1], &changed);
    cudaGraphLaunch(exec, stream); // 9 + 1 + 49
    std::printf("other arguments: %d\n", read_first(stream));

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    add<<<1, 32, 0, stream>>>(values, 8, 3);
    add<<<1, 32, 0, stream>>>(values, 8, 4);
    cudaLaunchHostFunc(stream, count_up, &host);
    cudaStreamEndCapture(stream, &other);
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t updated = cudaGraphExecUpdate(exec, other, &info);
    cudaGraphLaunch(exec, stream); // 59 + 3 + 4
    const int after = read_first(stream);
    cudaGraphDestroy(other);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaLaunchHostFunc(stream, count_up, &host); // their number differs, which counts before their types
    cudaStreamEndCapture(stream, &other);
    const cudaError_t refused = cudaGraphExecUpdate(exec, other, &info);
    std::printf("updated: %s %d, not with other nodes: %s %d\n", name(updated), after, name(refused),
                info.result == cudaGraphExecUpdateErrorTopologyChanged && info.errorNode == nullptr);
    cudaGetLastError();
    cudaGraphDestroy(other);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

void two_streams(cudaStream_t stream, cudaStream_t second) {
    cudaMemset(values, 0, 32);
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaGraph_t graph, outer;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, stream>>>(values, 8, 3);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(second, fork, 0);
    add<<<1, 32, 0, second>>>(values, 8, 4);
    cudaEventRecord(join, second);
    cudaStreamWaitEvent(stream, join, 0);
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    std::printf("two streams: %s, %d\n", name(ended), read_first(stream));

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, stream>>>(values, 8, -2);
    cudaGraphLaunch(exec, stream);
    cudaStreamEndCapture(stream, &outer);
    cudaGraphExecDestroy(exec);
    cudaGraphInstantiate(&exec, outer, 0);
    cudaGraphLaunch(exec, stream); // 7 - 2 + 3 + 4
    std::printf("within a graph: %d\n", read_first(stream));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(outer);
    cudaGraphDestroy(graph);
}

cudaStreamCaptureStatus status_of(cudaStream_t stream) {
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(stream, &status);
    return status;
}

void wrong(cudaStream_t stream, cudaStream_t second) {
    cudaGraph_t graph;
    cudaEvent_t event;
    cudaEventCreate(&event);
    const int before = status_of(stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    const int during = status_of(stream);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(second, event, 0);
    add<<<1, 32, 0, second>>>(values, 8, 4);
    const cudaError_t unjoined = cudaStreamEndCapture(stream, &graph);
    std::printf("status %d %d %d\nunjoined: %s\n", before, during, status_of(stream), name(unjoined));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 32, 0, stream>>>(values, 8, 4);
    const cudaError_t waited = cudaStreamSynchronize(stream);
    std::printf("waited for: %s, then %s\n", name(waited), name(cudaStreamEndCapture(stream, &graph)));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    const cudaError_t all = cudaDeviceSynchronize();
    std::printf("device waited for: %s, then %s\n", name(all), name(cudaStreamEndCapture(stream, &graph)));
    std::printf("of the default stream: %s\n", name(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal)));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaEventRecord(event, stream);
    std::printf("event: %s\n", name(cudaEventQuery(event)));
    cudaStreamEndCapture(stream, &graph);
    cudaStream_t gone;
    cudaStreamCreate(&gone);
    cudaStreamBeginCapture(gone, cudaStreamCaptureModeRelaxed);
    cudaEventRecord(event, gone);
    cudaStreamDestroy(gone);
    std::printf("of a stream that is gone: %s\n", name(cudaEventQuery(event)));
    cudaStreamCreate(&gone);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(gone, event, 0);
    cudaMemsetAsync(values, 0, 32, gone);
    cudaEventRecord(event, gone);
    cudaStreamWaitEvent(stream, event, 0);
    cudaStreamDestroy(gone);
    std::printf("joined by a stream that is gone: %s\n", name(cudaStreamEndCapture(stream, &graph)));
    cudaGetLastError();
}

void clone(cudaStream_t stream) {
    cudaMemset(values, 0, 32);
    cudaGraph_t graph, twin;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(values, 0, 32, stream);
    add<<<1, 32, 0, stream>>>(values, 8, 5);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphClone(&twin, graph);
    cudaGraphDestroy(graph);
    cudaGraphInstantiate(&exec, twin, 0);
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream);
    std::printf("clone after the original is gone: %d\n", read_first(stream));
}

int main() {
    cudaMalloc(&values, 32);
    cudaMalloc(&device_total, sizeof(int));
    cudaMallocHost(&total, sizeof(int));
    cudaStream_t stream, second;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&second);
    by_hand();
    captured(stream);
    two_streams(stream, second);
    wrong(stream, second);
    clone(stream);
    return 0;
}
