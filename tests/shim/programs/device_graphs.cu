// Graphs that kernels of graphs launch: at once, behind the graph, beside it; a graph that launches itself again.
// OPTIONS: -rdc=true -lcudadevrt
// NOT-WITH: clang
// EXPECT: fire and forget, then tail: 1 2 3
// EXPECT: tails in order, those of a tail before the next: 10 11 12 13
// EXPECT: a graph that launches itself: 5 times
// EXPECT: a sibling: 1
// EXPECT: from no graph: cudaErrorNotSupported
// EXPECT: not for device code: cudaErrorInvalidValue, not uploaded: cudaErrorInvalidValue, twice: cudaErrorInvalidValue
// EXPECT: itself at once: cudaErrorInvalidValue, no way: cudaErrorInvalidValue
// EXPECT: the current graph: its handle, outside of graphs: none
#include <cstdio>
#include <cuda_runtime.h>

struct Log {
    int count, entry[16];
    int error[8];
    cudaGraphExec_t current;
};

__device__ void note(Log* log, int what) {
    log->entry[log->count++] = what;
}

__global__ void say(Log* log, int what) {
    note(log, what);
}

__global__ void start(Log* log, int what, cudaGraphExec_t at_once, cudaGraphExec_t behind) {
    note(log, what);
    log->current = cudaGetCurrentGraphExec();
    if (at_once != nullptr)
        log->error[0] = cudaGraphLaunch(at_once, cudaStreamGraphFireAndForget);
    if (behind != nullptr)
        log->error[1] = cudaGraphLaunch(behind, cudaStreamGraphTailLaunch);
}

__global__ void start_two(Log* log, cudaGraphExec_t first, cudaGraphExec_t second) {
    note(log, 10);
    cudaGraphLaunch(first, cudaStreamGraphTailLaunch);
    cudaGraphLaunch(second, cudaStreamGraphTailLaunch);
}

__global__ void again(Log* log, int times) {
    note(log, 1);
    if (log->count < times)
        cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

__global__ void beside(Log* log, cudaGraphExec_t graph) {
    log->error[0] = cudaGraphLaunch(graph, cudaStreamGraphFireAndForgetAsSibling);
}

__global__ void wrong(Log* log, cudaGraphExec_t good, cudaGraphExec_t of_host, cudaGraphExec_t not_uploaded) {
    log->error[0] = cudaGraphLaunch(of_host, cudaStreamGraphFireAndForget);
    log->error[1] = cudaGraphLaunch(not_uploaded, cudaStreamGraphFireAndForget);
    cudaGraphLaunch(good, cudaStreamGraphFireAndForget);
    log->error[2] = cudaGraphLaunch(good, cudaStreamGraphFireAndForget);
    log->error[3] = cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphFireAndForget);
    log->error[4] = cudaGraphLaunch(good, nullptr);
}

static Log* logged;
static cudaStream_t stream;

// A graph of one kernel.
template <class... Formal, class... Actual>
static cudaGraphExec_t graph_of(unsigned long long flags, void (*kernel)(Formal...), Actual... actual) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    kernel<<<1, 1, 0, stream>>>(actual...);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, flags);
    return exec;
}

template <class... Formal, class... Actual>
static cudaGraphExec_t device_graph(void (*kernel)(Formal...), Actual... actual) {
    const cudaGraphExec_t exec = graph_of(cudaGraphInstantiateFlagDeviceLaunch, kernel, actual...);
    cudaGraphUpload(exec, stream);
    return exec;
}

static void run(cudaGraphExec_t exec) {
    logged->count = 0;
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
}

static void print(const char* what) {
    std::printf("%s:", what);
    for (int i = 0; i < logged->count; ++i)
        std::printf(" %d", logged->entry[i]);
    std::printf("\n");
}

int main() {
    const cudaGraphExec_t none = nullptr;
    cudaStreamCreate(&stream);
    cudaMallocManaged(&logged, sizeof *logged);
    const cudaGraphExec_t two = device_graph(say, logged, 2), three = device_graph(say, logged, 3);
    run(device_graph(start, logged, 1, two, three));
    print("fire and forget, then tail");

    const cudaGraphExec_t twelve = device_graph(say, logged, 12), thirteen = device_graph(say, logged, 13);
    const cudaGraphExec_t eleven = device_graph(start, logged, 11, none, twelve);
    run(device_graph(start_two, logged, eleven, thirteen));
    print("tails in order, those of a tail before the next");

    run(device_graph(again, logged, 5));
    std::printf("a graph that launches itself: %d times\n", logged->count);

    const cudaGraphExec_t one = device_graph(say, logged, 1);
    run(graph_of(0, beside, logged, one)); // from a graph of the host
    print("a sibling");

    start<<<1, 1, 0, stream>>>(logged, 0, one, none);
    cudaStreamSynchronize(stream);
    std::printf("from no graph: %s\n", cudaGetErrorName(static_cast<cudaError_t>(logged->error[0])));
    const bool outside = logged->current == nullptr;

    const cudaGraphExec_t of_host = graph_of(0, say, logged, 1);
    const cudaGraphExec_t not_uploaded = graph_of(cudaGraphInstantiateFlagDeviceLaunch, say, logged, 1);
    run(device_graph(wrong, logged, one, of_host, not_uploaded));
    const auto name = [](int i) { return cudaGetErrorName(static_cast<cudaError_t>(logged->error[i])); };
    std::printf("not for device code: %s, not uploaded: %s, twice: %s\n", name(0), name(1), name(2));
    std::printf("itself at once: %s, no way: %s\n", name(3), name(4));

    const cudaGraphExec_t last = device_graph(start, logged, 1, none, none);
    run(last);
    std::printf("the current graph: %s, outside of graphs: %s\n", logged->current == last ? "its handle" : "?",
                outside ? "none" : "?");
}
