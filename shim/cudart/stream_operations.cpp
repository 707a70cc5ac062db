// Memory operations of streams, and nodes of graphs that do them. They are the driver API's: the runtime has no such
// functions of its own.
#include "stream_operations.h"

#include <cstring>

#include <fmt/format.h>

#include "driver_link.h"
#include "graph.h"
#include "registered_memory.h"

using namespace heddle::cudart;

namespace {

constexpr auto kBatchNode = static_cast<cudaGraphNodeType>(12); // CU_GRAPH_NODE_TYPE_BATCH_MEM_OP

constexpr std::uint32_t kFlushFlag = 1U << 30; // of a wait; there is nothing to flush
const char* const kComparisons[] = {"at least", "equal to", "with a bit of", "with a zero where there is a zero in"};

bool is_wait(const StreamOperation& operation) {
    return operation.kind == StreamOperation::kWait32 || operation.kind == StreamOperation::kWait64;
}
std::size_t bytes_of(const StreamOperation& operation) {
    return operation.kind == StreamOperation::kWait64 || operation.kind == StreamOperation::kWrite64 ? 8 : 4;
}

// Memory of the device, or of the program, which registered it.
void read(State& state, const StreamOperation& operation, void* to) {
    if (state.device().owns(operation.address))
        state.device().read(to, operation.address, bytes_of(operation));
    else
        std::memcpy(to, reinterpret_cast<const void*>(operation.address), bytes_of(operation));
}
void write(State& state, const StreamOperation& operation) {
    if (state.device().owns(operation.address))
        state.device().write(operation.address, &operation.value, bytes_of(operation));
    else
        std::memcpy(reinterpret_cast<void*>(operation.address), &operation.value, bytes_of(operation));
}

// `T`: the value's type with a sign, which tells a value that is ahead in a circle of values.
template <class T>
bool holds(std::uint32_t comparison, std::uint64_t found, std::uint64_t wanted) {
    switch (comparison) {
    case 0:
        return static_cast<T>(found - wanted) >= 0;
    case 1:
        return static_cast<T>(found) == static_cast<T>(wanted);
    case 2:
        return static_cast<T>(found & wanted) != 0;
    default:
        return static_cast<T>(~(found | wanted)) != 0;
    }
}

// Calls complete before they return, so that nothing that the thread does later could end the wait.
cudaError_t wait(State& state, const StreamOperation& operation) {
    std::uint64_t found = 0;
    read(state, operation, &found);
    const std::uint32_t comparison = operation.flags & ~kFlushFlag;
    const bool wide = bytes_of(operation) == 8;
    const std::uint64_t wanted = wide ? operation.value : static_cast<std::uint32_t>(operation.value);
    if (wide ? holds<std::int64_t>(comparison, found, wanted) : holds<std::int32_t>(comparison, found, wanted))
        return cudaSuccess;
    complain(
        fmt::format("a stream waits until the value at {:#x}, which is {}, is {} {}: each call of heddle's completes "
                    "before it returns, so that the value has to be there before the wait",
                    operation.address, found, kComparisons[comparison], wanted));
    return cudaErrorNotSupported;
}

cudaError_t check_operation(State& state, const StreamOperation& operation) {
    if (operation.kind == StreamOperation::kFlush || operation.kind == StreamOperation::kBarrier)
        return cudaSuccess;
    const bool known = operation.kind >= StreamOperation::kWait32 && operation.kind <= StreamOperation::kWrite64;
    if (!known || operation.address == 0 || operation.address % bytes_of(operation) != 0 ||
        (is_wait(operation) && (operation.flags & ~kFlushFlag) > 3))
        return cudaErrorInvalidValue;
    const bool reached = state.device().owns(operation.address) || registered_at(state, operation.address);
    return reached ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t describe(State& state, Task& task, const StreamOperation* operations, unsigned count) {
    if (operations == nullptr && count != 0)
        return cudaErrorInvalidValue;
    for (unsigned i = 0; i < count; ++i)
        if (const cudaError_t error = check_operation(state, operations[i]); error != cudaSuccess)
            return error;
    task = std::make_shared<std::vector<StreamOperation>>(operations, operations + count);
    return cudaSuccess;
}

} // namespace

cudaError_t heddle::cudart::perform(const StreamOperation& operation) {
    return api([&](State& state) {
        if (is_wait(operation))
            return wait(state, operation);
        if (operation.kind != StreamOperation::kFlush && operation.kind != StreamOperation::kBarrier)
            write(state, operation);
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t __cudaHeddleStreamOperations(cudaStream_t stream, const void* operations, unsigned count) {
    Task task;
    const cudaError_t error = api(
        [&](State& state) { return describe(state, task, static_cast<const StreamOperation*>(operations), count); });
    if (error != cudaSuccess)
        return error;
    return in_stream(
        stream, kBatchNode, [&] { return task; }, [&] { return perform(task, kBatchNode); });
}
HEDDLE_CUDA_API cudaError_t __cudaHeddleAddOperations(cudaGraphNode_t* out, cudaGraph_t graph,
                                                      const cudaGraphNode_t* after, std::size_t after_count,
                                                      const void* operations, unsigned count) {
    return add_node({out, graph, after, after_count}, kBatchNode, [&](Task& task) {
        return describe(State::get(), task, static_cast<const StreamOperation*>(operations), count);
    });
}
HEDDLE_CUDA_API cudaError_t __cudaHeddleSetOperations(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      const void* operations, unsigned count) {
    const Make make = [&](Task& task) {
        return describe(State::get(), task, static_cast<const StreamOperation*>(operations), count);
    };
    return exec == nullptr ? set_node(node, kBatchNode, make) : set_step(exec, node, kBatchNode, make);
}
HEDDLE_CUDA_API cudaError_t __cudaHeddleGetOperations(cudaGraphNode_t node, void** operations, unsigned* count) {
    return with_task(node, kBatchNode, [&](const Task& task) {
        const Operations& found = std::get<Operations>(task);
        *operations = found->data();
        *count = static_cast<unsigned>(found->size());
        return cudaSuccess;
    });
}
