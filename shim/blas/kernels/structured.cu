// Products in which a or b is symmetric, Hermitian or triangular: one triangle of it is stored.
#include "gemm.h"

HEDDLE_GEMM(blas_structured_f32, Small, true, float, float, float)
HEDDLE_GEMM(blas_structured_f64, Small, true, double, double, double)
HEDDLE_GEMM(blas_structured_c32, Small, true, float2, float2, float2)
HEDDLE_GEMM(blas_structured_c64, Small, true, double2, double2, double2)
