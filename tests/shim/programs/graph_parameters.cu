// Parameters of nodes in a graph and in an executable graph; switches, clones, child graphs, attributes, DOT files,
// objects that graphs keep, captures into graphs.
// EXPECT: copy: 12 bytes, changed in the graph: 7 8 9, in the executable graph: 4 5 6
// EXPECT: captured copy: 12 bytes x 1, captured fill: 3 of 4 bytes each
// EXPECT: fill: 3 elements of 4 bytes, changed: 2 2 2, in the executable graph: 3 3 3
// EXPECT: host: called with 1, changed 2, in the executable graph 3
// EXPECT: symbols: 11 12 13, changed: 12 13, in the executable graph: 13
// EXPECT: any kind: 21 in the graph, 22 in the executable graph, another type: cudaErrorInvalidValue
// EXPECT: enabled 1, then 0: 5 0, and again: 6, of a host function: cudaErrorInvalidValue
// EXPECT: in clone: found, type 0, of a later node: cudaErrorInvalidValue
// EXPECT: child: 1 node, 31, changed through its graph 32, executable graph 33, other nodes: cudaErrorInvalidValue
// EXPECT: flags 1, with an unknown one: cudaErrorInvalidValue
// EXPECT: attributes: priority 0, then 3, copied 3, cooperative 1
// EXPECT: dot: digraph, 2 nodes, 1 edge, kernel's name
// EXPECT: object: alive 1, after its release 1, after the graph 1, after the executable graph 0
// EXPECT: moved reference: 0 after the graph
// EXPECT: capture into a graph: 3 nodes, 1 root, result 41; into none: cudaErrorInvalidValue
// EXPECT: new dependencies: cudaSuccess, ended cudaSuccess, not capturing: cudaErrorIllegalState
// EXPECT: for device code: cudaSuccess, with a host function: an error 3
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <unistd.h>

__device__ int variable[3];

__global__ void put(int* to, int value) {
    *to = value;
}
const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}

int *values, *others; // three numbers each, on the device
cudaStream_t stream;

cudaGraph_t new_graph() {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    return graph;
}
cudaGraphExec_t executable(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiate(&exec, graph, 0);
    return exec;
}
void launch(cudaGraph_t graph) {
    const cudaGraphExec_t exec = executable(graph);
    cudaGraphLaunch(exec, stream);
    cudaGraphExecDestroy(exec);
}
void print(const char* before, int count = 3) {
    int found[3];
    cudaMemcpy(found, values, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("%s", before);
    for (int i = 0; i < count; ++i)
        std::printf(" %d", found[i]);
}
int first_value() {
    int found;
    cudaMemcpy(&found, values, sizeof found, cudaMemcpyDeviceToHost);
    return found;
}

struct PutArguments {
    int* to;
    int value;
    void* pointers[2];
    cudaKernelNodeParams what;

    explicit PutArguments(int value) : to(values), value(value), pointers{&to, &this->value} {
        what = {reinterpret_cast<void*>(put), dim3(1), dim3(1), 0, pointers, nullptr};
    }
};
cudaGraphNode_t add_put(cudaGraph_t graph, int value) {
    PutArguments arguments(value);
    cudaGraphNode_t node = nullptr;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &arguments.what);
    return node;
}

void copies() {
    const int first[3] = {1, 2, 3}, second[3] = {7, 8, 9}, third[3] = {4, 5, 6};
    const cudaGraph_t graph = new_graph();
    cudaGraphNode_t node, nodes[2];
    cudaMemcpy3DParms found = {};
    cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, values, first, 12, cudaMemcpyHostToDevice);
    cudaGraphMemcpyNodeGetParams(node, &found);
    std::printf("copy: %zu bytes, ", found.extent.width * found.extent.height * found.extent.depth);
    cudaGraphMemcpyNodeSetParams1D(node, values, second, 12, cudaMemcpyHostToDevice);
    const cudaGraphExec_t exec = executable(graph);
    cudaGraphLaunch(exec, stream);
    print("changed in the graph:");
    found.srcPtr.ptr = const_cast<int*>(third);
    cudaGraphExecMemcpyNodeSetParams(exec, node, &found);
    cudaGraphLaunch(exec, stream);
    print(", in the executable graph:");

    cudaGraph_t captured;
    cudaMemsetParams fill = {};
    size_t count = 2;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    cudaMemcpyAsync(values, others, 12, cudaMemcpyDeviceToDevice, stream);
    cudaMemset2DAsync(values, 4, 0, 4, 3, stream);
    cudaStreamEndCapture(stream, &captured);
    cudaGraphGetNodes(captured, nodes, &count);
    cudaGraphMemcpyNodeGetParams(nodes[0], &found);
    cudaGraphMemsetNodeGetParams(nodes[1], &fill);
    std::printf("\ncaptured copy: %zu bytes x %zu, captured fill: %zu of %zu bytes each\n", found.extent.width,
                found.extent.height, fill.height, fill.width * fill.elementSize);
}

