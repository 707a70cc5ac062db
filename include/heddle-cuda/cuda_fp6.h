// Floating-point formats of six bits: __nv_fp6_e2m3 and __nv_fp6_e3m2, two and four of them, and their conversions. A
// number takes a byte. All of their codes are numbers: what is beyond the largest one becomes that, a NaN the positive
// one. On the device conversions of numbers of 32 bits and less to the nearest are the instructions of PTX, also for
// targets older than these.
#pragma once
#pragma GCC system_header

#define __CUDA_FP6_H__ // programs test this name of NVIDIA's header

#include "cuda_fp8.h"

#ifdef __cplusplus
#define __CUDA_FP6_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#include "detail/fp6_convert.h"

HEDDLE_SMALL_TYPE(__nv_fp6_e2m3, One, heddle_small::Of_fp6<__NV_E2M3>);
HEDDLE_SMALL_TYPE(__nv_fp6_e3m2, One, heddle_small::Of_fp6<__NV_E3M2>);
HEDDLE_SMALL_TYPE(__nv_fp6x2_e2m3, Two, heddle_small::Of_fp6<__NV_E2M3>);
HEDDLE_SMALL_TYPE(__nv_fp6x2_e3m2, Two, heddle_small::Of_fp6<__NV_E3M2>);
HEDDLE_SMALL_TYPE(__nv_fp6x4_e2m3, Four, heddle_small::Of_fp6<__NV_E2M3>);
HEDDLE_SMALL_TYPE(__nv_fp6x4_e3m2, Four, heddle_small::Of_fp6<__NV_E3M2>);
#endif
