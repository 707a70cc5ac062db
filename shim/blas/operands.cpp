#include "operands.h"

#include <utility>

namespace heddle::blas {

namespace {

struct Name {
    cudaDataType type;
    const char* name;
    std::int64_t bytes;
};
constexpr Name kNames[] = {{CUDA_R_32F, "f32", 4},  {CUDA_R_64F, "f64", 8}, {CUDA_C_32F, "c32", 8},
                           {CUDA_C_64F, "c64", 16}, {CUDA_R_16F, "f16", 2}, {CUDA_R_16BF, "bf16", 2},
                           {CUDA_R_8I, "i8", 1},    {CUDA_R_32I, "i32", 4}};

template <class T>
T read(const void* data) {
    return *static_cast<const T*>(data);
}

} // namespace

std::string name_of(cudaDataType type) {
    for (const Name& each : kNames)
        if (each.type == type)
            return each.name;
    return {};
}

std::int64_t bytes_of(cudaDataType type) {
    for (const Name& each : kNames)
        if (each.type == type)
            return each.bytes;
    return 0;
}

bool is_complex(cudaDataType type) {
    return type == CUDA_C_32F || type == CUDA_C_64F;
}

Scalar scalar_of(double value) {
    return {value, 0, nullptr, 0, 0, 0};
}

Scalar scalar_of(cublasHandle_t handle, const Factor& factor) {
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return {0, 0, factor.data, factor.type == CUDA_R_16F, !is_complex(factor.type), 0};
    switch (factor.type) {
    case CUDA_R_32F:
        return scalar_of(static_cast<double>(read<float>(factor.data)));
    case CUDA_R_64F:
        return scalar_of(read<double>(factor.data));
    case CUDA_R_16F:
        return scalar_of(static_cast<double>(static_cast<float>(read<__half>(factor.data))));
    case CUDA_R_32I:
        return scalar_of(read<int>(factor.data));
    case CUDA_C_32F: {
        const auto value = read<cuComplex>(factor.data);
        return {static_cast<double>(value.x), static_cast<double>(value.y), nullptr, 0, 0, 0};
    }
    default: {
        const auto value = read<cuDoubleComplex>(factor.data);
        return {value.x, value.y, nullptr, 0, 0, 0};
    }
    }
}

Matrix transposed(Matrix a) {
    std::swap(a.row, a.column);
    if (a.structure == kTriangular)
        a.lower = !a.lower;
    return a;
}

Matrix matrix_of(const MatrixOperand& a, cublasOperation_t operation) {
    Matrix out{};
    out.base = a.is_array ? nullptr : a.data;
    out.array = a.is_array ? static_cast<const void* const*>(a.data) : nullptr;
    out.batch_step = a.stride;
    out.row = 1;
    out.column = a.leading;
    out.conjugate = operation == CUBLAS_OP_C && is_complex(a.type);
    return operation == CUBLAS_OP_N ? out : transposed(out);
}

Matrix structured(const MatrixOperand& a, Structure structure, cublasFillMode_t fill, cublasOperation_t operation,
                  cublasDiagType_t diagonal) {
    Matrix out = matrix_of(a);
    out.structure = structure;
    out.lower = fill == CUBLAS_FILL_MODE_LOWER;
    out.unit = diagonal == CUBLAS_DIAG_UNIT;
    out.conjugate = operation == CUBLAS_OP_C && is_complex(a.type);
    return operation == CUBLAS_OP_N ? out : transposed(out);
}

// Where the step is negative, element 0 is the last in memory.
Vector vector_of(const VectorOperand& x, std::int64_t n) {
    Vector out{};
    out.base = x.is_array ? nullptr : x.data;
    out.array = x.is_array ? static_cast<const void* const*>(x.data) : nullptr;
    out.batch_step = x.stride;
    out.first = x.step < 0 ? (1 - n) * x.step : 0;
    out.step = x.step;
    return out;
}

Matrix column_of(const VectorOperand& x, std::int64_t n) {
    const Vector vector = vector_of(x, n);
    Matrix out{};
    out.base = static_cast<const char*>(x.data) + vector.first * bytes_of(x.type);
    out.row = x.step;
    return out;
}

cublasStatus_t check(cublasHandle_t handle, bool valid) {
    return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED
           : valid           ? CUBLAS_STATUS_SUCCESS
                             : CUBLAS_STATUS_INVALID_VALUE;
}

} // namespace heddle::blas
