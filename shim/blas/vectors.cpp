#include "vectors.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::blas {

namespace {

cublasStatus_t launch_over(cublasHandle_t handle, const std::string& kernel, const VectorParameters& p) {
    constexpr std::int64_t kThreads = 256, kMostBlocks = 1024;
    return launch(handle, Text::Vectors, "blas_" + kernel,
                  {dim3(static_cast<unsigned>(std::min(blocks_for(p.n, kThreads), kMostBlocks))), dim3(kThreads)}, p);
}

VectorParameters parameters(std::int64_t n, const VectorOperand& x, const VectorOperand& y) {
    VectorParameters out{};
    out.n = n;
    out.x = vector_of(x, n);
    out.y = vector_of(y, n);
    return out;
}

// Whether a function has anything to do
bool has_work(std::int64_t n, cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS && n > 0;
}

cublasStatus_t move(cublasHandle_t handle, const char* what, std::int64_t n, const VectorOperand& x,
                    const VectorOperand& y) {
    const cublasStatus_t status = check(handle, true);
    if (!has_work(n, status))
        return status;
    if (x.type != y.type || bytes_of(x.type) < 2)
        return not_supported(fmt::format("{} of vectors of the types {} and {} (cudaDataType)", what,
                                         static_cast<int>(x.type), static_cast<int>(y.type)));
    return launch_over(handle, fmt::format("{}_{}_bytes", what, bytes_of(x.type)), parameters(n, x, y));
}

} // namespace

cublasStatus_t axpy(cublasHandle_t handle, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                    const VectorOperand& y) {
    const cublasStatus_t status = check(handle, alpha.data != nullptr);
    if (!has_work(n, status))
        return status;
    VectorParameters p = parameters(n, x, y);
    p.alpha = scalar_of(handle, alpha);
    return launch_over(handle, "axpy_" + name_of(x.type), p);
}

cublasStatus_t scal(cublasHandle_t handle, std::int64_t n, const Factor& alpha, const VectorOperand& x) {
    const cublasStatus_t status = check(handle, alpha.data != nullptr);
    if (!has_work(n, status) || x.step <= 0)
        return status;
    VectorParameters p = parameters(n, x, x);
    p.alpha = scalar_of(handle, alpha);
    const cudaDataType type = alpha.type == CUDA_R_16F ? CUDA_R_32F : alpha.type;
    return launch_over(handle, "scal_" + name_of(x.type) + "_" + name_of(type), p);
}

cublasStatus_t copy(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const VectorOperand& y) {
    return move(handle, "copy", n, x, y);
}

cublasStatus_t swap(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const VectorOperand& y) {
    return move(handle, "swap", n, x, y);
}

cublasStatus_t rot(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const VectorOperand& y,
                   const Factor& c, const Factor& s) {
    const cublasStatus_t status = check(handle, c.data != nullptr && s.data != nullptr);
    if (!has_work(n, status))
        return status;
    VectorParameters p = parameters(n, x, y);
    p.alpha = scalar_of(handle, c);
    p.sine = scalar_of(handle, s);
    return launch_over(handle, "rot_" + name_of(x.type) + "_" + name_of(s.type), p);
}

cublasStatus_t rotm(cublasHandle_t handle, std::int64_t n, const VectorOperand& x, const VectorOperand& y,
                    const Factor& numbers) {
    const cublasStatus_t status = check(handle, numbers.data != nullptr);
    if (!has_work(n, status))
        return status;
    VectorParameters p = parameters(n, x, y);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        p.numbers = numbers.data;
    else if (numbers.type == CUDA_R_32F)
        std::copy_n(static_cast<const float*>(numbers.data), std::size(p.values), p.values);
    else
        std::copy_n(static_cast<const double*>(numbers.data), std::size(p.values), p.values);
    return launch_over(handle, "rotm_" + name_of(x.type), p);
}

bool computes_in(cudaDataType type, cudaDataType execution) {
    const bool is_narrow = type == CUDA_R_16F || type == CUDA_R_16BF;
    return is_narrow ? execution == CUDA_R_32F : bytes_of(type) >= 4 && type != CUDA_R_32I && execution == type;
}

cublasStatus_t axpy_ex(cublasHandle_t handle, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                       const VectorOperand& y, cudaDataType execution) {
    if (x.type != y.type || !computes_in(x.type, execution) ||
        (alpha.type != execution && !(x.type == CUDA_R_16F && alpha.type == CUDA_R_16F)))
        return not_supported(fmt::format("cublasAxpyEx with the types {}, {} and {} (cudaDataType) in {}",
                                         static_cast<int>(alpha.type), static_cast<int>(x.type),
                                         static_cast<int>(y.type), static_cast<int>(execution)));
    return axpy(handle, n, alpha, x, y);
}

cublasStatus_t scal_ex(cublasHandle_t handle, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                       cudaDataType execution) {
    if (!computes_in(x.type, execution) ||
        (alpha.type != execution && !(x.type == CUDA_R_16F && alpha.type == CUDA_R_16F)))
        return not_supported(fmt::format("cublasScalEx with the types {} and {} (cudaDataType) in {}",
                                         static_cast<int>(alpha.type), static_cast<int>(x.type),
                                         static_cast<int>(execution)));
    return scal(handle, n, alpha, x);
}

} // namespace heddle::blas
