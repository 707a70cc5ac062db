// Operations on vectors
#pragma once

#include <type_traits>

#include "kernels/rotations.h"
#include "operands.h"

namespace heddle::blas {

// y = alpha x + y
cublasStatus_t axpy(cublasHandle_t, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                    const VectorOperand& y);
// x = alpha x
cublasStatus_t scal(cublasHandle_t, std::int64_t n, const Factor& alpha, const VectorOperand& x);
cublasStatus_t copy(cublasHandle_t, std::int64_t n, const VectorOperand& x, const VectorOperand& y);
cublasStatus_t swap(cublasHandle_t, std::int64_t n, const VectorOperand& x, const VectorOperand& y);
// x = c x + s y, y = c y - conjugate(s) x
cublasStatus_t rot(cublasHandle_t, std::int64_t n, const VectorOperand& x, const VectorOperand& y, const Factor& c,
                   const Factor& s);
// A modified rotation; `numbers` has five: the form and four elements of its matrix
cublasStatus_t rotm(cublasHandle_t, std::int64_t n, const VectorOperand& x, const VectorOperand& y,
                    const Factor& numbers);

// Computes the rotation that turns (a, b) to (a, 0).
template <class T, class Sine, class Cosine>
cublasStatus_t rotg(cublasHandle_t handle, T* a, T* b, Cosine* c, Sine* s) {
    const bool valid = a != nullptr && b != nullptr && c != nullptr && s != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return launch(handle, Text::Vectors, "blas_rotg_" + name_of(TypeOf<T>::kType), {dim3(1), dim3(1)},
                      RotationParameters{a, b, c, s});
    if constexpr (std::is_same_v<T, Cosine>)
        make_rotation(*a, *b, *c, *s);
    else
        make_complex_rotation(*a, *b, *c, *s);
    return CUBLAS_STATUS_SUCCESS;
}

// Computes the modified rotation that turns (x, y), with weights d1 and d2, to (x, 0).
template <class T>
cublasStatus_t rotmg(cublasHandle_t handle, T* d1, T* d2, T* x, const T* y, T* numbers) {
    const bool valid = d1 != nullptr && d2 != nullptr && x != nullptr && y != nullptr && numbers != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return launch(handle, Text::Vectors, "blas_rotmg_" + name_of(TypeOf<T>::kType), {dim3(1), dim3(1)},
                      ModifiedRotationParameters{d1, d2, x, y, numbers});
    make_modified_rotation(*d1, *d2, *x, *y, numbers);
    return CUBLAS_STATUS_SUCCESS;
}

// The first two with types that the caller names
cublasStatus_t axpy_ex(cublasHandle_t, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                       const VectorOperand& y, cudaDataType execution);
cublasStatus_t scal_ex(cublasHandle_t, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                       cudaDataType execution);

// Whether numbers of a type may be computed with in another: in themselves, and of 16 bits in f32
[[nodiscard]] bool computes_in(cudaDataType type, cudaDataType execution);

} // namespace heddle::blas
