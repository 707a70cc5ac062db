// Arithmetic of pairs of float, which CUDA has for compute capability 10.0 and newer (CUDA Math API, "Single Precision
// Intrinsics"): one instruction of .f32x2 each.
#pragma once

#include "intrinsics.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000

#define HEDDLE_CUDA_PAIRS(mode, ptx)                                                                                   \
    HEDDLE_CUDA_DEVICE float2 __ffma2_##mode(float2 a, float2 b, float2 c) {                                           \
        unsigned long long r;                                                                                          \
        asm("fma." #ptx ".f32x2 %0, %1, %2, %3;"                                                                       \
            : "=l"(r)                                                                                                  \
            : "l"(__builtin_bit_cast(unsigned long long, a)), "l"(__builtin_bit_cast(unsigned long long, b)),          \
              "l"(__builtin_bit_cast(unsigned long long, c)));                                                         \
        return __builtin_bit_cast(float2, r);                                                                          \
    }                                                                                                                  \
    HEDDLE_CUDA_PAIRS_OF_TWO(__fadd2_##mode, "add." #ptx)                                                              \
    HEDDLE_CUDA_PAIRS_OF_TWO(__fmul2_##mode, "mul." #ptx)
#define HEDDLE_CUDA_PAIRS_OF_TWO(name, instruction)                                                                    \
    HEDDLE_CUDA_DEVICE float2 name(float2 a, float2 b) {                                                               \
        unsigned long long r;                                                                                          \
        asm(instruction ".f32x2 %0, %1, %2;"                                                                           \
            : "=l"(r)                                                                                                  \
            : "l"(__builtin_bit_cast(unsigned long long, a)), "l"(__builtin_bit_cast(unsigned long long, b)));         \
        return __builtin_bit_cast(float2, r);                                                                          \
    }
HEDDLE_CUDA_PAIRS(rn, rn)
HEDDLE_CUDA_PAIRS(rz, rz)
HEDDLE_CUDA_PAIRS(rd, rm)
HEDDLE_CUDA_PAIRS(ru, rp)
#undef HEDDLE_CUDA_PAIRS
#undef HEDDLE_CUDA_PAIRS_OF_TWO

#endif
