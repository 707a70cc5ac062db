// Several copies by one call. The parameters have the layout of the runtime's. The older forms also tell which copy
// failed: a number that is none where no single one did.
#include <cstdint>

#include "driver.h"

using namespace heddle::driver;

static_assert(sizeof(CUdeviceptr) == sizeof(void*), "an array of addresses is one of pointers");

HEDDLE_DRIVER_API CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, std::size_t* sizes,
                                                 std::size_t count, cudaMemcpyAttributes* attributes,
                                                 std::size_t* attributes_from, std::size_t attribute_count,
                                                 CUstream stream) {
    return in_context([&] {
        return cudaMemcpyBatchAsync(reinterpret_cast<void**>(to), reinterpret_cast<void**>(from), sizes, count,
                                    attributes, attributes_from, attribute_count, stream);
    });
}
HEDDLE_DRIVER_API CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* sizes, std::size_t count,
                                              cudaMemcpyAttributes* attributes, std::size_t* attributes_from,
                                              std::size_t attribute_count, std::size_t* failed, CUstream stream) {
    const CUresult result =
        cuMemcpyBatchAsync_v2(to, from, sizes, count, attributes, attributes_from, attribute_count, stream);
    if (failed != nullptr && result != CUDA_SUCCESS)
        *failed = SIZE_MAX;
    return result;
}
HEDDLE_DRIVER_API CUresult cuMemcpy3DBatchAsync_v2(std::size_t count, CUDA_MEMCPY3D_BATCH_OP* copies,
                                                   unsigned long long flags, CUstream stream) {
    static_assert(sizeof *copies == sizeof(cudaMemcpy3DBatchOp));
    return in_context(
        [&] { return cudaMemcpy3DBatchAsync(count, reinterpret_cast<cudaMemcpy3DBatchOp*>(copies), flags, stream); });
}
HEDDLE_DRIVER_API CUresult cuMemcpy3DBatchAsync(std::size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, std::size_t* failed,
                                                unsigned long long flags, CUstream stream) {
    const CUresult result = cuMemcpy3DBatchAsync_v2(count, copies, flags, stream);
    if (failed != nullptr && result != CUDA_SUCCESS)
        *failed = SIZE_MAX;
    return result;
}
