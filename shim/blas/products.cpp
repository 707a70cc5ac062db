#include "products.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::blas {

namespace {

struct Product {
    Text text;
    std::string kernel; // without the size of its tiles
    std::int64_t large; // rows and columns of a large tile
};

Product product_of(cudaDataType in, cudaDataType out) {
    const std::string kernel = "blas_gemm_" + name_of(in) + "_" + name_of(out);
    if (is_complex(in))
        return {Text::GemmComplex, kernel, 32};
    return {in == CUDA_R_32F || in == CUDA_R_64F ? Text::GemmReal : Text::GemmNarrow, kernel, 64};
}

constexpr std::int64_t kSmall = 16; // rows and columns of a small tile
constexpr unsigned kThreads = 256;

library::Shape shape_for(const GemmParameters& p, std::int64_t tile) {
    const std::int64_t tiles = blocks_for(p.m, tile) * blocks_for(p.n, tile);
    return {dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(std::min<std::int64_t>(p.batches, kMostBatches))),
            dim3(kThreads)};
}

bool is_empty(const GemmParameters& p) {
    return p.m == 0 || p.n == 0 || p.batches == 0;
}

// A product of general matrices. Small tiles are for what would leave most of a large one empty.
cublasStatus_t multiply(cublasHandle_t handle, const GemmParameters& p, cudaDataType in, cudaDataType out) {
    if (is_empty(p))
        return CUBLAS_STATUS_SUCCESS;
    const Product product = product_of(in, out);
    const bool large = p.m > product.large / 2 && p.n > product.large / 2;
    return launch(handle, product.text, product.kernel + (large ? "_large" : "_small"),
                  shape_for(p, large ? product.large : kSmall), p);
}

cublasStatus_t multiply_structured(cublasHandle_t handle, const GemmParameters& p, cudaDataType type) {
    if (is_empty(p))
        return CUBLAS_STATUS_SUCCESS;
    return launch(handle, Text::Structured, "blas_structured_" + name_of(type), shape_for(p, kSmall), p);
}

// Which types of a, b and c have a kernel; NVIDIA's table of supported types is a superset.
bool are_served(cudaDataType a, cudaDataType b, cudaDataType c) {
    if (a != b)
        return false;
    switch (a) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return c == a || c == CUDA_R_32F;
    case CUDA_R_8I:
        return c == CUDA_R_32I || c == CUDA_R_32F;
    case CUDA_R_32F:
    case CUDA_R_64F:
    case CUDA_C_32F:
    case CUDA_C_64F:
        return c == a;
    default:
        return false;
    }
}

// The type of the factors; of no served type where the compute type does not go with the types of the matrices.
cudaDataType factor_type(cublasComputeType_t compute, cudaDataType a, cudaDataType c) {
    constexpr cudaDataType kNone = CUDA_R_4I;
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return c == CUDA_R_16F ? CUDA_R_16F : kNone;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return c == CUDA_R_32I ? CUDA_R_32I : kNone;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return a == CUDA_R_64F || a == CUDA_C_64F ? a : kNone;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        return a == CUDA_R_64F || a == CUDA_C_64F || c == CUDA_R_32I ? kNone
               : a == CUDA_C_32F                                     ? CUDA_C_32F
                                                                     : CUDA_R_32F;
    default:
        return kNone;
    }
}

GemmParameters parameters(const Scalar& alpha, const Matrix& a, const Matrix& b, const Scalar& beta, const Matrix& c) {
    GemmParameters out{};
    out.alpha = alpha;
    out.beta = beta;
    out.a = a;
    out.b = b;
    out.c = c;
    out.batches = 1;
    return out;
}

// A copy of a matrix in the handle's memory
cublasStatus_t copy_matrix(cublasHandle_t handle, std::int64_t rows, std::int64_t columns, const MatrixOperand& a,
                           MatrixOperand& copy) {
    const auto bytes = static_cast<std::size_t>(bytes_of(a.type));
    const std::size_t row = static_cast<std::size_t>(rows) * bytes;
    void* const memory = memory_of(handle, row * static_cast<std::size_t>(columns));
    if (memory == nullptr)
        return CUBLAS_STATUS_ALLOC_FAILED;
    copy.data = memory;
    return status_of(library::Runtime::find()->copy_rows(
        memory, row, a.data, static_cast<std::size_t>(a.leading) * bytes, row, static_cast<std::size_t>(columns),
        cudaMemcpyDeviceToDevice, handle->stream));
}

bool operands_fit(cublasOperation_t of_a, cublasOperation_t of_b, std::int64_t m, std::int64_t n, std::int64_t k,
                  const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c) {
    return is_operation(of_a) && is_operation(of_b) && m >= 0 && n >= 0 && k >= 0 &&
           fits(a, of_a == CUBLAS_OP_N ? m : k) && fits(b, of_b == CUBLAS_OP_N ? k : n) && fits(c, m);
}

} // namespace

cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, std::int64_t m,
                    std::int64_t n, std::int64_t k, const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b,
                    const Factor& beta, const MatrixOperand& c, std::int64_t batches) {
    const bool valid =
        operands_fit(of_a, of_b, m, n, k, a, b, c) && batches >= 0 && alpha.data != nullptr && beta.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (!are_served(a.type, b.type, c.type))
        return not_supported(fmt::format("a product of matrices of the types {} and {} (cudaDataType) to type {}",
                                         static_cast<int>(a.type), static_cast<int>(b.type), static_cast<int>(c.type)));
    GemmParameters p = parameters(scalar_of(handle, alpha), matrix_of(a, of_a), matrix_of(b, of_b),
                                  scalar_of(handle, beta), matrix_of(c));
    p.m = m;
    p.n = n;
    p.k = k;
    p.batches = batches;
    return multiply(handle, p, a.type, c.type);
}

