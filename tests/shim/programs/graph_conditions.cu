// Conditional nodes: IF with and without ELSE, WHILE, SWITCH, nested ones, default values, bodies from captures.
// OPTIONS: -rdc=true
// EXPECT: if: 1 0 1, with else: 10 20
// EXPECT: while: 5 rounds, again 5
// EXPECT: switch: 100 101 102, none 0
// EXPECT: nested: 6 inner rounds
// EXPECT: default values: if 1, switch 102
// EXPECT: type 13, 2 bodies, of a handle twice: cudaErrorInvalidValue, 2 bodies of a while: cudaErrorInvalidValue
// EXPECT: an unused handle: cudaErrorInvalidValue 5, host function in a body: an error, clone: an error
// EXPECT: a loop without kernels: cudaErrorLaunchTimeout
// ERROR: heddle: a graph has a handle of cudaGraphConditionalHandleCreate which no conditional node uses
// ERROR: heddle: a conditional node repeats a body without kernels
#include <cstdio>
#include <cuda_runtime.h>

__global__ void set(cudaGraphConditionalHandle handle, const unsigned* value) {
    cudaGraphSetConditional(handle, *value);
}
// Counts up to `most`; the condition holds before that.
__global__ void count(cudaGraphConditionalHandle handle, int* counter, int most) {
    ++*counter;
    cudaGraphSetConditional(handle, *counter % most != 0 ? 1 : 0);
}
__global__ void restart(cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, 1);
}
__global__ void put(int* to, int value) {
    *to = value;
}
const char* name(cudaError_t error) {
    return cudaGetErrorName(error);
}
const char* refused(cudaError_t error) {
    return error == cudaSuccess ? "no error" : "an error";
}

int* result;
unsigned* wanted;
cudaStream_t stream;

template <class... Parameters, class... Arguments>
cudaGraphNode_t add(cudaGraph_t graph, const cudaGraphNode_t* after, void (*kernel)(Parameters...),
                    Arguments... arguments) {
    return [&](Parameters... values) {
        void* pointers[] = {&values...};
        cudaKernelNodeParams what = {reinterpret_cast<void*>(kernel), dim3(1), dim3(1), 0, pointers, nullptr};
        cudaGraphNode_t node = nullptr;
        cudaGraphAddKernelNode(&node, graph, after, after == nullptr ? 0 : 1, &what);
        return node;
    }(arguments...);
}

struct Conditional {
    cudaGraphNode_t node;
    cudaGraph_t* bodies;
    cudaError_t error;
};
Conditional add_conditional(cudaGraph_t graph, const cudaGraphNode_t* after, cudaGraphConditionalHandle handle,
                            cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraphNodeParams what = {cudaGraphNodeTypeConditional};
    what.conditional.handle = handle;
    what.conditional.type = type;
    what.conditional.size = size;
    Conditional out = {};
    out.error = cudaGraphAddNode(&out.node, graph, after, nullptr, after == nullptr ? 0 : 1, &what);
    out.bodies = what.conditional.phGraph_out;
    return out;
}

int launch(cudaGraphExec_t exec, unsigned value) {
    int found = 0;
    cudaMemset(result, 0, sizeof(int));
    cudaMemcpy(wanted, &value, sizeof value, cudaMemcpyHostToDevice);
    cudaGraphLaunch(exec, stream);
    cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost);
    return found;
}

// A kernel sets the condition to what the program wants; body i puts first + i * step.
cudaGraphExec_t branching(cudaGraphConditionalNodeType type, unsigned size, int first, int step) {
    cudaGraph_t graph;
    cudaGraphExec_t exec = nullptr;
    cudaGraphConditionalHandle handle;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
    const cudaGraphNode_t setting = add(graph, nullptr, set, handle, wanted);
    const Conditional node = add_conditional(graph, &setting, handle, type, size);
    for (unsigned i = 0; i < size; ++i)
        add(node.bodies[i], nullptr, put, result, first + static_cast<int>(i) * step);
    cudaGraphInstantiate(&exec, graph, 0);
    return exec;
}

