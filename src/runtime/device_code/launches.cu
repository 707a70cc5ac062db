// CUDA's runtime for device code (dynamic parallelism), as nvcc names its functions since CUDA 12. Calls put records
// into a queue (queue.h). The host executes them after the grid.
#include <cstddef>

#include "runtime/device_code/queue.h"

using namespace heddle::runtime::device_code;

extern "C" __device__ Queue* __heddle_queue;
// Handle of the graph that this grid belongs to, if device code may launch it; %current_graph_exec
// (ir/current_graph.h).
extern "C" __device__ Word __heddle_current_graph;
__device__ Word __heddle_current_graph;
__device__ Queue* __heddle_queue;

namespace {

constexpr Word kTailStream = 3; // cudaStreamTailLaunch

__device__ cudaError_t failed(cudaError_t error) {
    __heddle_queue->error = error;
    return error;
}

__device__ const KernelEntry* entry_of(Word kernel) {
    const Queue& queue = *__heddle_queue;
    const Word number = (kernel - queue.first_kernel) / queue.apart;
    if (kernel < queue.first_kernel || number >= queue.kernel_count)
        return nullptr;
    const KernelEntry* entry = reinterpret_cast<const KernelEntry*>(queue.kernels) + number;
    return entry->max_threads == 0 ? nullptr : entry;
}

// A new record with `more` bytes behind it; null when the queue is full.
__device__ Record* reserve(Word more) {
    Queue& queue = *__heddle_queue;
    const Word wanted = more < queue.end ? more : queue.end; // sums of sizes do not overflow
    const Word bytes = (sizeof(Record) + wanted + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
    const Word at = atomicAdd(&queue.next, bytes);
    if (at + bytes > queue.end) {
        failed(cudaErrorLaunchPendingCountExceeded);
        return nullptr;
    }
    Record* record = reinterpret_cast<Record*>(reinterpret_cast<char*>(&queue) + at);
    record->bytes = bytes;
    return record;
}

__device__ cudaError_t check(Word kernel, dim3 grid, dim3 block, unsigned shared) {
    const Queue& queue = *__heddle_queue;
    const KernelEntry* entry = entry_of(kernel);
    if (entry == nullptr)
        return cudaErrorInvalidDeviceFunction;
    if (queue.depth >= kMaxDepth)
        return cudaErrorLaunchMaxDepthExceeded;
    const Word threads = Word{block.x} * block.y * block.z;
    if (threads == 0 || threads > queue.max_threads || block.x > queue.max_block[0] || block.y > queue.max_block[1] ||
        block.z > queue.max_block[2])
        return cudaErrorInvalidConfiguration;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > queue.max_grid[0] || grid.y > queue.max_grid[1] ||
        grid.z > queue.max_grid[2])
        return cudaErrorInvalidConfiguration;
    if (threads > entry->max_threads)
        return cudaErrorLaunchOutOfResources;
    if (Word{entry->static_shared} + shared > queue.max_shared)
        return cudaErrorInvalidConfiguration;
    return cudaSuccess;
}

__device__ void describe(Record* record, Word kernel, dim3 grid, dim3 block, unsigned shared) {
    record->kernel = kernel;
    record->shared = shared;
    record->grid[0] = grid.x;
    record->grid[1] = grid.y;
    record->grid[2] = grid.z;
    record->block[0] = block.x;
    record->block[1] = block.y;
    record->block[2] = block.z;
}

__device__ Record* record_of(void* parameters) {
    return static_cast<Record*>(parameters) - 1;
}

__device__ void launch(Record* record, cudaStream_t stream) {
    record->kind = reinterpret_cast<Word>(stream) == kTailStream ? Record::kTailKernel : Record::kKernel;
}

__device__ cudaError_t transfer(Record::Kind kind, const Box& box) {
    if (box.width == 0 || box.height == 0 || box.depth == 0)
        return cudaSuccess;
    Record* record = reserve(sizeof(Box));
    if (record == nullptr)
        return cudaErrorLaunchPendingCountExceeded;
    *reinterpret_cast<Box*>(record + 1) = box;
    record->kind = kind;
    return cudaSuccess;
}

// The bytes of a parameter are read now.
__device__ cudaError_t update_node(const NodeUpdate& update, const void* parameter) {
    const Word bytes = update.field == NodeUpdate::kParameter ? update.bytes : 0;
    if (update.node == 0 || (bytes != 0 && parameter == nullptr))
        return failed(cudaErrorInvalidValue);
    Record* record = reserve(sizeof(NodeUpdate) + bytes);
    if (record == nullptr)
        return cudaErrorLaunchPendingCountExceeded;
    NodeUpdate* stored = reinterpret_cast<NodeUpdate*>(record + 1);
    *stored = update;
    for (Word i = 0; i < bytes; ++i)
        reinterpret_cast<char*>(stored + 1)[i] = static_cast<const char*>(parameter)[i];
    record->kind = Record::kNodeUpdate;
    return cudaSuccess;
}

// cudaGraphKernelNodeUpdate.
struct UpdateOfProgram {
    Word node;
    unsigned field;
    union {
        unsigned grid[3], enabled;
        struct {
            const void* value;
            Word offset, bytes;
        } parameter;
    };
};

__device__ cudaError_t copy_3d(const cudaMemcpy3DParms& p) {
    if (p.srcArray != nullptr || p.dstArray != nullptr)
        return failed(cudaErrorNotSupported);
    const cudaPitchedPtr& from = p.srcPtr;
    const cudaPitchedPtr& to = p.dstPtr;
    const Word to_slice = Word{to.pitch} * to.ysize, from_slice = Word{from.pitch} * from.ysize;
    return transfer(Record::kCopy,
                    {reinterpret_cast<Word>(to.ptr) + p.dstPos.x + p.dstPos.y * to.pitch + p.dstPos.z * to_slice,
                     to.pitch, to_slice,
                     reinterpret_cast<Word>(from.ptr) + p.srcPos.x + p.srcPos.y * from.pitch + p.srcPos.z * from_slice,
                     from.pitch, from_slice, p.extent.width, p.extent.height, p.extent.depth});
}

struct NamedError {
    int code;
    const char *name, *text;
};

__device__ const NamedError kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorLaunchMaxDepthExceeded, "cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth"},
    {cudaErrorLaunchPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded", "launch would exceed the queue"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
};

} // namespace

