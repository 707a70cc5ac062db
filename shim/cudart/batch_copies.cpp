// Several copies by one call. Hints about places and about when sources are read change nothing: copies are done, one
// after the other, when the call returns.
#include "copies.h"

using namespace heddle::cudart;

namespace {

constexpr std::size_t kAll = SIZE_MAX; // a failure that is of no single copy

// A copy to be done, and which of them failed.
struct Batch {
    cudaStream_t stream;
    std::size_t* failed; // null: it is not told

    cudaError_t fail(cudaError_t error, std::size_t which) const {
        if (failed != nullptr)
            *failed = which;
        return record(error);
    }
    [[nodiscard]] bool is_for_batches() const { // CUDA does not take the default stream
        return stream != nullptr && stream != cudaStreamLegacy;
    }
};

bool is_order(cudaMemcpySrcAccessOrder order) {
    return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

// Attributes hold from a copy on: for the first one, and in order.
bool are_attributes(const cudaMemcpyAttributes* attributes, const std::size_t* from, std::size_t count,
                    std::size_t copies) {
    if (count == 0 || count > copies || attributes == nullptr || from == nullptr || from[0] != 0)
        return false;
    for (std::size_t i = 0; i < count; ++i)
        if (from[i] >= copies || (i != 0 && from[i] <= from[i - 1]) || !is_order(attributes[i].srcAccessOrder))
            return false;
    return true;
}

cudaError_t copy_all(void* const* to, const void* const* from, const std::size_t* sizes, std::size_t count,
                     const cudaMemcpyAttributes* attributes, const std::size_t* attributes_from,
                     std::size_t attribute_count, const Batch& batch) {
    if (to == nullptr || from == nullptr || sizes == nullptr || !batch.is_for_batches() ||
        !are_attributes(attributes, attributes_from, attribute_count, count))
        return batch.fail(cudaErrorInvalidValue, kAll);
    for (std::size_t i = 0; i < count; ++i)
        if (const cudaError_t error = cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, batch.stream);
            error != cudaSuccess)
            return batch.fail(error, i);
    return cudaSuccess;
}

// One end of a copy in three dimensions. `unit`: bytes of an element where there is an array, else 1.
bool read_end(const cudaMemcpy3DOperand& end, const cudaExtent& extent, std::size_t unit, cudaArray_t& array,
              cudaPos& at, cudaPitchedPtr& memory) {
    if (end.type == cudaMemcpyOperandTypeArray) {
        array = end.op.array.array;
        at = {end.op.array.offset.x, end.op.array.offset.y, end.op.array.offset.z};
        return true;
    }
    const auto& what = end.op.ptr;
    const std::size_t row = what.rowLength != 0 ? what.rowLength : extent.width;
    memory = {what.ptr, row * unit, row, what.layerHeight != 0 ? what.layerHeight : extent.height};
    return end.type == cudaMemcpyOperandTypePointer;
}

cudaError_t read_copy(const cudaMemcpy3DBatchOp& copy, cudaMemcpy3DParms& out) {
    std::size_t unit = 1;
    for (const cudaMemcpy3DOperand* const end : {&copy.src, &copy.dst}) {
        cudaChannelFormatDesc format;
        if (end->type != cudaMemcpyOperandTypeArray)
            continue;
        if (const cudaError_t error = cudaGetChannelDesc(&format, end->op.array.array); error != cudaSuccess)
            return error;
        unit = static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
    }
    out = {};
    out.extent = copy.extent;
    out.kind = cudaMemcpyDefault;
    const bool good = is_order(copy.srcAccessOrder) &&
                      read_end(copy.src, copy.extent, unit, out.srcArray, out.srcPos, out.srcPtr) &&
                      read_end(copy.dst, copy.extent, unit, out.dstArray, out.dstPos, out.dstPtr);
    return good ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copy_volumes(std::size_t count, const cudaMemcpy3DBatchOp* copies, unsigned long long flags,
                         const Batch& batch) {
    if (copies == nullptr || flags != 0 || !batch.is_for_batches())
        return batch.fail(cudaErrorInvalidValue, kAll);
    for (std::size_t i = 0; i < count; ++i) {
        cudaMemcpy3DParms what;
        cudaError_t error = read_copy(copies[i], what);
        if (error == cudaSuccess)
            error = cudaMemcpy3DAsync(&what, batch.stream);
        if (error != cudaSuccess)
            return batch.fail(error, i);
    }
    return cudaSuccess;
}

} // namespace

#if HEDDLE_CUDART_VERSION >= 13000
#define HEDDLE_BATCHES(ending)                                                                                         \
    HEDDLE_CUDA_API cudaError_t cudaMemcpyBatchAsync##ending(                                                          \
        void* const* to, const void* const* from, const std::size_t* sizes, std::size_t count,                         \
        cudaMemcpyAttributes* attributes, std::size_t* attributes_from, std::size_t attribute_count,                   \
        cudaStream_t stream) {                                                                                         \
        return copy_all(to, from, sizes, count, attributes, attributes_from, attribute_count, {stream, nullptr});      \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaMemcpy3DBatchAsync##ending(std::size_t count, cudaMemcpy3DBatchOp* copies,         \
                                                               unsigned long long flags, cudaStream_t stream) {        \
        return copy_volumes(count, copies, flags, {stream, nullptr});                                                  \
    }
HEDDLE_BATCHES()
HEDDLE_BATCHES(_ptsz)
#else
// CUDA 12 also tells which copy failed. The header declares the newer functions: these have names of their own here.
#define HEDDLE_BATCHES(ending)                                                                                         \
    HEDDLE_CUDA_API cudaError_t heddle_batch_12##ending(                                                               \
        void* const*, const void* const*, const std::size_t*, std::size_t, cudaMemcpyAttributes*, std::size_t*,        \
        std::size_t, std::size_t*, cudaStream_t) __asm__("cudaMemcpyBatchAsync" #ending);                              \
    cudaError_t heddle_batch_12##ending(void* const* to, const void* const* from, const std::size_t* sizes,            \
                                        std::size_t count, cudaMemcpyAttributes* attributes,                           \
                                        std::size_t* attributes_from, std::size_t attribute_count,                     \
                                        std::size_t* failed, cudaStream_t stream) {                                    \
        return copy_all(to, from, sizes, count, attributes, attributes_from, attribute_count, {stream, failed});       \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t heddle_volumes_12##ending(std::size_t, cudaMemcpy3DBatchOp*, std::size_t*,             \
                                                          unsigned long long,                                          \
                                                          cudaStream_t) __asm__("cudaMemcpy3DBatchAsync" #ending);     \
    cudaError_t heddle_volumes_12##ending(std::size_t count, cudaMemcpy3DBatchOp* copies, std::size_t* failed,         \
                                          unsigned long long flags, cudaStream_t stream) {                             \
        return copy_volumes(count, copies, flags, {stream, failed});                                                   \
    }
HEDDLE_BATCHES()
HEDDLE_BATCHES(_ptsz)
#endif
