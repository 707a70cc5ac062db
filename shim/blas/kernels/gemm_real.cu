// Products of matrices of f32 and f64
#include "gemm.h"

HEDDLE_GEMM(blas_gemm_f32_f32_large, Large, false, float, float, float)
HEDDLE_GEMM(blas_gemm_f32_f32_small, Small, false, float, float, float)
HEDDLE_GEMM(blas_gemm_f64_f64_large, Large, false, double, double, double)
HEDDLE_GEMM(blas_gemm_f64_f64_small, Small, false, double, double, double)