namespace {

__device__ GraphEntry* graph_entry(Word handle) {
    const Queue& queue = *__heddle_queue;
    GraphEntry* const entries = reinterpret_cast<GraphEntry*>(queue.graphs);
    for (Word i = 0; i < queue.graph_count; ++i)
        if (entries[i].handle == handle)
            return entries + i;
    return nullptr;
}

// A graph is launched once at a time; it may put itself behind its own end, once.
__device__ bool claim(GraphEntry* entry, bool again) {
    const unsigned from = again ? GraphEntry::kLaunched : GraphEntry::kIdle;
    const unsigned to = again ? GraphEntry::kLaunchedAgain : GraphEntry::kLaunched;
    return atomicCAS(&entry->state, from, to) == from;
}

} // namespace

// A function with a second name for streams of each thread.
#define WITH_PTSZ(name, formals, actuals)                                                                              \
    __device__ cudaError_t __cudaCDP2##name##_ptsz formals {                                                           \
        return __cudaCDP2##name actuals;                                                                               \
    }

extern "C" {

__device__ void* __cudaCDP2GetParameterBuffer(size_t, size_t bytes) {
    Record* record = reserve(bytes);
    return record == nullptr ? nullptr : record + 1;
}

__device__ void* __cudaCDP2GetParameterBufferV2(void* function, dim3 grid, dim3 block, unsigned shared) {
    const Word kernel = reinterpret_cast<Word>(function);
    if (const cudaError_t error = check(kernel, grid, block, shared)) {
        failed(error);
        return nullptr;
    }
    Record* record = reserve(entry_of(kernel)->parameter_bytes);
    if (record == nullptr)
        return nullptr;
    describe(record, kernel, grid, block, shared);
    return record + 1;
}

__device__ cudaError_t __cudaCDP2LaunchDevice(void* function, void* parameters, dim3 grid, dim3 block, unsigned shared,
                                              cudaStream_t stream) {
    const Word kernel = reinterpret_cast<Word>(function);
    if (const cudaError_t error = check(kernel, grid, block, shared))
        return failed(error);
    Record* record = parameters == nullptr ? reserve(0) : record_of(parameters);
    if (record == nullptr)
        return cudaErrorLaunchPendingCountExceeded;
    if (record->bytes < sizeof(Record) + entry_of(kernel)->parameter_bytes)
        return failed(cudaErrorInvalidValue);
    describe(record, kernel, grid, block, shared);
    launch(record, stream);
    return cudaSuccess;
}
WITH_PTSZ(LaunchDevice, (void* function, void* parameters, dim3 grid, dim3 block, unsigned shared, cudaStream_t stream),
          (function, parameters, grid, block, shared, stream))

__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void* parameters, cudaStream_t stream) {
    if (parameters == nullptr) // the reason is known already
        return static_cast<cudaError_t>(__heddle_queue->error);
    launch(record_of(parameters), stream);
    return cudaSuccess;
}
WITH_PTSZ(LaunchDeviceV2, (void* parameters, cudaStream_t stream), (parameters, stream))

