// cuBLAS as heddle's libcublas.so serves it: docs/cuda-libraries.md has a table. For C++. The library has all other names
// of cuBLAS too; they return CUBLAS_STATUS_NOT_SUPPORTED.
#pragma once

#define CUBLAS_API_H_ // programs test these names of NVIDIA's headers
#define CUBLAS_V2_H_

#include <stdint.h>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
// Algorithms have numbers; heddle has one for each product, whatever the number.
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
#define HEDDLE_BLAS_ALGORITHM(n) CUBLAS_GEMM_ALGO##n = n
    HEDDLE_BLAS_ALGORITHM(0),
    HEDDLE_BLAS_ALGORITHM(1),
    HEDDLE_BLAS_ALGORITHM(2),
    HEDDLE_BLAS_ALGORITHM(3),
    HEDDLE_BLAS_ALGORITHM(4),
    HEDDLE_BLAS_ALGORITHM(5),
    HEDDLE_BLAS_ALGORITHM(6),
    HEDDLE_BLAS_ALGORITHM(7),
    HEDDLE_BLAS_ALGORITHM(8),
    HEDDLE_BLAS_ALGORITHM(9),
    HEDDLE_BLAS_ALGORITHM(10),
    HEDDLE_BLAS_ALGORITHM(11),
    HEDDLE_BLAS_ALGORITHM(12),
    HEDDLE_BLAS_ALGORITHM(13),
    HEDDLE_BLAS_ALGORITHM(14),
    HEDDLE_BLAS_ALGORITHM(15),
    HEDDLE_BLAS_ALGORITHM(16),
    HEDDLE_BLAS_ALGORITHM(17),
    HEDDLE_BLAS_ALGORITHM(18),
    HEDDLE_BLAS_ALGORITHM(19),
    HEDDLE_BLAS_ALGORITHM(20),
    HEDDLE_BLAS_ALGORITHM(21),
    HEDDLE_BLAS_ALGORITHM(22),
    HEDDLE_BLAS_ALGORITHM(23),
#undef HEDDLE_BLAS_ALGORITHM
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
#define HEDDLE_BLAS_ALGORITHM(n) CUBLAS_GEMM_ALGO##n##_TENSOR_OP = 100 + n
    HEDDLE_BLAS_ALGORITHM(0),
    HEDDLE_BLAS_ALGORITHM(1),
    HEDDLE_BLAS_ALGORITHM(2),
    HEDDLE_BLAS_ALGORITHM(3),
    HEDDLE_BLAS_ALGORITHM(4),
    HEDDLE_BLAS_ALGORITHM(5),
    HEDDLE_BLAS_ALGORITHM(6),
    HEDDLE_BLAS_ALGORITHM(7),
    HEDDLE_BLAS_ALGORITHM(8),
    HEDDLE_BLAS_ALGORITHM(9),
    HEDDLE_BLAS_ALGORITHM(10),
    HEDDLE_BLAS_ALGORITHM(11),
    HEDDLE_BLAS_ALGORITHM(12),
    HEDDLE_BLAS_ALGORITHM(13),
    HEDDLE_BLAS_ALGORITHM(14),
    HEDDLE_BLAS_ALGORITHM(15)
#undef HEDDLE_BLAS_ALGORITHM
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef cudaDataType cublasDataType_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

struct cublasContext;
typedef struct cublasContext* cublasHandle_t;
typedef void (*cublasLogCallback)(const char* message);

extern "C" {

const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
size_t cublasGetCudartVersion(void);
void cublasXerbla(const char* function, int argument);

// The other functions, also those with 64-bit dimensions. A function with "_v2" has a name without it, too.
#define HEDDLE_BLAS_ONE(name, function, arguments, ...) cublasStatus_t cublas##name(__VA_ARGS__);
#define HEDDLE_BLAS_ONE_V2(name, function, arguments, ...)                                                             \
    cublasStatus_t cublas##name##_v2(__VA_ARGS__);                                                                     \
    cublasStatus_t cublas##name(__VA_ARGS__) __asm__("cublas" #name "_v2");
#include "detail/blas_helpers.def"
#undef HEDDLE_BLAS_ONE
#undef HEDDLE_BLAS_ONE_V2

#define HEDDLE_BLAS_INT int
#define HEDDLE_BLAS(name, function, arguments, ...) cublasStatus_t cublas##name(__VA_ARGS__);
#define HEDDLE_BLAS_V2(name, function, arguments, ...)                                                                 \
    cublasStatus_t cublas##name##_v2(__VA_ARGS__);                                                                     \
    cublasStatus_t cublas##name(__VA_ARGS__) __asm__("cublas" #name "_v2");
#include "detail/blas_functions.def"
#undef HEDDLE_BLAS_INT
#undef HEDDLE_BLAS
#undef HEDDLE_BLAS_V2

#define HEDDLE_BLAS_INT int64_t
#define HEDDLE_BLAS(name, function, arguments, ...) cublasStatus_t cublas##name##_64(__VA_ARGS__);
#define HEDDLE_BLAS_V2(name, function, arguments, ...)                                                                 \
    cublasStatus_t cublas##name##_v2_64(__VA_ARGS__);                                                                  \
    cublasStatus_t cublas##name##_64(__VA_ARGS__) __asm__("cublas" #name "_v2_64");
#include "detail/blas_functions.def"
#undef HEDDLE_BLAS_INT
#undef HEDDLE_BLAS
#undef HEDDLE_BLAS_V2

} // extern "C"

// Programs of before CUDA 11 give the compute type of a product as the type of a number.
static inline cublasComputeType_t heddle_blas_compute_type(cudaDataType type) {
    return type == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
           : type == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
           : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
                                                      : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* a, cudaDataType a_type,
                                          int lda, const void* b, cudaDataType b_type, int ldb, const void* beta,
                                          void* c, cudaDataType c_type, int ldc, cudaDataType compute_type,
                                          cublasGemmAlgo_t algorithm) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
                        heddle_blas_compute_type(compute_type), algorithm);
}
static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                                 const void* const* a, cudaDataType a_type, int lda,
                                                 const void* const* b, cudaDataType b_type, int ldb, const void* beta,
                                                 void* const* c, cudaDataType c_type, int ldc, int batches,
                                                 cudaDataType compute_type, cublasGemmAlgo_t algorithm) {
    return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type,
                               ldc, batches, heddle_blas_compute_type(compute_type), algorithm);
}
static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           int k, const void* alpha, const void* a, cudaDataType a_type, int lda, long long stride_a,
                           const void* b, cudaDataType b_type, int ldb, long long stride_b, const void* beta, void* c,
                           cudaDataType c_type, int ldc, long long stride_c, int batches, cudaDataType compute_type,
                           cublasGemmAlgo_t algorithm) {
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type, ldb,
                                      stride_b, beta, c, c_type, ldc, stride_c, batches,
                                      heddle_blas_compute_type(compute_type), algorithm);
}
