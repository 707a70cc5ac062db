// The dependencies of a graph's nodes: read, added and removed; nodes execute in an order that keeps them.
// OPTIONS: -lcuda
// EXPECT: edges 1: first before second, dependencies of second 1, dependents of first 1
// EXPECT: order 1 2 3, third before first: CUDA_SUCCESS, order 3 1 2
// EXPECT: a circle: CUDA_ERROR_INVALID_VALUE, an edge twice: CUDA_ERROR_INVALID_VALUE
// EXPECT: one that is not there: CUDA_ERROR_INVALID_VALUE, edges 2, order 3 1 2
// EXPECT: removed: CUDA_SUCCESS, edges 1
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static const char* name(CUresult result) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    return text;
}

// The forms without data of edges, which headers of different versions declare differently.
using GetEdges = CUresult (*)(CUgraph, CUgraphNode*, CUgraphNode*, std::size_t*);
using GetNodes = CUresult (*)(CUgraphNode, CUgraphNode*, std::size_t*);
using Change = CUresult (*)(CUgraph, const CUgraphNode*, const CUgraphNode*, std::size_t);
template <class F>
static F form(const char* what) {
    void* found = nullptr;
    CUdriverProcAddressQueryResult status;
    cuGetProcAddress(what, &found, 12000, 0, &status);
    return reinterpret_cast<F>(found);
}

static int order[8], done;
static void note(void* number) {
    order[done++] = static_cast<int>(reinterpret_cast<std::size_t>(number));
}

static CUgraphNode add(CUgraph graph, std::size_t number, const CUgraphNode* after, std::size_t count) {
    CUDA_HOST_NODE_PARAMS what = {};
    what.fn = note;
    what.userData = reinterpret_cast<void*>(number);
    CUgraphNode node = nullptr;
    cuGraphAddHostNode(&node, graph, after, count, &what);
    return node;
}

static void run(CUgraph graph) {
    CUgraphExec exec;
    done = 0;
    cuGraphInstantiate(&exec, graph, 0);
    cuGraphLaunch(exec, nullptr);
    cuGraphExecDestroy(exec);
    std::printf("order %d %d %d", order[0], order[1], order[2]);
}

int main() {
    CUcontext context;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    const auto edges = form<GetEdges>("cuGraphGetEdges");
    const auto change = form<Change>("cuGraphAddDependencies"), remove = form<Change>("cuGraphRemoveDependencies");
    CUdeviceptr memory; // so that there is a device, and a result
    cuMemAlloc(&memory, 4);
    CUgraph graph;
    cuGraphCreate(&graph, 0);
    const CUgraphNode first = add(graph, 1, nullptr, 0), second = add(graph, 2, &first, 1);
    CUgraphNode from[4] = {}, to[4] = {};
    std::size_t count = 4, before = 0, after = 0;
    edges(graph, from, to, &count);
    form<GetNodes>("cuGraphNodeGetDependencies")(second, nullptr, &before);
    form<GetNodes>("cuGraphNodeGetDependentNodes")(first, nullptr, &after);
    std::printf("edges %zu: %s, dependencies of second %zu, dependents of first %zu\n", count,
                from[0] == first && to[0] == second ? "first before second" : "another", before, after);
    const CUgraphNode third = add(graph, 3, nullptr, 0);
    run(graph);
    std::printf(", third before first: %s, ", name(change(graph, &third, &first, 1)));
    run(graph);
    const CUresult circle = change(graph, &second, &third, 1), twice = change(graph, &third, &first, 1);
    std::printf("\na circle: %s, an edge twice: %s\n", name(circle), name(twice));
    std::printf("one that is not there: %s, ", name(remove(graph, &third, &second, 1)));
    edges(graph, nullptr, nullptr, &count);
    std::printf("edges %zu, ", count);
    run(graph);
    const CUresult removed = remove(graph, &first, &second, 1);
    edges(graph, nullptr, nullptr, &count);
    std::printf("\nremoved: %s, edges %zu\n", name(removed), count);
    return 0;
}
