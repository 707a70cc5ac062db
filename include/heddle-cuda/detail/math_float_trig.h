// Trigonometric and hyperbolic functions of float and their inverses. Accuracy: docs/cuda-math.md.
#pragma once
#pragma GCC system_header

#include "math_float_exp.h"

namespace heddle_math {

struct Reduced32 {
    float r;      // in [-pi/4, pi/4]
    int quadrant; // x = quadrant * pi/2 + r, modulo 4 quadrants
};
// 2/pi in words of 32 bits, after a word of zeros.
HEDDLE_MATH_INLINE unsigned two_over_pi_word(unsigned index) {
    return index == 0   ? 0u
           : index == 1 ? 0xa2f9836eu
           : index == 2 ? 0x4e441529u
           : index == 3 ? 0xfc2757d1u
           : index == 4 ? 0xf534ddc0u
           : index == 5 ? 0xdb629599u
           : index == 6 ? 0x3c439041u
                        : 0xfe5163abu;
}
// Payne and Hanek: of the product x * 2/pi only the bits below 4 matter; 96 bits of 2/pi from there on are enough.
HEDDLE_MATH_INLINE Reduced32 reduce_large(float x) {
    const unsigned u = bits<unsigned>(x);
    const unsigned exponent = ((u >> 23) & 0xffu) - 150; // |x| = m 2^exponent, exponent >= -7
    const unsigned long long m = (u & 0x7fffffu) | 0x800000u;
    // Bit 32 of the words weighs 1/2: the first bit whose product with m's lowest bit weighs 2 is this one.
    const unsigned first = exponent + 30;
    const unsigned index = first >> 5;
    const unsigned shift = first & 31u;
    const auto window = [index, shift](unsigned word) {
        const unsigned long long high = two_over_pi_word(index + word), low = two_over_pi_word(index + word + 1);
        return (((high << 32) | low) << shift) >> 32;
    };
    // The top 64 bits of m times the window, modulo 2^96. The top two are the quadrant.
    const unsigned long long product = ((m * window(0)) << 32) + m * window(1) + ((m * window(2)) >> 32);
    const unsigned long long rounded = product + (1ull << 61);
    const int quadrant = static_cast<int>(rounded >> 62);
    const long long fraction = static_cast<long long>((rounded << 2) ^ (1ull << 63)); // in 2^-64 quadrants
    const float r = static_cast<float>(mul(static_cast<double>(fraction), 0x1.921fb54442d18p-64));
    return u >> 31 ? Reduced32{-r, -quadrant} : Reduced32{r, quadrant};
}
HEDDLE_MATH_INLINE Reduced32 reduce(float x) {
    const float q = rint(mul(x, 0x1.45f306p-1f));
    // pi/2 in three parts; the first product leaves an exact difference.
    float r = fma(q, -0x1.921fb6p+0f, x);
    r = fma(q, 0x1.777a5cp-25f, r);
    r = fma(q, 0x1.ee59dap-50f, r);
    Reduced32 result{r, static_cast<int>(q)};
    if (fabs(x) > 65536.0f)
        result = fabs(x) < __builtin_inff() ? reduce_large(x) : Reduced32{__builtin_nanf(""), 0};
    return result;
}
HEDDLE_MATH_INLINE float sin_reduced(float r) {
    const float square = mul(r, r);
    return fma(mul(square, r), sin_polynomial(square), r);
}
HEDDLE_MATH_INLINE float cos_reduced(float r) {
    const float square = mul(r, r);
    return fma(square, fma(square, cos_polynomial(square), -0.5f), 1.0f);
}
// sin(r + quadrant * pi/2)
HEDDLE_MATH_INLINE float sin_quadrant(float r, int quadrant) {
    const float value = (quadrant & 1) != 0 ? cos_reduced(r) : sin_reduced(r);
    return (quadrant & 2) != 0 ? -value : value;
}
HEDDLE_MATH_INLINE float sin(float x) {
    const Reduced32 a = reduce(x);
    return x == 0.0f ? x : sin_quadrant(a.r, a.quadrant);
}
HEDDLE_MATH_INLINE float cos(float x) {
    const Reduced32 a = reduce(x);
    return sin_quadrant(a.r, a.quadrant + 1);
}
HEDDLE_MATH_INLINE void sincos(float x, float* sine, float* cosine) {
    const Reduced32 a = reduce(x);
    *sine = x == 0.0f ? x : sin_quadrant(a.r, a.quadrant);
    *cosine = sin_quadrant(a.r, a.quadrant + 1);
}
HEDDLE_MATH_INLINE float tan(float x) {
    const Reduced32 a = reduce(x);
    const float square = mul(a.r, a.r);
    const float tail = mul(mul(square, a.r), tan_polynomial(square)); // tan(r) - r
    const float t = add(a.r, tail);
    // -1 / (r + tail), with the rounding of that sum made good.
    const float inverse = -rcp(t);
    const float lost = add(add(a.r, -t), tail);
    const float correction = fma(inverse, lost, fma(inverse, t, 1.0f));
    const float cotangent = fma(correction, inverse, inverse);
    const float result = (a.quadrant & 1) != 0 ? cotangent : t;
    return x == 0.0f ? x : result;
}
// sin(pi x), cos(pi x): the argument is reduced exactly.
HEDDLE_MATH_INLINE float sinpi(float x) {
    const float q = rint(add(x, x));
    const float r = fma(q, -0.5f, x);
    const float angle = fma(r, 0x1.921fb6p+1f, mul(r, -0x1.777a5cp-24f));
    const float magnitude = fabs(x);
    const int quadrant = magnitude < 0x1p24f ? static_cast<int>(q) : 0;
    const float result = sin_quadrant(magnitude < 0x1p24f ? angle : 0.0f, quadrant);
    const float whole = trunc(x) == x ? copysign(0.0f, x) : result;
    return magnitude < __builtin_inff() ? whole : __builtin_nanf("");
}
HEDDLE_MATH_INLINE float cospi(float x) {
    const float magnitude = fabs(x);
    const float q = rint(add(magnitude, magnitude));
    const float r = fma(q, -0.5f, magnitude);
    const float angle = fma(r, 0x1.921fb6p+1f, mul(r, -0x1.777a5cp-24f));
    const int quadrant = magnitude < 0x1p24f ? static_cast<int>(q) : 0;
    const float result = sin_quadrant(magnitude < 0x1p24f ? angle : 0.0f, quadrant + 1);
    return magnitude < __builtin_inff() ? add(result, 0.0f) : __builtin_nanf("");
}

// asin(x) - x for |x| <= 0.5625, z = x * x.
HEDDLE_MATH_INLINE float asin_tail(float x, float z) {
    return mul(mul(z, x), asin_polynomial(z));
}
HEDDLE_MATH_INLINE float asin(float x) {
    const float a = fabs(x);
    const bool small = a <= 0.5625f;
    // Near 1: pi/2 - 2 asin(sqrt((1 - x) / 2)).
    const float z = small ? mul(a, a) : fma(a, -0.5f, 0.5f);
    const float root = small ? a : sqrt(z);
    const float value = add(root, asin_tail(root, z));
    const float result = small ? value : fma(value, -2.0f, 0x1.921fb6p+0f);
    return copysign(result, x);
}
HEDDLE_MATH_INLINE float acos(float x) {
    const float a = fabs(x);
    const bool small = a <= 0.5625f;
    const float z = small ? mul(a, a) : fma(a, -0.5f, 0.5f);
    const float root = small ? x : sqrt(z);
    const float tail = asin_tail(root, z);
    const float value = add(root, tail);
    const float near_one = x < 0.0f ? fma(value, -2.0f, 0x1.921fb6p+1f) : add(value, value);
    // pi/2 - x - tail, with pi/2's own low part.
    const float middle = add(0x1.921fb6p+0f, -add(x, add(tail, 0x1.777a5cp-25f)));
    return small ? middle : near_one;
}
HEDDLE_MATH_INLINE float atan_positive(float numerator, float denominator) {
    // The quotient of the smaller by the larger is at most 1.
    const bool swap = numerator > denominator;
    const float t = (swap ? denominator : numerator) / (swap ? numerator : denominator);
    const float z = mul(t, t);
    const float value = fma(mul(z, t), atan_polynomial(z), t);
    return swap ? add(0x1.921fb6p+0f, -add(value, 0x1.777a5cp-25f)) : value;
}
HEDDLE_MATH_INLINE float atan(float x) {
    return copysign(atan_positive(fabs(x), 1.0f), x);
}
HEDDLE_MATH_INLINE float atan2(float y, float x) {
    float a = fabs(y), b = fabs(x);
    if (a == b && (a == 0.0f || a == __builtin_inff())) { // 0/0 and inf/inf count as 0 and 1
        a = a == 0.0f ? 0.0f : 1.0f;
        b = 1.0f;
    }
    const float value = atan_positive(a, b);
    const bool negative = bits<unsigned>(x) >> 31 != 0;
    const float result = negative ? add(0x1.921fb6p+1f, -add(value, 0x1.777a5cp-24f)) : value;
    return x != x || y != y ? add(x, y) : copysign(result, y);
}

// e^|x| / 2 without overflow before sinh and cosh overflow themselves.
HEDDLE_MATH_INLINE float half_exp(float magnitude) {
    const float j = clamp_exponent(rint(mul(magnitude, kLog2e)));
    return mul(ex2(fma(magnitude, kLog2eLow, fma(magnitude, kLog2e, -j))), ex2(add(j, -1.0f)));
}
HEDDLE_MATH_INLINE float sinh(float x) {
    const float a = fabs(x);
    const float z = mul(x, x);
    const float small = fma(mul(z, x), sinh_polynomial(z), x);
    const float e = half_exp(a);
    const float large = copysign(fma(rcp(e), -0.25f, e), x);
    return a < 1.0f ? small : large;
}
HEDDLE_MATH_INLINE float cosh(float x) {
    const float e = half_exp(fabs(x));
    return fma(rcp(e), 0.25f, e);
}
HEDDLE_MATH_INLINE float tanh(float x) {
    const float a = fabs(x);
    const float z = mul(x, x);
    const float small = fma(mul(z, x), tanh_polynomial(z), x);
    const float large = copysign(fma(rcp(add(exp(add(a, a)), 1.0f)), -2.0f, 1.0f), x);
    return a < 0.6f ? copysign(small, x) : large;
}
HEDDLE_MATH_INLINE float asinh(float x) {
    const float a = fabs(x);
    const float z = mul(x, x);
    const float small = fma(mul(z, x), asinh_polynomial(z), x);
    // log(a + sqrt(a^2 + 1)) as log1p(a + a^2 / (1 + sqrt(a^2 + 1))); beyond 2^12 as log(2a).
    const float argument = add(a, z / add(1.0f, sqrt(add(z, 1.0f))));
    const bool huge = a > 4096.0f;
    const float value = huge ? add(log(a), kLn2) : log1p(argument);
    return copysign(a < 0.5f ? small : value, x);
}
HEDDLE_MATH_INLINE float acosh(float x) {
    const float t = add(x, -1.0f);
    const float near = log1p(add(t, sqrt(fma(t, t, add(t, t)))));
    const float result = x > 4096.0f ? add(log(x), kLn2) : near;
    return x < 1.0f ? __builtin_nanf("") : result;
}
HEDDLE_MATH_INLINE float atanh(float x) {
    const float a = fabs(x);
    const float result = mul(0.5f, log1p(add(a, a) / add(1.0f, -a)));
    return a < 0x1p-12f ? fma(mul(mul(x, x), x), 0x1.555556p-2f, x) : copysign(result, x);
}

} // namespace heddle_math
