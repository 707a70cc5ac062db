// The floating-point format of four bits: __nv_fp4_e2m1, two and four of them, and their conversions, as cuda_fp6.h has
// those of six bits. Two numbers take a byte.
#pragma once
#pragma GCC system_header

#define __CUDA_FP4_H__ // programs test this name of NVIDIA's header

#include "cuda_fp6.h" // programs expect it to come along

#ifdef __cplusplus
#define __CUDA_FP4_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#include "detail/fp4_convert.h"

HEDDLE_SMALL_TYPE(__nv_fp4_e2m1, One, heddle_small::Of_fp4<__NV_E2M1>);
HEDDLE_SMALL_TYPE(__nv_fp4x2_e2m1, Two, heddle_small::Of_fp4<__NV_E2M1>);
HEDDLE_SMALL_TYPE(__nv_fp4x4_e2m1, Four, heddle_small::Of_fp4<__NV_E2M1>);
#endif
