// Tasks of nodes: their descriptions, and how they are done.
#include "graph_tasks.h"

#include <type_traits>

#include "copies.h"
#include "graph_memory.h"

using namespace heddle::cudart;

namespace {

// What a kernel's node keeps when it gets another kernel or other arguments.
void keep_attributes(const Task& old, KernelCall& call) {
    const auto* const kernel = std::get_if<KernelTask>(&old);
    if (kernel == nullptr)
        return;
    call.cooperative = (*kernel)->cooperative;
    call.cluster = (*kernel)->cluster;
    call.attributes = (*kernel)->attributes;
}

struct Performer {
    cudaGraphNodeType type;

    cudaError_t operator()(const Work& work) const {
        return work();
    }
    cudaError_t operator()(const KernelTask& call) const {
        return launch(*call);
    }
    cudaError_t operator()(const cudaMemcpy3DParms& copy) const {
        return copy_volume(&copy);
    }
    cudaError_t operator()(const cudaMemsetParams& fill) const {
        return fill_elements(fill.dst, fill.height > 1 ? fill.pitch : fill.width * fill.elementSize, fill.value,
                             fill.elementSize, fill.width, fill.height);
    }
    cudaError_t operator()(const cudaHostNodeParams& call) const {
        call.fn(call.userData);
        return cudaSuccess;
    }
    // What an event stands for is done already: a wait has nothing to wait for.
    cudaError_t operator()(const EventUse& use) const {
        return type != cudaGraphNodeTypeEventRecord ? cudaSuccess
                                                    : api([&](State& state) { return record_now(state, use.event); });
    }
    cudaError_t operator()(const MemoryUse& use) const {
        return api([&](State& state) {
            return type == cudaGraphNodeTypeMemAlloc ? begin_memory(state, use.memory) : end_memory(state, use.memory);
        });
    }
    cudaError_t operator()(const Operations& operations) const {
        for (const StreamOperation& operation : *operations)
            if (const cudaError_t error = perform(operation); error != cudaSuccess)
                return error;
        return cudaSuccess;
    }
    template <class T> // nothing, or graphs, which are the executable graph's to do
    cudaError_t operator()(const T&) const {
        return cudaSuccess;
    }
};

} // namespace

cudaError_t heddle::cudart::describe_kernel(Task& task, const cudaKernelNodeParams* what) {
    if (what == nullptr || what->extra != nullptr)
        return cudaErrorInvalidValue;
    const auto call = std::make_shared<KernelCall>(
        KernelCall{what->func, what->gridDim, what->blockDim, what->sharedMemBytes, false, dim3(0, 0, 0)});
    keep_attributes(task, *call);
    const cudaError_t error = prepare_launch(*call, what->kernelParams);
    if (error == cudaSuccess)
        task = call;
    return error;
}

cudaError_t heddle::cudart::describe_copy(Task& task, const cudaMemcpy3DParms* what) {
    if (what == nullptr || what->kind > cudaMemcpyDefault)
        return cudaErrorInvalidValue;
    task = *what;
    return cudaSuccess;
}

cudaError_t heddle::cudart::describe_copy_of_bytes(Task& task, void* to, const void* from, std::size_t bytes,
                                                   cudaMemcpyKind kind) {
    const cudaMemcpy3DParms what = copy_of_bytes(to, from, bytes, kind);
    return describe_copy(task, &what);
}

// The variable has its address for good, so that the copy is one of memory.
cudaError_t heddle::cudart::describe_copy_to_symbol(Task& task, const void* symbol, const void* from, std::size_t bytes,
                                                    std::size_t offset, cudaMemcpyKind kind) {
    void* to = nullptr;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const cudaError_t error = symbol_range(State::get(), symbol, offset, bytes, to);
    return error != cudaSuccess ? error : describe_copy_of_bytes(task, to, from, bytes, kind);
}

cudaError_t heddle::cudart::describe_copy_from_symbol(Task& task, void* to, const void* symbol, std::size_t bytes,
                                                      std::size_t offset, cudaMemcpyKind kind) {
    void* from = nullptr;
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const cudaError_t error = symbol_range(State::get(), symbol, offset, bytes, from);
    return error != cudaSuccess ? error : describe_copy_of_bytes(task, to, from, bytes, kind);
}

cudaError_t heddle::cudart::describe_fill(Task& task, const cudaMemsetParams* what) {
    if (what == nullptr || (what->elementSize != 1 && what->elementSize != 2 && what->elementSize != 4))
        return cudaErrorInvalidValue;
    task = *what;
    return cudaSuccess;
}

cudaError_t heddle::cudart::describe_host(Task& task, const cudaHostNodeParams* what) {
    if (what == nullptr || what->fn == nullptr)
        return cudaErrorInvalidValue;
    task = *what;
    return cudaSuccess;
}

cudaError_t heddle::cudart::describe_event(Task& task, cudaEvent_t event) {
    if (!is_event(event))
        return cudaErrorInvalidResourceHandle;
    task = EventUse{event};
    return cudaSuccess;
}

cudaError_t heddle::cudart::describe_child(Task& task, cudaGraph_t child) {
    if (find_graph(child) == nullptr)
        return cudaErrorInvalidValue;
    if (is_single(*child)) {
        complain("a graph with nodes for memory or conditions can not be copied into a node: a graph with nodes for "
                 "memory can be moved there (cudaGraphChildGraphOwnershipMove)");
        return cudaErrorInvalidValue;
    }
    task = ChildGraph{clone(*child)};
    return cudaSuccess;
}

cudaMemcpy3DParms heddle::cudart::copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return copy_of_rows(to, bytes, from, bytes, bytes, 1, kind);
}

cudaMemcpy3DParms heddle::cudart::copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                               std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    cudaMemcpy3DParms out{};
    out.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
    out.dstPtr = {to, to_pitch, width, height};
    out.extent = {width, height, 1};
    out.kind = kind;
    return out;
}

cudaError_t heddle::cudart::perform(const Task& task, cudaGraphNodeType type) {
    return std::visit(Performer{type}, task);
}
