// Products of matrices of complex numbers
#include "gemm.h"

HEDDLE_GEMM(blas_gemm_c32_c32_large, LargeComplex, false, float2, float2, float2)
HEDDLE_GEMM(blas_gemm_c32_c32_small, Small, false, float2, float2, float2)
HEDDLE_GEMM(blas_gemm_c64_c64_large, LargeComplex, false, double2, double2, double2)
HEDDLE_GEMM(blas_gemm_c64_c64_small, Small, false, double2, double2, double2)
