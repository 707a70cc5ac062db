// Functions that are one instruction or a few exact ones.
#pragma once
#pragma GCC system_header

#include "math_primitives.h"

namespace heddle_math {

template <class To, class From>
HEDDLE_MATH_INLINE To bits(From x) {
    return __builtin_bit_cast(To, x);
}

#define HEDDLE_MATH_BUILTIN_1(name, builtin)                                                                           \
    HEDDLE_MATH_INLINE float name(float x) {                                                                           \
        return __builtin_##builtin##f(x);                                                                              \
    }                                                                                                                  \
    HEDDLE_MATH_INLINE double name(double x) {                                                                         \
        return __builtin_##builtin(x);                                                                                 \
    }
#define HEDDLE_MATH_BUILTIN_2(name, builtin)                                                                           \
    HEDDLE_MATH_INLINE float name(float x, float y) {                                                                  \
        return __builtin_##builtin##f(x, y);                                                                           \
    }                                                                                                                  \
    HEDDLE_MATH_INLINE double name(double x, double y) {                                                               \
        return __builtin_##builtin(x, y);                                                                              \
    }
HEDDLE_MATH_BUILTIN_1(sqrt, sqrt)
HEDDLE_MATH_BUILTIN_1(fabs, fabs)
HEDDLE_MATH_BUILTIN_1(floor, floor)
HEDDLE_MATH_BUILTIN_1(ceil, ceil)
HEDDLE_MATH_BUILTIN_1(trunc, trunc)
HEDDLE_MATH_BUILTIN_1(rint, rint)
HEDDLE_MATH_BUILTIN_1(nearbyint, rint)
HEDDLE_MATH_BUILTIN_2(fmin, fmin)
HEDDLE_MATH_BUILTIN_2(fmax, fmax)
#undef HEDDLE_MATH_BUILTIN_1
#undef HEDDLE_MATH_BUILTIN_2

HEDDLE_MATH_INLINE float fma(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
HEDDLE_MATH_INLINE double fma(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
HEDDLE_MATH_INLINE float rsqrt(float x) {
    return rsqrt_approx(x);
}
HEDDLE_MATH_INLINE double rsqrt(double x) {
    return 1.0 / sqrt(x);
}

HEDDLE_MATH_INLINE float copysign(float x, float y) {
    return bits<float>((bits<unsigned>(x) & 0x7fffffffu) | (bits<unsigned>(y) & 0x80000000u));
}
HEDDLE_MATH_INLINE double copysign(double x, double y) {
    const unsigned long long sign = 1ull << 63;
    return bits<double>((bits<unsigned long long>(x) & ~sign) | (bits<unsigned long long>(y) & sign));
}
// Half away from zero: the sum with the largest number below a half does not carry 0.49999997 up to 1.
HEDDLE_MATH_INLINE float round(float x) {
    return fabs(x) < 8388608.0f ? copysign(trunc(add(x, copysign(0.49999997f, x))), x) : x;
}
HEDDLE_MATH_INLINE double round(double x) {
    return fabs(x) < 4503599627370496.0 ? copysign(trunc(add(x, copysign(0.49999999999999994, x))), x) : x;
}
HEDDLE_MATH_INLINE float fdim(float x, float y) {
    return x <= y ? 0.0f : add(x, -y);
}
HEDDLE_MATH_INLINE double fdim(double x, double y) {
    return x <= y ? 0.0 : add(x, -y);
}

HEDDLE_MATH_INLINE float power_of_two(int n) { // -126 <= n <= 127
    return bits<float>(static_cast<unsigned>(n + 127) << 23);
}
HEDDLE_MATH_INLINE double power_of_two_f64(int n) { // -1022 <= n <= 1023
    return bits<double>(static_cast<unsigned long long>(n + 1023) << 52);
}
// Scaling in up to three steps of normal powers, ordered so that only the last product rounds: going down, the first
// steps leave room (24 or 53 bits) above the smallest normal number.
HEDDLE_MATH_INLINE float ldexp(float x, int n) {
    n = n < -280 ? -280 : n > 280 ? 280 : n;
    if (n > 127) {
        x = mul(x, power_of_two(127));
        n -= 127;
        if (n > 127) {
            x = mul(x, power_of_two(127));
            n -= 127;
        }
    } else if (n < -126) {
        x = mul(x, power_of_two(-126 + 24));
        n += 126 - 24;
        if (n < -126) {
            x = mul(x, power_of_two(-126 + 24));
            n += 126 - 24;
            n = n < -126 ? -126 : n;
        }
    }
    return mul(x, power_of_two(n));
}
HEDDLE_MATH_INLINE double ldexp(double x, int n) {
    n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
    if (n > 1023) {
        x = mul(x, power_of_two_f64(1023));
        n -= 1023;
        if (n > 1023) {
            x = mul(x, power_of_two_f64(1023));
            n -= 1023;
            n = n > 1023 ? 1023 : n;
        }
    } else if (n < -1022) {
        x = mul(x, power_of_two_f64(-1022 + 53));
        n += 1022 - 53;
        if (n < -1022) {
            x = mul(x, power_of_two_f64(-1022 + 53));
            n += 1022 - 53;
            n = n < -1022 ? -1022 : n;
        }
    }
    return mul(x, power_of_two_f64(n));
}
HEDDLE_MATH_INLINE float frexp(float x, int* n) {
    unsigned u = bits<unsigned>(x);
    int shift = 0;
    if ((u & 0x7f800000u) == 0) {
        u = bits<unsigned>(mul(x, 16777216.0f));
        shift = 24;
    }
    const unsigned exponent = (u >> 23) & 0xffu;
    if (exponent == 0 || exponent == 0xff) { // zero, infinity, not a number
        *n = 0;
        return x;
    }
    *n = static_cast<int>(exponent) - 126 - shift;
    return bits<float>((u & 0x807fffffu) | 0x3f000000u);
}
HEDDLE_MATH_INLINE double frexp(double x, int* n) {
    unsigned long long u = bits<unsigned long long>(x);
    int shift = 0;
    if ((u & 0x7ff0000000000000ull) == 0) {
        u = bits<unsigned long long>(mul(x, 18014398509481984.0));
        shift = 54;
    }
    const unsigned exponent = static_cast<unsigned>(u >> 52) & 0x7ffu;
    if (exponent == 0 || exponent == 0x7ff) {
        *n = 0;
        return x;
    }
    *n = static_cast<int>(exponent) - 1022 - shift;
    return bits<double>((u & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}

} // namespace heddle_math