void fills() {
    const cudaGraph_t graph = new_graph();
    cudaGraphNode_t node;
    cudaMemsetParams what = {}, found = {};
    what.dst = values;
    what.value = 1;
    what.elementSize = 4;
    what.width = 3;
    what.height = 1;
    cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &what);
    cudaGraphMemsetNodeGetParams(node, &found);
    std::printf("fill: %zu elements of %u bytes, ", found.width, found.elementSize);
    found.value = 2;
    cudaGraphMemsetNodeSetParams(node, &found);
    const cudaGraphExec_t exec = executable(graph);
    cudaGraphLaunch(exec, stream);
    print("changed:");
    found.value = 3;
    cudaGraphExecMemsetNodeSetParams(exec, node, &found);
    cudaGraphLaunch(exec, stream);
    print(", in the executable graph:");
    std::printf("\n");
}

int called_with;
void call(void* number) {
    called_with = *static_cast<int*>(number);
}

void host_functions() {
    int one = 1, two = 2, three = 3;
    const cudaGraph_t graph = new_graph();
    cudaGraphNode_t node;
    cudaHostNodeParams what = {call, &one};
    cudaGraphAddHostNode(&node, graph, nullptr, 0, &what);
    launch(graph);
    std::printf("host: called with %d, ", called_with);
    what.userData = &two;
    cudaGraphHostNodeSetParams(node, &what);
    cudaGraphHostNodeGetParams(node, &what);
    const cudaGraphExec_t exec = executable(graph);
    cudaGraphLaunch(exec, stream);
    std::printf("changed %d, ", called_with);
    what.userData = &three;
    cudaGraphExecHostNodeSetParams(exec, node, &what);
    cudaGraphLaunch(exec, stream);
    std::printf("in the executable graph %d\n", called_with);
}

void symbols() {
    const int numbers[3] = {11, 12, 13};
    const cudaGraph_t graph = new_graph();
    cudaGraphNode_t in, out;
    cudaMemset(values, 0, 12);
    cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, variable, numbers, 12, 0, cudaMemcpyHostToDevice);
    cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, values, variable, 12, 0, cudaMemcpyDeviceToDevice);
    launch(graph);
    print("symbols:");
    cudaGraphMemcpyNodeSetParamsFromSymbol(out, values, variable, 8, 4, cudaMemcpyDeviceToDevice);
    const cudaGraphExec_t exec = executable(graph);
    cudaGraphLaunch(exec, stream);
    print(", changed:", 2);
    cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, values, variable, 4, 8, cudaMemcpyDeviceToDevice);
    cudaGraphLaunch(exec, stream);
    print(", in the executable graph:", 1);
    std::printf("\n");
}

void any_kind() {
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t node = add_put(graph, 20);
    PutArguments in_graph(21), in_exec(22);
    cudaGraphNodeParams what = {cudaGraphNodeTypeKernel};
    std::memcpy(&what.kernel, &in_graph.what, sizeof what.kernel);
    cudaGraphNodeSetParams(node, &what);
    const cudaGraphExec_t exec = executable(graph);
    cudaGraphLaunch(exec, stream);
    std::printf("any kind: %d in the graph, ", first_value());
    std::memcpy(&what.kernel, &in_exec.what, sizeof what.kernel);
    cudaGraphExecNodeSetParams(exec, node, &what);
    cudaGraphLaunch(exec, stream);
    std::printf("%d in the executable graph, ", first_value());
    what.type = cudaGraphNodeTypeMemset;
    std::printf("another type: %s\n", name(cudaGraphNodeSetParams(node, &what)));
}

