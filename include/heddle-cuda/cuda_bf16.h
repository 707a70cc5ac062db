// bfloat16: __nv_bfloat16 and __nv_bfloat162 with their operators and functions, as cuda_fp16.h has half precision. The
// device uses the bf16 instructions of PTX, also those that were made for devices newer than the program's target.
#pragma once
#pragma GCC system_header

#define __CUDA_BF16_H__ // programs test this name of NVIDIA's header

#include "cuda_fp16.h" // programs expect it to come along
#include "cuda_runtime.h"

#ifdef __cplusplus
#include "detail/half_format.h"

#define HEDDLE_T __nv_bfloat16
#define HEDDLE_T2 __nv_bfloat162
#define HEDDLE_RAW __nv_bfloat16_raw
#define HEDDLE_RAW2 __nv_bfloat162_raw
#define HEDDLE_FORMAT heddle_half::Bfloat16
#define HEDDLE_T_PTX "bf16"
#define HEDDLE_T_HAS_SAT 0
#define HEDDLE_T_NAME(before, after) before##bfloat16##after
#define HEDDLE_T_TWICE __bfloat162bfloat162
#include "detail/half_all.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#endif
