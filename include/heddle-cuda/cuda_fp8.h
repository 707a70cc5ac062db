// Floating-point formats of eight bits: __nv_fp8_e4m3 and __nv_fp8_e5m2, two and four of them, and their conversions.
// Conversions to them round to the nearest, those of the types saturate. On the device saturating conversions of
// numbers of 32 bits and less are the instructions of PTX, also for targets older than these.
#pragma once
#pragma GCC system_header

#define __CUDA_FP8_H__ // programs test this name of NVIDIA's header

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#ifdef __cplusplus
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#include "detail/fp8_convert.h"
#include "detail/fp8_types.h"
#endif
