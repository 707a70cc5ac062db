// Functions of the format's numbers and pairs that only the device has: mathematics, warps, atomics.
// --- mathematics: in f32 and rounded, which is good to a little more than half a last place ---
#define HEDDLE_HALF_MATH(name, expression)                                                                             \
    HEDDLE_CUDA_DEVICE HEDDLE_T h##name(HEDDLE_T a) {                                                                  \
        const float x = a;                                                                                             \
        return HEDDLE_T(expression);                                                                                   \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE HEDDLE_T2 h2##name(HEDDLE_T2 a) {                                                               \
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
    HEDDLE_CUDA_DEVICE HEDDLE_T h##name(HEDDLE_T a) {                                                                  \
        unsigned short bits;                                                                                           \
        asm(instruction "." HEDDLE_T_PTX " %0, %1;" : "=h"(bits) : "h"(heddle_half::bits_of(a)));                      \
        return HEDDLE_RAW{bits};                                                                                       \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE HEDDLE_T2 h2##name(HEDDLE_T2 a) {                                                               \
        return {h##name(a.x), h##name(a.y)};                                                                           \
    }
HEDDLE_HALF_INSTRUCTION(floor, "cvt.rmi." HEDDLE_T_PTX)
HEDDLE_HALF_INSTRUCTION(ceil, "cvt.rpi." HEDDLE_T_PTX)
HEDDLE_HALF_INSTRUCTION(trunc, "cvt.rzi." HEDDLE_T_PTX)
HEDDLE_HALF_INSTRUCTION(rint, "cvt.rni." HEDDLE_T_PTX)
HEDDLE_HALF_INSTRUCTION(tanh_approx, "tanh.approx")
#undef HEDDLE_HALF_INSTRUCTION

// --- warps: a half goes as the lower part of a word ---
#define HEDDLE_HALF_SHUFFLE(name, Third)                                                                               \
    HEDDLE_CUDA_DEVICE HEDDLE_T2 name(unsigned mask, HEDDLE_T2 value, Third third, int width = 32) {                   \
        return heddle_half::pair_of<HEDDLE_RAW2>(name(mask, heddle_half::bits_of(value), third, width));               \
    }                                                                                                                  \
    HEDDLE_CUDA_DEVICE HEDDLE_T name(unsigned mask, HEDDLE_T value, Third third, int width = 32) {                     \
        const unsigned bits = heddle_half::bits_of(value);                                                             \
        return HEDDLE_RAW{static_cast<unsigned short>(name(mask, bits, third, width))};                                \
    }
HEDDLE_HALF_SHUFFLE(__shfl_sync, int)
HEDDLE_HALF_SHUFFLE(__shfl_up_sync, unsigned)
HEDDLE_HALF_SHUFFLE(__shfl_down_sync, unsigned)
HEDDLE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef HEDDLE_HALF_SHUFFLE

// --- memory ---
HEDDLE_CUDA_DEVICE HEDDLE_T __ldg(const HEDDLE_T* p) {
    return HEDDLE_RAW{__ldg(reinterpret_cast<const unsigned short*>(p))};
}
HEDDLE_CUDA_DEVICE HEDDLE_T2 __ldg(const HEDDLE_T2* p) {
    return heddle_half::pair_of<HEDDLE_RAW2>(__ldg(reinterpret_cast<const unsigned*>(p)));
}
HEDDLE_CUDA_DEVICE HEDDLE_T atomicAdd(HEDDLE_T* p, HEDDLE_T value) {
    unsigned short before;
    asm volatile("atom.add.noftz." HEDDLE_T_PTX " %0, [%1], %2;"
                 : "=h"(before)
                 : "l"(p), "h"(heddle_half::bits_of(value))
                 : "memory");
    return HEDDLE_RAW{before};
}
HEDDLE_CUDA_DEVICE HEDDLE_T2 atomicAdd(HEDDLE_T2* p, HEDDLE_T2 value) { // of each half by itself
    unsigned before;
    asm volatile("atom.add.noftz." HEDDLE_T_PTX "x2 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(p), "r"(heddle_half::bits_of(value))
                 : "memory");
    return heddle_half::pair_of<HEDDLE_RAW2>(before);
}
