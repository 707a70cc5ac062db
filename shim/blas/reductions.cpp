#include "reductions.h"

#include <algorithm>

#include <fmt/format.h>

#include "vectors.h"

namespace heddle::blas {

namespace {

constexpr std::int64_t kThreads = 256; // reductions.cu
constexpr std::int64_t kElements = 16; // of a thread, while there are fewer than the most blocks
constexpr std::int64_t kMostBlocks = 256;
constexpr std::size_t kResultBytes = 16; // at the begin of the handle's memory; the partial results follow

cublasStatus_t launch_both(cublasHandle_t handle, const std::string& kernel, const ReductionParameters& p) {
    const library::Shape all{dim3(static_cast<unsigned>(p.blocks)), dim3(kThreads)};
    const cublasStatus_t status = launch(handle, Text::Reductions, kernel, all, p);
    if (status != CUBLAS_STATUS_SUCCESS || p.blocks == 1)
        return status;
    return launch(handle, Text::Reductions, kernel + "_finish", {dim3(1), dim3(kThreads)}, p);
}

// Runs the kernels and brings the result, of so many bytes, to where it belongs. Without elements the kernels write
// what an empty sum is.
cublasStatus_t reduce(cublasHandle_t handle, const std::string& kernel, ReductionParameters p, void* result,
                      std::size_t bytes) {
    p.n = std::max<std::int64_t>(p.n, 0);
    p.blocks = std::clamp<std::int64_t>(blocks_for(p.n, kThreads * kElements), 1, kMostBlocks);
    char* const memory = static_cast<char*>(memory_of(handle, 0));
    p.partials = memory + kResultBytes;
    const bool on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
    p.result = on_device ? result : memory;
    const cublasStatus_t status = launch_both(handle, kernel, p);
    if (status != CUBLAS_STATUS_SUCCESS || on_device)
        return status;
    const library::Runtime& runtime = *library::Runtime::find();
    const cudaError_t copied = runtime.copy(result, memory, bytes, cudaMemcpyDeviceToHost, handle->stream);
    return status_of(copied == cudaSuccess ? runtime.wait(handle->stream) : copied);
}

// Of a vector that the reference BLAS takes as empty when its step is not positive
cublasStatus_t reduce_one(cublasHandle_t handle, const std::string& what, std::int64_t n, const VectorOperand& x,
                          void* result, std::size_t bytes) {
    if (const cublasStatus_t status = check(handle, result != nullptr); status != CUBLAS_STATUS_SUCCESS)
        return status;
    ReductionParameters p{};
    p.n = x.step > 0 ? n : 0;
    p.x = p.y = vector_of(x, p.n);
    p.index_is_64 = bytes == sizeof(std::int64_t);
    return reduce(handle, "blas_" + what + "_" + name_of(x.type), p, result, bytes);
}

cudaDataType real_type(cudaDataType type) {
    return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

// Whether the kernels of a type give such a result, computed in such a type
bool is_served(const VectorOperand& x, cudaDataType of_result, const Factor& result, cudaDataType execution) {
    return result.type == of_result && (computes_in(x.type, execution) || execution == real_type(x.type));
}

cublasStatus_t unserved(const char* function, const VectorOperand& x, const Factor& result, cudaDataType execution) {
    return not_supported(fmt::format("{} with the types {} and {} (cudaDataType) in {}", function,
                                     static_cast<int>(x.type), static_cast<int>(result.type),
                                     static_cast<int>(execution)));
}

} // namespace

cublasStatus_t dot(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const VectorOperand& y,
                   const Factor& result, bool conjugate) {
    if (const cublasStatus_t status = check(handle, result.data != nullptr); status != CUBLAS_STATUS_SUCCESS)
        return status;
    ReductionParameters p{};
    p.n = n;
    p.x = vector_of(x, n);
    p.y = vector_of(y, n);
    p.conjugate = conjugate;
    return reduce(handle, "blas_dot_" + name_of(x.type), p, const_cast<void*>(result.data),
                  static_cast<std::size_t>(bytes_of(x.type)));
}

cublasStatus_t nrm2(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const Factor& result) {
    return reduce_one(handle, "nrm2", n, x, const_cast<void*>(result.data),
                      static_cast<std::size_t>(bytes_of(real_type(x.type))));
}

cublasStatus_t asum(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const Factor& result) {
    return reduce_one(handle, "asum", n, x, const_cast<void*>(result.data),
                      static_cast<std::size_t>(bytes_of(real_type(x.type))));
}

cublasStatus_t extreme(cublasHandle_t handle, const char* which, std::int64_t n, const VectorOperand& x, void* result,
                       std::size_t bytes) {
    if (bytes_of(x.type) < 2 || x.type == CUDA_R_32I)
        return not_supported(
            fmt::format("the position of an extreme value of type {} (cudaDataType)", static_cast<int>(x.type)));
    return reduce_one(handle, which, n, x, result, bytes);
}

cublasStatus_t dot_ex(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const VectorOperand& y,
                      const Factor& result, bool conjugate, cudaDataType execution) {
    if (x.type != y.type || result.type != x.type || !computes_in(x.type, execution))
        return unserved("cublasDotEx", x, result, execution);
    return dot(handle, n, x, y, result, conjugate);
}

cublasStatus_t nrm2_ex(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const Factor& result,
                       cudaDataType execution) {
    if (!is_served(x, real_type(x.type), result, execution))
        return unserved("cublasNrm2Ex", x, result, execution);
    return nrm2(handle, n, x, result);
}

cublasStatus_t asum_ex(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const Factor& result,
                       cudaDataType execution) {
    if (!is_served(x, real_type(x.type), result, execution))
        return unserved("cublasAsumEx", x, result, execution);
    return asum(handle, n, x, result);
}

} // namespace heddle::blas