__device__ cudaError_t __cudaCDP2GetLastError() {
    return static_cast<cudaError_t>(atomicExch(&__heddle_queue->error, 0u));
}

__device__ cudaError_t __cudaCDP2PeekAtLastError() {
    return static_cast<cudaError_t>(__heddle_queue->error);
}

__device__ const char* __cudaCDP2GetErrorName(cudaError_t error) {
    for (const NamedError& each : kErrors)
        if (each.code == error)
            return each.name;
    return "unrecognized error code";
}

__device__ const char* __cudaCDP2GetErrorString(cudaError_t error) {
    for (const NamedError& each : kErrors)
        if (each.code == error)
            return each.text;
    return "unrecognized error code";
}

__device__ cudaError_t __cudaCDP2DeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (device != 0)
        return failed(cudaErrorInvalidDevice);
    if (attribute < 0 || static_cast<Word>(attribute) >= __heddle_queue->attribute_count)
        return failed(cudaErrorInvalidValue);
    *value = reinterpret_cast<const int*>(__heddle_queue->attributes)[attribute];
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2DeviceGetLimit(size_t* value, cudaLimit limit) {
    if (limit != cudaLimitMallocHeapSize)
        return failed(cudaErrorUnsupportedLimit);
    *value = __heddle_queue->heap_bytes;
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2DeviceGetCacheConfig(int* config) {
    *config = 0; // no preference
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2DeviceGetSharedMemConfig(int* config) {
    *config = 1; // banks of four bytes
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2GetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2GetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2RuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

// Streams and events order what the queue orders already. Their handles need to be different from null only.
__device__ cudaError_t __cudaCDP2StreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    *stream = reinterpret_cast<cudaStream_t>(&__heddle_queue);
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2StreamDestroy(cudaStream_t) {
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2StreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
    return cudaSuccess;
}
WITH_PTSZ(StreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))

__device__ cudaError_t __cudaCDP2EventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = reinterpret_cast<cudaEvent_t>(&__heddle_queue);
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2EventRecord(cudaEvent_t, cudaStream_t) {
    return cudaSuccess;
}
WITH_PTSZ(EventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))

__device__ cudaError_t __cudaCDP2EventRecordWithFlags(cudaEvent_t, cudaStream_t, unsigned) {
    return cudaSuccess;
}
WITH_PTSZ(EventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags), (event, stream, flags))

__device__ cudaError_t __cudaCDP2EventDestroy(cudaEvent_t) {
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2FuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    const KernelEntry* entry = entry_of(reinterpret_cast<Word>(function));
    if (entry == nullptr)
        return failed(cudaErrorInvalidDeviceFunction);
    *attributes = {};
    attributes->sharedSizeBytes = entry->static_shared;
    attributes->localSizeBytes = entry->local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(entry->max_threads);
    attributes->numRegs = static_cast<int>(entry->registers);
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2Malloc(void** pointer, size_t bytes) {
    *pointer = malloc(bytes);
    return *pointer == nullptr && bytes != 0 ? failed(cudaErrorMemoryAllocation) : cudaSuccess;
}

__device__ cudaError_t __cudaCDP2Free(void* pointer) {
    free(pointer);
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2MemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
    return transfer(Record::kCopy, {reinterpret_cast<Word>(to), 0, 0, reinterpret_cast<Word>(from), 0, 0, bytes, 1, 1});
}
WITH_PTSZ(MemcpyAsync, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
          (to, from, bytes, kind, stream))

__device__ cudaError_t __cudaCDP2Memcpy2DAsync(void* to, size_t to_row, const void* from, size_t from_row, size_t width,
                                               size_t height, cudaMemcpyKind, cudaStream_t) {
    return transfer(Record::kCopy, {reinterpret_cast<Word>(to), to_row, 0, reinterpret_cast<Word>(from), from_row, 0,
                                    width, height, 1});
}
WITH_PTSZ(Memcpy2DAsync,
          (void* to, size_t to_row, const void* from, size_t from_row, size_t width, size_t height, cudaMemcpyKind kind,
           cudaStream_t stream),
          (to, to_row, from, from_row, width, height, kind, stream))

__device__ cudaError_t __cudaCDP2Memcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t) {
    return copy_3d(*p);
}
WITH_PTSZ(Memcpy3DAsync, (const cudaMemcpy3DParms* p, cudaStream_t stream), (p, stream))

