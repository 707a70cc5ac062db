// Half precision: __half and __half2 with their operators and functions. On the device they are the f16 instructions of
// PTX; on the host they compute through float and double, rounded once.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "detail/half_arithmetic.h"
#include "detail/half_compare.h"
#include "detail/half_convert.h"
#include "detail/half_pairs.h"
#ifdef __CUDA__
#include "detail/half_device.h"
#endif

#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#endif