void switches() {
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t node = add_put(graph, 5);
    cudaGraphNode_t host;
    int number = 0;
    cudaHostNodeParams what = {call, &number};
    cudaGraphAddHostNode(&host, graph, nullptr, 0, &what);
    const cudaGraphExec_t exec = executable(graph);
    unsigned before = 9, after = 9;
    cudaGraphNodeGetEnabled(exec, node, &before);
    cudaMemset(values, 0, 12);
    cudaGraphLaunch(exec, stream);
    const int with = first_value();
    cudaGraphNodeSetEnabled(exec, node, 0);
    cudaGraphNodeGetEnabled(exec, node, &after);
    cudaMemset(values, 0, 12);
    cudaGraphLaunch(exec, stream);
    std::printf("enabled %u, then %u: %d %d, ", before, after, with, first_value());
    PutArguments six(6);
    cudaGraphExecKernelNodeSetParams(exec, node, &six.what);
    cudaGraphNodeSetEnabled(exec, node, 1);
    cudaGraphLaunch(exec, stream);
    std::printf("and again: %d, of a host function: %s\n", first_value(), name(cudaGraphNodeSetEnabled(exec, host, 0)));
}

void clones() {
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t node = add_put(graph, 1);
    cudaGraph_t clone;
    cudaGraphNode_t twin = nullptr;
    cudaGraphClone(&clone, graph);
    const cudaGraphNode_t later = add_put(graph, 2);
    cudaGraphNodeFindInClone(&twin, node, clone);
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    cudaGraphNodeGetType(twin, &type);
    std::printf("in clone: %s, type %d, of a later node: %s\n", twin != nullptr && twin != node ? "found" : "not there",
                type, name(cudaGraphNodeFindInClone(&twin, later, clone)));
}

void children() {
    const cudaGraph_t graph = new_graph(), child = new_graph(), other = new_graph(), two = new_graph();
    add_put(child, 31);
    add_put(other, 33);
    add_put(two, 1);
    add_put(two, 2);
    cudaGraphNode_t node, inner;
    cudaGraph_t embedded;
    size_t count = 1;
    cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child);
    cudaGraphChildGraphNodeGetGraph(node, &embedded);
    cudaGraphGetNodes(embedded, &inner, &count);
    launch(graph);
    std::printf("child: %zu node, %d, ", count, first_value());
    PutArguments changed(32);
    cudaGraphKernelNodeSetParams(inner, &changed.what);
    const cudaGraphExec_t exec = executable(graph);
    cudaGraphLaunch(exec, stream);
    std::printf("changed through its graph %d, ", first_value());
    cudaGraphExecChildGraphNodeSetParams(exec, node, other);
    cudaGraphLaunch(exec, stream);
    std::printf("executable graph %d, ", first_value());
    std::printf("other nodes: %s\n", name(cudaGraphExecChildGraphNodeSetParams(exec, node, two)));
}

void flags_and_attributes() {
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t node = add_put(graph, 1), other = add_put(graph, 2);
    cudaGraphExec_t exec;
    unsigned long long flags = 99;
    cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    cudaGraphExecGetFlags(exec, &flags);
    std::printf("flags %llu, with an unknown one: %s\n", flags, name(cudaGraphInstantiateWithFlags(&exec, graph, 64)));
    cudaKernelNodeAttrValue value = {}, before = {}, after = {}, copied = {}, cooperative = {};
    cudaGraphKernelNodeGetAttribute(node, cudaKernelNodeAttributePriority, &before);
    value.priority = 3;
    cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributePriority, &value);
    cudaGraphKernelNodeGetAttribute(node, cudaKernelNodeAttributePriority, &after);
    value = {};
    value.cooperative = 1;
    cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeCooperative, &value);
    cudaGraphKernelNodeCopyAttributes(other, node);
    cudaGraphKernelNodeGetAttribute(other, cudaKernelNodeAttributePriority, &copied);
    cudaGraphKernelNodeGetAttribute(other, cudaKernelNodeAttributeCooperative, &cooperative);
    std::printf("attributes: priority %d, then %d, copied %d, cooperative %d\n", before.priority, after.priority,
                copied.priority, cooperative.cooperative);
}

