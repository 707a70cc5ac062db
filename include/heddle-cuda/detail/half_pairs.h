// Arithmetic and comparisons of __half2, half by half.
#pragma once

#include "half_compare.h"

#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_PAIR_2(name, single, instruction)                                                                  \
    HEDDLE_HALF __half2 name(__half2 a, __half2 b) {                                                                   \
        unsigned bits;                                                                                                 \
        asm(instruction " %0, %1, %2;" : "=r"(bits) : "r"(heddle_half::bits_of(a)), "r"(heddle_half::bits_of(b)));     \
        return heddle_half::pair_of(bits);                                                                             \
    }
#define HEDDLE_HALF_PAIR_3(name, single, instruction)                                                                  \
    HEDDLE_HALF __half2 name(__half2 a, __half2 b, __half2 c) {                                                        \
        unsigned bits;                                                                                                 \
        asm(instruction " %0, %1, %2, %3;"                                                                             \
            : "=r"(bits)                                                                                               \
            : "r"(heddle_half::bits_of(a)), "r"(heddle_half::bits_of(b)), "r"(heddle_half::bits_of(c)));               \
        return heddle_half::pair_of(bits);                                                                             \
    }
#else
#define HEDDLE_HALF_PAIR_2(name, single, instruction)                                                                  \
    HEDDLE_HALF __half2 name(__half2 a, __half2 b) {                                                                   \
        return {single(a.x, b.x), single(a.y, b.y)};                                                                   \
    }
#define HEDDLE_HALF_PAIR_3(name, single, instruction)                                                                  \
    HEDDLE_HALF __half2 name(__half2 a, __half2 b, __half2 c) {                                                        \
        return {single(a.x, b.x, c.x), single(a.y, b.y, c.y)};                                                         \
    }
#endif
HEDDLE_HALF_PAIR_2(__hadd2, __hadd, "add.f16x2")
HEDDLE_HALF_PAIR_2(__hsub2, __hsub, "sub.f16x2")
HEDDLE_HALF_PAIR_2(__hmul2, __hmul, "mul.f16x2")
HEDDLE_HALF_PAIR_2(__hadd2_rn, __hadd, "add.rn.f16x2")
HEDDLE_HALF_PAIR_2(__hsub2_rn, __hsub, "sub.rn.f16x2")
HEDDLE_HALF_PAIR_2(__hmul2_rn, __hmul, "mul.rn.f16x2")
HEDDLE_HALF_PAIR_2(__hadd2_sat, __hadd_sat, "add.sat.f16x2")
HEDDLE_HALF_PAIR_2(__hsub2_sat, __hsub_sat, "sub.sat.f16x2")
HEDDLE_HALF_PAIR_2(__hmul2_sat, __hmul_sat, "mul.sat.f16x2")
HEDDLE_HALF_PAIR_3(__hfma2, __hfma, "fma.rn.f16x2")
HEDDLE_HALF_PAIR_3(__hfma2_sat, __hfma_sat, "fma.rn.sat.f16x2")
#undef HEDDLE_HALF_PAIR_2
#undef HEDDLE_HALF_PAIR_3

HEDDLE_HALF __half2 __hneg2(__half2 a) {
    return {__hneg(a.x), __hneg(a.y)};
}
HEDDLE_HALF __half2 __habs2(__half2 a) {
    return {__habs(a.x), __habs(a.y)};
}
HEDDLE_HALF __half2 __h2div(__half2 a, __half2 b) {
    return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
HEDDLE_HALF __half2 __hmin2(__half2 a, __half2 b) {
    return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
HEDDLE_HALF __half2 __hmax2(__half2 a, __half2 b) {
    return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
HEDDLE_HALF __half2 __hmin2_nan(__half2 a, __half2 b) {
    return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)};
}
HEDDLE_HALF __half2 __hmax2_nan(__half2 a, __half2 b) {
    return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)};
}

// __h..2 gives 1.0 or 0.0 for each half, __h..2_mask all ones or none, __hb..2 whether both hold.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_SET(name, type, relation, a, b, host)                                                              \
    asm("set." relation "." type ".f16x2 %0, %1, %2;"                                                                  \
        : "=r"(name)                                                                                                   \
        : "r"(heddle_half::bits_of(a)), "r"(heddle_half::bits_of(b)))
