// Comparisons, minima and maxima of __half.
#pragma once

#include "half_arithmetic.h"

// `relation` is the instruction's; with the suffix u it holds for NaNs.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_COMPARE(name, relation, host)                                                                      \
    HEDDLE_HALF bool name(__half a, __half b) {                                                                        \
        unsigned holds;                                                                                                \
        asm("{ .reg .pred p; setp." relation ".f16 p, %1, %2; selp.u32 %0, 1, 0, p; }"                                 \
            : "=r"(holds)                                                                                              \
            : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)));                                                     \
        return holds != 0;                                                                                             \
    }
#else
#define HEDDLE_HALF_COMPARE(name, relation, host)                                                                      \
    HEDDLE_HALF bool name(__half a, __half b) {                                                                        \
        const float x = __half2float(a), y = __half2float(b);                                                          \
        return host;                                                                                                   \
    }
#endif
HEDDLE_HALF_COMPARE(__heq, "eq", x == y)
HEDDLE_HALF_COMPARE(__hne, "ne", x<y || x> y)
HEDDLE_HALF_COMPARE(__hlt, "lt", x < y)
HEDDLE_HALF_COMPARE(__hle, "le", x <= y)
HEDDLE_HALF_COMPARE(__hgt, "gt", x > y)
HEDDLE_HALF_COMPARE(__hge, "ge", x >= y)
HEDDLE_HALF_COMPARE(__hequ, "equ", !(x < y || x > y))
HEDDLE_HALF_COMPARE(__hneu, "neu", x != y)
HEDDLE_HALF_COMPARE(__hltu, "ltu", !(x >= y))
HEDDLE_HALF_COMPARE(__hleu, "leu", !(x > y))
HEDDLE_HALF_COMPARE(__hgtu, "gtu", !(x <= y))
HEDDLE_HALF_COMPARE(__hgeu, "geu", !(x < y))
#undef HEDDLE_HALF_COMPARE

HEDDLE_HALF bool __hisnan(__half a) {
    return (__half_as_ushort(a) & 0x7fff) > 0x7c00;
}
HEDDLE_HALF int __hisinf(__half a) { // -1, 0 or 1
    const unsigned short bits = __half_as_ushort(a);
    return bits == 0x7c00 ? 1 : bits == 0xfc00 ? -1 : 0;
}

// Operators as IEEE 754 has them: all but != are false with a NaN.
HEDDLE_HALF bool operator==(const __half& a, const __half& b) {
    return __heq(a, b);
}
HEDDLE_HALF bool operator!=(const __half& a, const __half& b) {
    return __hneu(a, b);
}
HEDDLE_HALF bool operator<(const __half& a, const __half& b) {
    return __hlt(a, b);
}
HEDDLE_HALF bool operator<=(const __half& a, const __half& b) {
    return __hle(a, b);
}
HEDDLE_HALF bool operator>(const __half& a, const __half& b) {
    return __hgt(a, b);
}
HEDDLE_HALF bool operator>=(const __half& a, const __half& b) {
    return __hge(a, b);
}

// A NaN loses against a number, and -0 is below +0; in the forms _nan a NaN wins. In f32 on the device, since min.f16
// is of newer ones.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_EXTREME(name, instruction, a_is_it)                                                                \
    HEDDLE_HALF __half name(__half a, __half b) {                                                                      \
        unsigned short bits;                                                                                           \
        asm("{ .reg .f32 x, y; cvt.f32.f16 x, %1; cvt.f32.f16 y, %2; " instruction " x, x, y; cvt.rn.f16.f32 %0, x; }" \
            : "=h"(bits)                                                                                               \
            : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)));                                                     \
        return __ushort_as_half(bits);                                                                                 \
    }
#else
namespace heddle_half {

inline int rank(__half a) { // in the order of the numbers
    const unsigned short bits = __half_as_ushort(a);
    return (bits & 0x8000) != 0 ? -1 - (bits & 0x7fff) : bits;
}

} // namespace heddle_half

#define HEDDLE_HALF_EXTREME(name, instruction, a_is_it)                                                                \
    HEDDLE_HALF __half name(__half a, __half b) {                                                                      \
        if (__hisnan(a))                                                                                               \
            return __hisnan(b) ? __ushort_as_half(0x7fff) : b;                                                         \
        return __hisnan(b) || (a_is_it) ? a : b;                                                                       \
    }
#endif
HEDDLE_HALF_EXTREME(__hmin, "min.f32", heddle_half::rank(a) < heddle_half::rank(b))
HEDDLE_HALF_EXTREME(__hmax, "max.f32", heddle_half::rank(a) > heddle_half::rank(b))
#undef HEDDLE_HALF_EXTREME

HEDDLE_HALF __half __hmin_nan(__half a, __half b) {
    const bool nan = __hisnan(a) | __hisnan(b);
    return nan ? __ushort_as_half(0x7fff) : __hmin(a, b);
}
HEDDLE_HALF __half __hmax_nan(__half a, __half b) {
    const bool nan = __hisnan(a) | __hisnan(b);
    return nan ? __ushort_as_half(0x7fff) : __hmax(a, b);
}