__device__ cudaError_t __cudaCDP2MemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
    return transfer(Record::kFill, {reinterpret_cast<Word>(to), 0, 0, value & 0xffu, 0, 0, bytes, 1, 1});
}
WITH_PTSZ(MemsetAsync, (void* to, int value, size_t bytes, cudaStream_t stream), (to, value, bytes, stream))

__device__ cudaError_t __cudaCDP2Memset2DAsync(void* to, size_t row, int value, size_t width, size_t height,
                                               cudaStream_t) {
    return transfer(Record::kFill, {reinterpret_cast<Word>(to), row, 0, value & 0xffu, 0, 0, width, height, 1});
}
WITH_PTSZ(Memset2DAsync, (void* to, size_t row, int value, size_t width, size_t height, cudaStream_t stream),
          (to, row, value, width, height, stream))

__device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    constexpr Word kTail = 1, kLast = 3; // GraphLaunch
    const Word handle = reinterpret_cast<Word>(graph), how = reinterpret_cast<Word>(stream) >> 56;
    GraphEntry* const entry = graph_entry(handle);
    if (reinterpret_cast<Word>(stream) != how << 56 || how == 0 || how > kLast || entry == nullptr)
        return failed(cudaErrorInvalidValue);
    if (__heddle_queue->graph == 0) // only kernels of graphs launch graphs
        return failed(cudaErrorNotSupported);
    if (!claim(entry, handle == __heddle_queue->graph && how == kTail))
        return failed(cudaErrorInvalidValue);
    Record* record = reserve(0);
    if (record == nullptr)
        return cudaErrorLaunchPendingCountExceeded;
    record->kernel = handle;
    record->shared = static_cast<unsigned>(how);
    record->kind = Record::kGraph;
    return cudaSuccess;
}

__device__ cudaError_t cudaGraphKernelNodeSetParam(Word node, size_t offset, const void* value, size_t bytes) {
    return update_node({node, NodeUpdate::kParameter, {}, 0, offset, bytes}, value);
}

__device__ cudaError_t cudaGraphKernelNodeSetEnabled(Word node, bool enable) {
    return update_node({node, NodeUpdate::kEnabled, {}, enable ? 1u : 0u, 0, 0}, nullptr);
}

__device__ cudaError_t cudaGraphKernelNodeSetGridDim(Word node, dim3 grid) {
    return update_node({node, NodeUpdate::kGrid, {grid.x, grid.y, grid.z}, 0, 0, 0}, nullptr);
}

__device__ cudaError_t cudaGraphKernelNodeUpdatesApply(const void* updates, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const UpdateOfProgram& u = static_cast<const UpdateOfProgram*>(updates)[i];
        cudaError_t error = cudaErrorInvalidValue;
        if (u.field == NodeUpdate::kParameter)
            error = cudaGraphKernelNodeSetParam(u.node, u.parameter.offset, u.parameter.value, u.parameter.bytes);
        else if (u.field == NodeUpdate::kEnabled)
            error = cudaGraphKernelNodeSetEnabled(u.node, u.enabled != 0);
        else if (u.field == NodeUpdate::kGrid)
            error = cudaGraphKernelNodeSetGridDim(u.node, dim3(u.grid[0], u.grid[1], u.grid[2]));
        if (error != cudaSuccess)
            return failed(error);
    }
    return cudaSuccess;
}

__device__ cudaError_t __cudaCDP2Memset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t) {
    return transfer(Record::kFill, {reinterpret_cast<Word>(to.ptr), to.pitch, Word{to.pitch} * to.ysize, value & 0xffu,
                                    0, 0, extent.width, extent.height, extent.depth});
}
WITH_PTSZ(Memset3DAsync, (cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream),
          (to, value, extent, stream))

} // extern "C"