#else
#define HEDDLE_HALF_SET(name, type, relation, a, b, host) name = (host)
#endif
#define HEDDLE_HALF_COMPARE_2(relation)                                                                                \
    HEDDLE_HALF unsigned __h##relation##2_mask(__half2 a, __half2 b) {                                                 \
        unsigned bits;                                                                                                 \
        HEDDLE_HALF_SET(bits, "u32", #relation, a, b,                                                                  \
                        (__h##relation(a.x, b.x) ? 0xffffu : 0u) | (__h##relation(a.y, b.y) ? 0xffff0000u : 0u));      \
        return bits;                                                                                                   \
    }                                                                                                                  \
    HEDDLE_HALF __half2 __h##relation##2(__half2 a, __half2 b) {                                                       \
        unsigned bits;                                                                                                 \
        HEDDLE_HALF_SET(bits, "f16x2", #relation, a, b, __h##relation##2_mask(a, b) & 0x3c003c00u);                    \
        return heddle_half::pair_of(bits);                                                                             \
    }                                                                                                                  \
    HEDDLE_HALF bool __hb##relation##2(__half2 a, __half2 b) {                                                         \
        return __h##relation##2_mask(a, b) == 0xffffffffu;                                                             \
    }
HEDDLE_HALF_COMPARE_2(eq)
HEDDLE_HALF_COMPARE_2(ne)
HEDDLE_HALF_COMPARE_2(lt)
HEDDLE_HALF_COMPARE_2(le)
HEDDLE_HALF_COMPARE_2(gt)
HEDDLE_HALF_COMPARE_2(ge)
HEDDLE_HALF_COMPARE_2(equ)
HEDDLE_HALF_COMPARE_2(neu)
HEDDLE_HALF_COMPARE_2(ltu)
HEDDLE_HALF_COMPARE_2(leu)
HEDDLE_HALF_COMPARE_2(gtu)
HEDDLE_HALF_COMPARE_2(geu)
#undef HEDDLE_HALF_COMPARE_2
#undef HEDDLE_HALF_SET

HEDDLE_HALF __half2 __hisnan2(__half2 a) {
    return __hneu2(a, a);
}

// --- operators ---
HEDDLE_HALF __half2 operator+(const __half2& a, const __half2& b) {
    return __hadd2(a, b);
}
HEDDLE_HALF __half2 operator-(const __half2& a, const __half2& b) {
    return __hsub2(a, b);
}
HEDDLE_HALF __half2 operator*(const __half2& a, const __half2& b) {
    return __hmul2(a, b);
}
HEDDLE_HALF __half2 operator/(const __half2& a, const __half2& b) {
    return __h2div(a, b);
}
HEDDLE_HALF __half2 operator+(const __half2& a) {
    return a;
}
HEDDLE_HALF __half2 operator-(const __half2& a) {
    return __hneg2(a);
}
HEDDLE_HALF __half2& operator+=(__half2& a, const __half2& b) {
    return a = a + b;
}
HEDDLE_HALF __half2& operator-=(__half2& a, const __half2& b) {
    return a = a - b;
}
HEDDLE_HALF __half2& operator*=(__half2& a, const __half2& b) {
    return a = a * b;
}
HEDDLE_HALF __half2& operator/=(__half2& a, const __half2& b) {
    return a = a / b;
}
HEDDLE_HALF __half2& operator++(__half2& a) {
    return a = a + heddle_half::pair_of(0x3c003c00u);
}
HEDDLE_HALF __half2& operator--(__half2& a) {
    return a = a - heddle_half::pair_of(0x3c003c00u);
}
HEDDLE_HALF __half2 operator++(__half2& a, int) {
    const __half2 before = a;
    ++a;
    return before;
}
HEDDLE_HALF __half2 operator--(__half2& a, int) {
    const __half2 before = a;
    --a;
    return before;
}
// Whether both halves compare so, also for !=.
HEDDLE_HALF bool operator==(const __half2& a, const __half2& b) {
    return __hbeq2(a, b);
}
HEDDLE_HALF bool operator!=(const __half2& a, const __half2& b) {
    return __hbneu2(a, b);
}
HEDDLE_HALF bool operator<(const __half2& a, const __half2& b) {
    return __hblt2(a, b);
}
HEDDLE_HALF bool operator<=(const __half2& a, const __half2& b) {
    return __hble2(a, b);
}
HEDDLE_HALF bool operator>(const __half2& a, const __half2& b) {
    return __hbgt2(a, b);
}
HEDDLE_HALF bool operator>=(const __half2& a, const __half2& b) {
    return __hbge2(a, b);
}
