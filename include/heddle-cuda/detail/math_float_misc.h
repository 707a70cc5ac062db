// Error functions, distances, remainders and the gamma functions of float. Accuracy: docs/cuda-math.md.
#pragma once
#pragma GCC system_header

#include "math_float_exp.h"

namespace heddle_math {

// erfc(x) for x >= 0: exp(-x^2) times a slowly varying function; x^2's rounding is made good in the exponential.
HEDDLE_MATH_INLINE float erfc_positive(float x) {
    x = fmin(x, 12.0f); // 0 from 10.06 on
    const float u = mul(add(x, -4.0f), rcp(add(x, 4.0f)));
    const float p = add(erfcx_polynomial(u), 1.0f);
    const float scaled = mul(p, rcp(fma(x, 2.0f, 1.0f)));
    const float square = mul(x, x);
    const float lost = fma(x, x, -square);
    const float e = exp(-square);
    return mul(fma(e, -lost, e), scaled);
}
HEDDLE_MATH_INLINE float erf(float x) {
    const float a = fabs(x);
    const float small = fma(erf_polynomial(mul(x, x)), x, x);
    const float large = copysign(add(1.0f, -erfc_positive(a)), x);
    return x != x ? x : a < 1.0f ? small : large;
}
HEDDLE_MATH_INLINE float erfc(float x) {
    const float a = fabs(x);
    const float tail = erfc_positive(a);
    const float positive = a < 0.5f ? add(1.0f, -fma(erf_polynomial(mul(a, a)), a, a)) : tail;
    return x != x ? x : x < 0.0f ? add(2.0f, -positive) : positive;
}
HEDDLE_MATH_INLINE float erfcx(float x) {
    if (x < 0.0f) {
        const float square = mul(x, x);
        const float lost = fma(x, x, -square);
        const float e = exp(square);
        return e == __builtin_inff() ? e : mul(fma(e, lost, e), erfc(x));
    }
    if (x > 28.0f) { // the asymptotic series
        const float inverse = 1.0f / x;
        const float t = mul(mul(inverse, inverse), 0.5f);
        return fma(mul(t, fma(t, 3.0f, -1.0f)), mul(0x1.20dd76p-1f, inverse), mul(0x1.20dd76p-1f, inverse));
    }
    const float reciprocal = rcp(add(x, 4.0f));
    const float u = x < 4.0f ? fma(add(x, x), reciprocal, -1.0f) : mul(add(x, -4.0f), reciprocal);
    return add(erfcx_polynomial(u), 1.0f) / fma(x, 2.0f, 1.0f);
}
HEDDLE_MATH_INLINE float normcdf(float x) {
    // erfc(t + low) / 2 with t + low = -x / sqrt(2); the derivative of erfc is about -2 t erfc(t) for large t.
    const float bounded = fmax(fmin(x, 16.0f), -16.0f);
    const float t = mul(bounded, -0x1.6a09e6p-1f);
    const float low = fma(bounded, -0x1.9fcef4p-27f, fma(bounded, -0x1.6a09e6p-1f, -t));
    const float value = erfc(t);
    const float corrected = t > 1.0f ? fma(mul(mul(t, low), -2.0f), value, value) : value;
    return x != x ? x : mul(corrected, 0.5f);
}

HEDDLE_MATH_INLINE float hypot(float x, float y) {
    const float a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    // A power of two brings the larger near 1.
    const unsigned exponent = bits<unsigned>(a) & 0x7f800000u;
    const float down = bits<float>(exponent < 0x00800000u ? 0x7e800000u : 0x7f000000u - exponent);
    const float up = bits<float>(exponent < 0x00800000u ? 0x00800000u : exponent);
    const float sa = mul(a, down), sb = mul(b, down);
    const float square = mul(sa, sa);
    const float sum = fma(sb, sb, square);
    // What the sum has lost goes back in with half its weight over the root.
    const float lost = add(fma(sb, sb, add(square, -sum)), fma(sa, sa, -square));
    const float root = sqrt(sum);
    const float result = mul(fma(mul(lost, 0.5f), rcp(root), root), up);
    if (a == 0.0f || exponent >= 0x7f000000u) { // zero, infinite, or so large that `up` has no inverse
        const float half = sqrt(fma(mul(b, 0x1p-64f), mul(b, 0x1p-64f), mul(mul(a, 0x1p-64f), mul(a, 0x1p-64f))));
        const bool infinite = fabs(x) == __builtin_inff() || fabs(y) == __builtin_inff();
        return infinite ? __builtin_inff() : x != x || y != y ? add(x, y) : mul(half, 0x1p64f);
    }
    return x != x || y != y ? add(x, y) : result;
}

struct Remainder32 {
    float magnitude;
    unsigned quotient; // its lowest bits
};
// |x| mod |y|, exactly: the mantissa is divided in steps of 40 bits.
HEDDLE_MATH_INLINE Remainder32 remainder_magnitude(float x, float y) {
    int ex, ey;
    const unsigned long long divisor = static_cast<unsigned long long>(mul(frexp(fabs(y), &ey), 0x1p24f));
    unsigned long long rest = static_cast<unsigned long long>(mul(frexp(fabs(x), &ex), 0x1p24f));
    int steps = ex - ey;
    if (steps < 0)
        return {fabs(x), 0};
    unsigned long long quotient = 0;
    while (true) {
        const int step = steps < 40 ? steps : 40;
        const unsigned long long digits = (rest << step) / divisor;
        rest = (rest << step) - digits * divisor;
        quotient = (quotient << step) + digits;
        steps -= step;
        if (steps == 0)
            break;
    }
    return {ldexp(static_cast<float>(rest), ey - 24), static_cast<unsigned>(quotient)};
}
HEDDLE_MATH_INLINE float fmod(float x, float y) {
    if (!(fabs(x) < __builtin_inff()) || y != y || y == 0.0f)
        return x != x || y != y ? add(x, y) : __builtin_nanf("");
    if (fabs(y) == __builtin_inff())
        return x;
    return copysign(remainder_magnitude(x, y).magnitude, x);
}
// *quotient: the lowest three bits of the nearest whole quotient, as CUDA gives them, with its sign.
HEDDLE_MATH_INLINE float remquo(float x, float y, int* quotient) {
    *quotient = 0;
    if (!(fabs(x) < __builtin_inff()) || y != y || y == 0.0f)
        return x != x || y != y ? add(x, y) : __builtin_nanf("");
    if (fabs(y) == __builtin_inff())
        return x;
    const Remainder32 r = remainder_magnitude(x, y);
    // More than half of y, or exactly half with an odd quotient: the next multiple is nearer.
    const float other = add(fabs(y), -r.magnitude);
    const bool up = r.magnitude > other || (r.magnitude == other && (r.quotient & 1) != 0);
    const float magnitude = up ? -other : r.magnitude;
    const bool negative = bits<unsigned>(x) >> 31 != 0;
    const int bits_of_quotient = static_cast<int>((r.quotient + (up ? 1 : 0)) & 7);
    *quotient = negative != (bits<unsigned>(y) >> 31 != 0) ? -bits_of_quotient : bits_of_quotient;
    const float signed_value = negative ? -magnitude : magnitude;
    return signed_value == 0.0f ? copysign(0.0f, x) : signed_value;
}
HEDDLE_MATH_INLINE float remainder(float x, float y) {
    int ignored;
    return remquo(x, y, &ignored);
}

} // namespace heddle_math