void dot() {
    char path[] = "/tmp/graph_parameters_XXXXXX";
    close(mkstemp(path));
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t node = add_put(graph, 1);
    cudaGraphNode_t empty;
    cudaGraphAddEmptyNode(&empty, graph, &node, 1);
    cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose);
    std::FILE* const file = std::fopen(path, "r");
    char line[512];
    bool digraph = false, named = false;
    int nodes = 0, edges = 0;
    while (file != nullptr && std::fgets(line, sizeof line, file) != nullptr) {
        digraph = digraph || std::strncmp(line, "digraph", 7) == 0;
        named = named || std::strstr(line, "put") != nullptr;
        const bool edge = std::strstr(line, "->") != nullptr;
        edges += edge;
        nodes += !edge && std::strstr(line, "label") != nullptr;
    }
    std::remove(path);
    std::printf("dot: %s, %d nodes, %d edge, %s\n", digraph ? "digraph" : "no graph", nodes, edges,
                named ? "kernel's name" : "no name");
}

int alive;
void destroyed(void*) {
    --alive;
}
void objects() {
    cudaUserObject_t object;
    const cudaGraph_t graph = new_graph(), moved = new_graph();
    alive = 1;
    cudaUserObjectCreate(&object, nullptr, destroyed, 1, cudaUserObjectNoDestructorSync);
    cudaGraphRetainUserObject(graph, object, 1, 0);
    std::printf("object: alive %d, ", alive);
    cudaUserObjectRelease(object, 1);
    std::printf("after its release %d, ", alive);
    const cudaGraphExec_t exec = executable(graph);
    cudaGraphDestroy(graph);
    std::printf("after the graph %d, ", alive);
    cudaGraphExecDestroy(exec);
    std::printf("after the executable graph %d\n", alive);
    alive = 1;
    cudaUserObjectCreate(&object, nullptr, destroyed, 1, cudaUserObjectNoDestructorSync);
    cudaGraphRetainUserObject(moved, object, 1, cudaGraphUserObjectMove);
    cudaGraphDestroy(moved);
    std::printf("moved reference: %d after the graph\n", alive);
}

void captures() {
    const cudaGraph_t graph = new_graph();
    const cudaGraphNode_t first = add_put(graph, 40);
    cudaGraph_t captured;
    cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, cudaStreamCaptureModeRelaxed);
    cudaMemsetAsync(values, 0, 12, stream);
    put<<<1, 1, 0, stream>>>(values, 41);
    cudaStreamEndCapture(stream, &captured);
    cudaGraphNode_t nodes[3];
    size_t count = 3, roots = 0;
    cudaGraphGetNodes(captured, nodes, &count);
    cudaGraphGetRootNodes(captured, nullptr, &roots);
    launch(graph);
    std::printf("capture into a graph: %zu nodes, %zu root, result %d; ", count, roots, first_value());
    std::printf("into none: %s\n", name(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                                                      cudaStreamCaptureModeRelaxed)));

    // What the stream had added before need not be joined.
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    put<<<1, 1, 0, stream>>>(values, 1);
    const cudaError_t updated =
        cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies);
    put<<<1, 1, 0, stream>>>(values, 2);
    const cudaError_t ended = cudaStreamEndCapture(stream, &captured);
    std::printf("new dependencies: %s, ended %s, not capturing: %s\n", name(updated), name(ended),
                name(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0)));
}

void for_device() {
    const cudaGraph_t graph = new_graph();
    add_put(graph, 1);
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphInstantiateParams what = {};
    what.flags = cudaGraphInstantiateFlagDeviceLaunch;
    const cudaError_t good = cudaGraphInstantiateWithParams(&exec, graph, &what);
    int number = 0;
    cudaHostNodeParams function = {call, &number};
    cudaGraphAddHostNode(&node, graph, nullptr, 0, &function);
    const cudaError_t refused = cudaGraphInstantiateWithParams(&exec, graph, &what);
    std::printf("for device code: %s, with a host function: %s %d\n", name(good),
                refused == cudaSuccess || what.errNode_out != node ? "no error" : "an error", what.result_out);
}

int main() {
    cudaMalloc(&values, 12);
    cudaMalloc(&others, 12);
    cudaStreamCreate(&stream);
    copies();
    fills();
    host_functions();
    symbols();
    any_kind();
    switches();
    clones();
    children();
    flags_and_attributes();
    dot();
    objects();
    captures();
    for_device();
    return 0;
}
