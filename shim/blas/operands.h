// Operands of cuBLAS as its functions get them, with the type of their numbers, and as the kernels take them.
#pragma once

#include <cstdint>
#include <string>

#include "handle.h"
#include "kernels/parameters.h"

namespace heddle::blas {

template <class T>
struct TypeOf;
template <>
struct TypeOf<float> {
    static constexpr cudaDataType kType = CUDA_R_32F;
};
template <>
struct TypeOf<double> {
    static constexpr cudaDataType kType = CUDA_R_64F;
};
template <>
struct TypeOf<cuComplex> {
    static constexpr cudaDataType kType = CUDA_C_32F;
};
template <>
struct TypeOf<cuDoubleComplex> {
    static constexpr cudaDataType kType = CUDA_C_64F;
};
template <>
struct TypeOf<__half> {
    static constexpr cudaDataType kType = CUDA_R_16F;
};
template <>
struct TypeOf<__nv_bfloat16> {
    static constexpr cudaDataType kType = CUDA_R_16BF;
};

// A number that a pointer gives: a factor, or where a result goes
struct Factor {
    const void* data;
    cudaDataType type;
};
template <class T>
Factor factor(const T* data) {
    return {data, TypeOf<T>::kType};
}
inline Factor factor(const void* data, cudaDataType type) {
    return {data, type};
}

struct MatrixOperand {
    const void* data;
    cudaDataType type;
    std::int64_t leading; // the distance of columns
    std::int64_t stride;  // the distance of matrices of a batch
    bool is_array;        // `data` points to pointers
};
template <class T>
MatrixOperand matrix(const T* data, std::int64_t leading, std::int64_t stride = 0) {
    return {data, TypeOf<T>::kType, leading, stride, false};
}
inline MatrixOperand matrix(const void* data, cudaDataType type, std::int64_t leading, std::int64_t stride = 0) {
    return {data, type, leading, stride, false};
}
template <class T>
MatrixOperand matrices(const T* const* data, std::int64_t leading) {
    return {data, TypeOf<T>::kType, leading, 0, true};
}
inline MatrixOperand matrices(const void* const* data, cudaDataType type, std::int64_t leading) {
    return {data, type, leading, 0, true};
}

struct VectorOperand {
    const void* data;
    cudaDataType type;
    std::int64_t step;
    std::int64_t stride;
    bool is_array;
};
template <class T>
VectorOperand vector(const T* data, std::int64_t step, std::int64_t stride = 0) {
    return {data, TypeOf<T>::kType, step, stride, false};
}
inline VectorOperand vector(const void* data, cudaDataType type, std::int64_t step) {
    return {data, type, step, 0, false};
}
template <class T>
VectorOperand vectors(const T* const* data, std::int64_t step) {
    return {data, TypeOf<T>::kType, step, 0, true};
}

// "f32", "c64" and so on, as names of kernels have it; empty for types that no kernel has
[[nodiscard]] std::string name_of(cudaDataType);
[[nodiscard]] std::int64_t bytes_of(cudaDataType); // of types that kernels have
[[nodiscard]] bool is_complex(cudaDataType);

// The factor for a kernel, by the handle's pointer mode
[[nodiscard]] Scalar scalar_of(cublasHandle_t, const Factor&);
[[nodiscard]] Scalar scalar_of(double);

// The matrix, or the transposed or conjugated one
[[nodiscard]] Matrix matrix_of(const MatrixOperand&, cublasOperation_t = CUBLAS_OP_N);
// One of which a triangle is stored
[[nodiscard]] Matrix structured(const MatrixOperand&, Structure, cublasFillMode_t, cublasOperation_t = CUBLAS_OP_N,
                                cublasDiagType_t = CUBLAS_DIAG_NON_UNIT);
[[nodiscard]] Matrix transposed(Matrix);
[[nodiscard]] Vector vector_of(const VectorOperand&, std::int64_t n);
[[nodiscard]] Matrix column_of(const VectorOperand&, std::int64_t n); // a vector as a matrix of one column

[[nodiscard]] constexpr bool is_operation(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}
[[nodiscard]] constexpr bool is_fill(cublasFillMode_t fill) {
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
// The triangle that is stored
[[nodiscard]] constexpr Part part_of(cublasFillMode_t fill) {
    return fill == CUBLAS_FILL_MODE_LOWER ? kLower : kUpper;
}
// Whether a matrix of so many rows can have such a distance of columns
[[nodiscard]] constexpr bool fits(const MatrixOperand& a, std::int64_t rows) {
    return a.leading >= rows && a.leading >= 1;
}

// The status of a call before it does anything: without a handle, or with parameters that are not valid
[[nodiscard]] cublasStatus_t check(cublasHandle_t, bool valid);

inline constexpr std::int64_t kMostBatches = 65535; // in one dimension of a grid; kernels repeat for the others

[[nodiscard]] constexpr std::int64_t blocks_for(std::int64_t elements, std::int64_t of_a_block) {
    return (elements + of_a_block - 1) / of_a_block;
}

} // namespace heddle::blas
