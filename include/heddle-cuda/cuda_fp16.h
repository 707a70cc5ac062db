// Half precision: __half and __half2 with their operators and functions. On the device they are the f16 instructions of
// PTX; on the host they compute through float and double, rounded once.
#pragma once
#pragma GCC system_header

#define __CUDA_FP16_H__ // programs test this name of NVIDIA's header

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "detail/half_format.h"

#define HEDDLE_T __half
#define HEDDLE_T2 __half2
#define HEDDLE_RAW __half_raw
#define HEDDLE_RAW2 __half2_raw
#define HEDDLE_FORMAT heddle_half::Half
#define HEDDLE_T_PTX "f16"
#define HEDDLE_T_HAS_SAT 1
#define HEDDLE_T_NAME(before, after) before##half##after
#define HEDDLE_T_TWICE __half2half2
#include "detail/half_all.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#endif