cublasStatus_t find_factor_type(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute,
                                cudaDataType& factor) {
    factor = factor_type(compute, a, c);
    if (are_served(a, b, c) && !name_of(factor).empty())
        return CUBLAS_STATUS_SUCCESS;
    return not_supported(
        fmt::format("a product of matrices of the types {} and {} (cudaDataType) to type {} with compute type {}",
                    static_cast<int>(a), static_cast<int>(b), static_cast<int>(c), static_cast<int>(compute)));
}

cublasStatus_t gemm_ex(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, std::int64_t m,
                       std::int64_t n, std::int64_t k, const void* alpha, const MatrixOperand& a,
                       const MatrixOperand& b, const void* beta, const MatrixOperand& c, std::int64_t batches,
                       cublasComputeType_t compute) {
    cudaDataType type{};
    const cublasStatus_t status = find_factor_type(a.type, b.type, c.type, compute, type);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : gemm(handle, of_a, of_b, m, n, k, factor(alpha, type), a, b, factor(beta, type), c, batches);
}

cublasStatus_t syrkx(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation, std::int64_t n,
                     std::int64_t k, const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b,
                     const Factor& beta, const MatrixOperand& c, bool hermitian) {
    const std::int64_t rows = operation == CUBLAS_OP_N ? n : k;
    const bool valid = is_fill(fill) && is_operation(operation) && n >= 0 && k >= 0 && fits(a, rows) && fits(b, rows) &&
                       fits(c, n) && alpha.data != nullptr && beta.data != nullptr &&
                       (!is_complex(a.type) || operation != (hermitian ? CUBLAS_OP_T : CUBLAS_OP_C));
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    GemmParameters p = parameters(scalar_of(handle, alpha), matrix_of(a, operation),
                                  transposed(matrix_of(b, operation)), scalar_of(handle, beta), matrix_of(c));
    p.b.conjugate ^= hermitian;
    p.m = p.n = n;
    p.k = k;
    p.part = part_of(fill);
    p.real_diagonal = hermitian;
    return multiply(handle, p, a.type, c.type);
}

cublasStatus_t syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation, std::int64_t n,
                    std::int64_t k, const Factor& alpha, const MatrixOperand& a, const Factor& beta,
                    const MatrixOperand& c, bool hermitian) {
    return syrkx(handle, fill, operation, n, k, alpha, a, a, beta, c, hermitian);
}

cublasStatus_t syr2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation, std::int64_t n,
                     std::int64_t k, const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b,
                     const Factor& beta, const MatrixOperand& c, bool hermitian) {
    const cublasStatus_t status = syrkx(handle, fill, operation, n, k, alpha, a, b, beta, c, hermitian);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    GemmParameters p = parameters(scalar_of(handle, alpha), matrix_of(b, operation),
                                  transposed(matrix_of(a, operation)), scalar_of(1), matrix_of(c));
    p.alpha.conjugate = hermitian;
    p.b.conjugate ^= hermitian;
    p.m = p.n = n;
    p.k = k;
    p.part = part_of(fill);
    p.real_diagonal = hermitian;
    return multiply(handle, p, a.type, c.type);
}

cublasStatus_t symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, std::int64_t m, std::int64_t n,
                    const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b, const Factor& beta,
                    const MatrixOperand& c, Structure structure) {
    const bool left = side == CUBLAS_SIDE_LEFT;
    const bool valid = (left || side == CUBLAS_SIDE_RIGHT) && is_fill(fill) && m >= 0 && n >= 0 &&
                       fits(a, left ? m : n) && fits(b, m) && fits(c, m) && alpha.data != nullptr &&
                       beta.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    const Matrix symmetric = structured(a, structure, fill), general = matrix_of(b);
    GemmParameters p = parameters(scalar_of(handle, alpha), left ? symmetric : general, left ? general : symmetric,
                                  scalar_of(handle, beta), matrix_of(c));
    p.m = m;
    p.n = n;
    p.k = left ? m : n;
    return multiply_structured(handle, p, a.type);
}

cublasStatus_t trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, std::int64_t m, std::int64_t n, const Factor& alpha,
                    const MatrixOperand& a, const MatrixOperand& b, const MatrixOperand& c) {
    const bool left = side == CUBLAS_SIDE_LEFT;
    const bool valid = (left || side == CUBLAS_SIDE_RIGHT) && is_fill(fill) && is_operation(operation) && m >= 0 &&
                       n >= 0 && fits(a, left ? m : n) && fits(b, m) && fits(c, m) && alpha.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
        return status;
    MatrixOperand from = b;
    if (b.data == c.data) { // in place: every element of c needs a whole row or column of the old one
        from.leading = m;
        if (const cublasStatus_t status = copy_matrix(handle, m, n, b, from); status != CUBLAS_STATUS_SUCCESS)
            return status;
    }
    const Matrix triangular = structured(a, kTriangular, fill, operation, diagonal), general = matrix_of(from);
    GemmParameters p = parameters(scalar_of(handle, alpha), left ? triangular : general, left ? general : triangular,
                                  scalar_of(0), matrix_of(c));
    p.m = m;
    p.n = n;
    p.k = left ? m : n;
    return multiply_structured(handle, p, a.type);
}

} // namespace heddle::blas
