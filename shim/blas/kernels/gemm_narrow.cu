// Products of matrices of f16 and bf16, summed in f32, and of bytes, summed in whole numbers of 32 bits
#include "gemm.h"

HEDDLE_GEMM(blas_gemm_f16_f16_large, Large, false, __half, __half, float)
HEDDLE_GEMM(blas_gemm_f16_f16_small, Small, false, __half, __half, float)
HEDDLE_GEMM(blas_gemm_f16_f32_large, Large, false, __half, float, float)
HEDDLE_GEMM(blas_gemm_f16_f32_small, Small, false, __half, float, float)
HEDDLE_GEMM(blas_gemm_bf16_bf16_large, Large, false, __nv_bfloat16, __nv_bfloat16, float)
HEDDLE_GEMM(blas_gemm_bf16_bf16_small, Small, false, __nv_bfloat16, __nv_bfloat16, float)
HEDDLE_GEMM(blas_gemm_bf16_f32_large, Large, false, __nv_bfloat16, float, float)
HEDDLE_GEMM(blas_gemm_bf16_f32_small, Small, false, __nv_bfloat16, float, float)
HEDDLE_GEMM(blas_gemm_i8_i32_large, Large, false, signed char, int, int)
HEDDLE_GEMM(blas_gemm_i8_i32_small, Small, false, signed char, int, int)
HEDDLE_GEMM(blas_gemm_i8_f32_large, Large, false, signed char, float, float)
HEDDLE_GEMM(blas_gemm_i8_f32_small, Small, false, signed char, float, float)
