// Functions of __half and __half2 that only the device has: mathematics, warps, atomics.
#pragma once

#include "half_pairs.h"

// --- mathematics: in f32 and rounded, which is good to a little more than half a last place ---
#define HEDDLE_HALF_MATH(name, expression)                                                                             \
    HEDDLE_CUDA_DEVICE __half h##name(__half a) {                                                                      \
        const float x = __half2float(a);                                                                               \
        return __float2half_rn(expression);                                                                            \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE __half2 h2##name(__half2 a) {                                                                   \
        return {h##name(a.x), h##name(a.y)};                                                                           \
    }
HEDDLE_HALF_MATH(sqrt, __fsqrt_rn(x))
HEDDLE_HALF_MATH(rsqrt, rsqrtf(x))
HEDDLE_HALF_MATH(rcp, __frcp_rn(x))
HEDDLE_HALF_MATH(exp, expf(x))
HEDDLE_HALF_MATH(exp2, exp2f(x))
HEDDLE_HALF_MATH(exp10, exp10f(x))
HEDDLE_HALF_MATH(log, logf(x))
HEDDLE_HALF_MATH(log2, log2f(x))
HEDDLE_HALF_MATH(log10, log10f(x))
HEDDLE_HALF_MATH(sin, sinf(x))
HEDDLE_HALF_MATH(cos, cosf(x))
HEDDLE_HALF_MATH(tanh, tanhf(x))
#undef HEDDLE_HALF_MATH

#define HEDDLE_HALF_INSTRUCTION(name, instruction)                                                                     \
    HEDDLE_CUDA_DEVICE __half h##name(__half a) {                                                                      \
        unsigned short bits;                                                                                           \
        asm(instruction " %0, %1;" : "=h"(bits) : "h"(__half_as_ushort(a)));                                           \
        return __ushort_as_half(bits);                                                                                 \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE __half2 h2##name(__half2 a) {                                                                   \
        return {h##name(a.x), h##name(a.y)};                                                                           \
    }
HEDDLE_HALF_INSTRUCTION(floor, "cvt.rmi.f16.f16")
HEDDLE_HALF_INSTRUCTION(ceil, "cvt.rpi.f16.f16")
HEDDLE_HALF_INSTRUCTION(trunc, "cvt.rzi.f16.f16")
HEDDLE_HALF_INSTRUCTION(rint, "cvt.rni.f16.f16")
HEDDLE_HALF_INSTRUCTION(tanh_approx, "tanh.approx.f16")
#undef HEDDLE_HALF_INSTRUCTION

// --- warps: a half goes as the lower part of a word ---
#define HEDDLE_HALF_SHUFFLE(name, Third)                                                                               \
    HEDDLE_CUDA_DEVICE __half2 name(unsigned mask, __half2 value, Third third, int width = 32) {                       \
        return heddle_half::pair_of(name(mask, heddle_half::bits_of(value), third, width));                            \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE __half name(unsigned mask, __half value, Third third, int width = 32) {                         \
        const unsigned bits = __half_as_ushort(value);                                                                 \
        return __ushort_as_half(static_cast<unsigned short>(name(mask, bits, third, width)));                          \
    }
HEDDLE_HALF_SHUFFLE(__shfl_sync, int)
HEDDLE_HALF_SHUFFLE(__shfl_up_sync, unsigned)
HEDDLE_HALF_SHUFFLE(__shfl_down_sync, unsigned)
HEDDLE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef HEDDLE_HALF_SHUFFLE

// --- memory ---
HEDDLE_CUDA_DEVICE __half __ldg(const __half* p) {
    return __ushort_as_half(__ldg(reinterpret_cast<const unsigned short*>(p)));
}
HEDDLE_CUDA_DEVICE __half2 __ldg(const __half2* p) {
    return heddle_half::pair_of(__ldg(reinterpret_cast<const unsigned*>(p)));
}
HEDDLE_CUDA_DEVICE __half atomicAdd(__half* p, __half value) {
    unsigned short before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(before) : "l"(p), "h"(__half_as_ushort(value)) : "memory");
    return __ushort_as_half(before);
}
HEDDLE_CUDA_DEVICE __half2 atomicAdd(__half2* p, __half2 value) { // of each half by itself
    unsigned before;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(p), "r"(heddle_half::bits_of(value))
                 : "memory");
    return heddle_half::pair_of(before);
}