void loops() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle, inner;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    const Conditional loop = add_conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1);
    cudaStreamBeginCaptureToGraph(stream, loop.bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed);
    count<<<1, 1, 0, stream>>>(handle, result, 5);
    cudaStreamEndCapture(stream, nullptr); // the program has the graph
    cudaGraphInstantiate(&exec, graph, 0);
    const int first = launch(exec, 0);
    std::printf("while: %d rounds, again %d\n", first, launch(exec, 0));

    // Two outer rounds with three inner ones each.
    int* outer_rounds = nullptr;
    cudaMalloc(&outer_rounds, sizeof(int));
    cudaMemset(outer_rounds, 0, sizeof(int));
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphConditionalHandleCreate(&inner, graph, 0, 0);
    const Conditional outer = add_conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1);
    const cudaGraphNode_t restarted = add(outer.bodies[0], nullptr, restart, inner);
    const Conditional within = add_conditional(outer.bodies[0], &restarted, inner, cudaGraphCondTypeWhile, 1);
    add(within.bodies[0], nullptr, count, inner, result, 3);
    add(outer.bodies[0], &within.node, count, handle, outer_rounds, 2);
    cudaGraphInstantiate(&exec, graph, 0);
    const int rounds = launch(exec, 0);
    std::printf("switch: %d ", launch(branching(cudaGraphCondTypeSwitch, 3, 100, 1), 0));
    std::printf("%d ", launch(branching(cudaGraphCondTypeSwitch, 3, 100, 1), 1));
    std::printf("%d, ", launch(branching(cudaGraphCondTypeSwitch, 3, 100, 1), 2));
    std::printf("none %d\n", launch(branching(cudaGraphCondTypeSwitch, 3, 100, 1), 3));
    std::printf("nested: %d inner rounds\n", rounds);
}

// No kernel sets these conditions.
cudaGraphExec_t standard(cudaGraphConditionalNodeType type, unsigned size, unsigned value, int first) {
    cudaGraph_t graph;
    cudaGraphExec_t exec = nullptr;
    cudaGraphConditionalHandle handle;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, value, cudaGraphCondAssignDefault);
    const Conditional node = add_conditional(graph, nullptr, handle, type, size);
    for (unsigned i = 0; i < size; ++i)
        add(node.bodies[i], nullptr, put, result, first + static_cast<int>(i));
    cudaGraphInstantiate(&exec, graph, 0);
    return exec;
}

void nothing(void*) {}

void wrong() {
    cudaGraph_t graph, clone;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle, other;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    const Conditional good = add_conditional(graph, nullptr, handle, cudaGraphCondTypeIf, 2);
    cudaGraphNodeType type;
    cudaGraphNodeGetType(good.node, &type);
    std::printf("type %d, %d bodies, ", type, (good.bodies[0] != nullptr) + (good.bodies[1] != nullptr));
    std::printf("of a handle twice: %s, ", name(add_conditional(graph, nullptr, handle, cudaGraphCondTypeIf, 1).error));
    cudaGraphConditionalHandleCreate(&other, graph, 1, cudaGraphCondAssignDefault);
    std::printf("2 bodies of a while: %s\n",
                name(add_conditional(graph, nullptr, other, cudaGraphCondTypeWhile, 2).error));
    cudaGraphInstantiateParams what = {};
    const cudaError_t unused = cudaGraphInstantiateWithParams(&exec, graph, &what);
    std::printf("an unused handle: %s %d, ", name(unused), what.result_out);
    add_conditional(graph, nullptr, other, cudaGraphCondTypeWhile, 1);
    cudaHostNodeParams call = {nothing, nullptr};
    cudaGraphAddHostNode(&node, good.bodies[0], nullptr, 0, &call);
    std::printf("host function in a body: %s, ", refused(cudaGraphInstantiate(&exec, graph, 0)));
    std::printf("clone: %s\n", refused(cudaGraphClone(&clone, graph)));
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    add_conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1);
    cudaGraphInstantiate(&exec, graph, 0);
    std::printf("a loop without kernels: %s\n", name(cudaGraphLaunch(exec, stream)));
}

int main() {
    cudaMalloc(&result, sizeof(int));
    cudaMalloc(&wanted, sizeof(unsigned));
    cudaStreamCreate(&stream);
    const cudaGraphExec_t one = branching(cudaGraphCondTypeIf, 1, 1, 0);
    const int first = launch(one, 1), second = launch(one, 0), third = launch(one, 7);
    std::printf("if: %d %d %d, ", first, second, third);
    const cudaGraphExec_t two = branching(cudaGraphCondTypeIf, 2, 10, 10);
    const int yes = launch(two, 1);
    std::printf("with else: %d %d\n", yes, launch(two, 0));
    loops();
    const int chosen = launch(standard(cudaGraphCondTypeIf, 1, 1, 1), 0);
    std::printf("default values: if %d, switch %d\n", chosen, launch(standard(cudaGraphCondTypeSwitch, 3, 2, 100), 0));
    wrong();
    return 0;
}
