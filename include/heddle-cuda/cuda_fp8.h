// Floating-point formats of eight bits: __nv_fp8_e4m3 and __nv_fp8_e5m2, the scale factors __nv_fp8_e8m0, two and four
// of them, and their conversions. Those to them round to the nearest, those to scale factors toward zero or up; those
// of the types saturate. On the device conversions of numbers of 32 bits and less that saturate, or to scale factors,
// are the instructions of PTX, also for targets older than these.
#pragma once
#pragma GCC system_header

#define __CUDA_FP8_H__ // programs test this name of NVIDIA's header

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"

#ifdef __cplusplus
#define __CUDA_FP8_TYPES_EXIST__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// clang-format off
#include "detail/fp8_convert.h"
#include "detail/e8m0_convert.h"
#include "detail/small_types.h"
// clang-format on

HEDDLE_SMALL_TYPE(__nv_fp8_e4m3, One, heddle_small::Of_fp8<__NV_E4M3>);
HEDDLE_SMALL_TYPE(__nv_fp8_e5m2, One, heddle_small::Of_fp8<__NV_E5M2>);
HEDDLE_SMALL_TYPE(__nv_fp8_e8m0, One, heddle_small::Of_e8m0);
HEDDLE_SMALL_TYPE(__nv_fp8x2_e4m3, Two, heddle_small::Of_fp8<__NV_E4M3>);
HEDDLE_SMALL_TYPE(__nv_fp8x2_e5m2, Two, heddle_small::Of_fp8<__NV_E5M2>);
struct __nv_fp8x2_e8m0 : heddle_small::Two<heddle_small::Of_e8m0> {
    __nv_fp8x2_e8m0() = default;
    using heddle_small::Two<heddle_small::Of_e8m0>::Two;
    explicit HEDDLE_CUDA_BOTH __forceinline__ operator __nv_bfloat162() const {
        return heddle_small::Of_e8m0::wider_two(__x);
    }
};
HEDDLE_SMALL_TYPE(__nv_fp8x4_e4m3, Four, heddle_small::Of_fp8<__NV_E4M3>);
HEDDLE_SMALL_TYPE(__nv_fp8x4_e5m2, Four, heddle_small::Of_fp8<__NV_E5M2>);
HEDDLE_SMALL_TYPE(__nv_fp8x4_e8m0, Four, heddle_small::Of_e8m0);
#endif
