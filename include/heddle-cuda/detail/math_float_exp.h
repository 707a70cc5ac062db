// Exponentials, logarithms and powers of float. Accuracy: docs/cuda-math.md.
#pragma once
#pragma GCC system_header

#include "math_polynomials.h"
#include "math_simple.h"

namespace heddle_math {

inline constexpr float kLog2e = 0x1.715476p+0f, kLog2eLow = 0x1.4ae0cp-26f; // 1 / ln 2
inline constexpr float kLn2 = 0x1.62e43p-1f, kLn2Low = -0x1.05c610p-29f;    // ln 2
inline constexpr float kLog2Of10 = 0x1.a934fp+1f, kLog2Of10Low = 0x1.2f346ep-24f;

// 2^(j + f) for a whole j; |f| stays small unless the result overflows or underflows anyway.
HEDDLE_MATH_INLINE float exp2_parts(float j, float f) {
    return mul(ex2(f), ex2(j));
}
// Keeps 2^j finite and not zero: what is cut off goes on in the fraction, and from there to infinity or 0.
HEDDLE_MATH_INLINE float clamp_exponent(float j) {
    return fmax(fmin(j, 127.0f), -149.0f);
}

HEDDLE_MATH_INLINE float exp(float x) {
    const float j = clamp_exponent(rint(mul(x, kLog2e)));
    return exp2_parts(j, fma(x, kLog2eLow, fma(x, kLog2e, -j)));
}
HEDDLE_MATH_INLINE float exp2(float x) {
    return ex2(x);
}
HEDDLE_MATH_INLINE float exp10(float x) {
    const float j = clamp_exponent(rint(mul(x, kLog2Of10)));
    return exp2_parts(j, fma(x, kLog2Of10Low, fma(x, kLog2Of10, -j)));
}
HEDDLE_MATH_INLINE float expm1(float x) {
    const float j = fmax(fmin(rint(mul(x, kLog2e)), 128.0f), -30.0f);
    const float r = fma(j, -kLn2Low, fma(j, -kLn2, x));
    const float square = mul(r, r);
    const float p = fma(square, fma(r, expm1_polynomial(r), 0.5f), r); // e^r - 1
    // Half of 2^j, since 2^128 is not a float.
    const float half = ex2(add(j, -1.0f));
    const float y = fma(p, half, add(half, -0.5f));
    const float result = j == 0.0f ? p : add(y, y);
    return x < -18.0f ? -1.0f : x == 0.0f ? x : result;
}

// x = m 2^e with m in [2/3, 4/3]; the exponent as a float.
struct Binary32 {
    float m, e;
};
HEDDLE_MATH_INLINE Binary32 split_exponent(float x) {
    const bool subnormal = x < 0x1p-126f;
    const float scaled = subnormal ? mul(x, 0x1p23f) : x;
    const unsigned u = bits<unsigned>(scaled);
    const int e = static_cast<int>(u - 0x3f2aaaabu) & static_cast<int>(0xff800000u);
    const float exponent = mul(static_cast<float>(e), 0x1p-23f);
    return {bits<float>(u - static_cast<unsigned>(e)), subnormal ? add(exponent, -23.0f) : exponent};
}
// What every logarithm answers where it has no finite value: 0, negative numbers, infinity, not a number.
HEDDLE_MATH_INLINE float special_log(float x, float result) {
    const float beyond = x == 0.0f ? -__builtin_inff() : x > 0.0f ? x : __builtin_nanf("");
    return x > 0.0f && x < __builtin_inff() ? result : beyond;
}
// log(1 + s) - s for |s| <= 1/3.
HEDDLE_MATH_INLINE float log1p_tail(float s) {
    return mul(mul(s, s), fma(log1p_polynomial(s), s, -0.5f));
}

HEDDLE_MATH_INLINE float log(float x) {
    const Binary32 b = split_exponent(x);
    const float s = add(b.m, -1.0f);
    const float tail = fma(b.e, kLn2Low, log1p_tail(s));
    return special_log(x, fma(b.e, kLn2, add(s, tail)));
}
HEDDLE_MATH_INLINE float log2(float x) {
    const Binary32 b = split_exponent(x);
    const float s = add(b.m, -1.0f);
    const float low = fma(log1p_tail(s), kLog2e, mul(s, kLog2eLow));
    return special_log(x, add(b.e, fma(s, kLog2e, low)));
}
HEDDLE_MATH_INLINE float log10(float x) {
    const float log10_e = 0x1.bcb7b2p-2f, log10_e_low = -0x1.5b235ep-27f;
    const float log10_2 = 0x1.344136p-2f, log10_2_low = -0x1.ec10c0p-27f;
    const Binary32 b = split_exponent(x);
    const float s = add(b.m, -1.0f);
    const float low = fma(b.e, log10_2_low, fma(log1p_tail(s), log10_e, mul(s, log10_e_low)));
    return special_log(x, fma(b.e, log10_2, fma(s, log10_e, low)));
}
HEDDLE_MATH_INLINE float log1p(float x) {
    // 1 + x = (1 + s) 2^e, where s comes without the rounding of 1 + x.
    const float u = add(1.0f, x);
    const int e = static_cast<int>(bits<unsigned>(u) - 0x3f2aaaabu) & static_cast<int>(0xff800000u);
    // 2^-e in two factors: e may be 128.
    const float scale = bits<float>(0x3f800000u - static_cast<unsigned>(e >> 1 & ~0x7fffff));
    const float rest = bits<float>(0x3f800000u - static_cast<unsigned>(e - (e >> 1 & ~0x7fffff)));
    const float s = fma(mul(x, scale), rest, fma(scale, rest, -1.0f));
    const float exponent = mul(static_cast<float>(e), 0x1p-23f);
    const float tail = fma(exponent, kLn2Low, log1p_tail(s));
    const float result = fma(exponent, kLn2, add(s, tail));
    return fabs(x) < 0x1p-25f ? x : special_log(u, result);
}

// log2(x) for a normal positive x as high + low, to some 2^-35 of its value.
struct Pair32 {
    float high, low;
};
HEDDLE_MATH_INLINE Pair32 quick_sum(float a, float b) { // |a| >= |b|
    const float sum = add(a, b);
    return {sum, add(b, add(a, -sum))};
}
HEDDLE_MATH_INLINE Pair32 log2_pair(float x) {
    const bool subnormal = x < 0x1p-126f;
    const unsigned u = bits<unsigned>(subnormal ? mul(x, 0x1p23f) : x);
    const int e = static_cast<int>(u - 0x3f3504f3u) & static_cast<int>(0xff800000u); // m in [sqrt(1/2), sqrt(2)]
    const float m = bits<float>(u - static_cast<unsigned>(e));
    const float exponent = add(mul(static_cast<float>(e), 0x1p-23f), subnormal ? -23.0f : 0.0f);
    // ratio = (m - 1) / (m + 1) as high + low: the remainder of the division is exact.
    const float numerator = add(m, -1.0f);
    const Pair32 denominator = quick_sum(fmax(m, 1.0f), fmin(m, 1.0f));
    const float reciprocal = rcp(denominator.high);
    const float high = mul(numerator, reciprocal);
    const float remainder = fma(-high, denominator.low, fma(-high, denominator.high, numerator));
    const float low = mul(remainder, reciprocal);
    // (2/ln 2) (ratio + ratio^3 / 3) + tail: the cube also as a pair.
    const float square = mul(high, high);
    const float square_low = fma(2.0f * high, low, fma(high, high, -square));
    const float cube = mul(square, high);
    const float cube_low = fma(square, low, fma(square_low, high, fma(square, high, -cube)));
    const float third = 0x1.555556p-2f, third_low = -0x1.555556p-27f;
    const float part = mul(cube, third);
    const float part_low = fma(cube, third_low, fma(cube_low, third, fma(cube, third, -part)));
    const Pair32 series = quick_sum(high, part);
    const float series_low = add(series.low, add(low, part_low));
    const float scale = 0x1.715476p+1f, scale_low = 0x1.4ae0cp-25f; // 2 / ln 2
    const float product = mul(series.high, scale);
    float rest = fma(series.high, scale_low, fma(series_low, scale, fma(series.high, scale, -product)));
    rest = fma(mul(mul(square, square), high), log2_tail_polynomial(square), rest);
    const Pair32 total = exponent == 0.0f ? quick_sum(product, rest) : quick_sum(exponent, product);
    return exponent == 0.0f ? total : quick_sum(total.high, add(total.low, rest));
}
// 2^(x y'): |x|^y for x neither 0, infinite nor not a number.
HEDDLE_MATH_INLINE float pow_finite(float x, float y) {
    const Pair32 l = log2_pair(x);
    const float bounded = fmax(fmin(y, 0x1p90f), -0x1p90f); // keeps the product finite
    const float high = mul(l.high, bounded);
    const float low = fma(l.low, bounded, fma(l.high, bounded, -high));
    const float j = clamp_exponent(rint(high));
    return exp2_parts(j, add(add(high, -j), fabs(high) < 512.0f ? low : 0.0f));
}
HEDDLE_MATH_INLINE float pow(float x, float y) {
    const float magnitude = fabs(x);
    const float infinity = __builtin_inff();
    const bool whole = trunc(y) == y;
    const bool odd = whole && fabs(y) < 16777216.0f && (static_cast<int>(y) & 1) != 0;
    float result = pow_finite(magnitude, y);
    if (magnitude == 0.0f || magnitude == infinity)
        result = (magnitude == 0.0f) == (y < 0.0f) ? infinity : 0.0f;
    if (fabs(y) == infinity)
        result = magnitude == 1.0f ? 1.0f : (magnitude < 1.0f) == (y < 0.0f) ? infinity : 0.0f;
    if (x < 0.0f && !whole)
        result = magnitude == infinity ? result : __builtin_nanf("");
    if (odd)
        result = copysign(result, x);
    if (x != x || y != y)
        result = add(x, y);
    return y == 0.0f || x == 1.0f ? 1.0f : result;
}

HEDDLE_MATH_INLINE float cbrt(float x) {
    const float magnitude = fabs(x);
    // Away from both ends of the range: neither t^3 nor the step may leave it.
    const bool small = magnitude < 1.0f;
    const float a = mul(magnitude, small ? 0x1p24f : 0x1p-24f);
    const float t = ex2(mul(lg2(a), 0x1.555556p-2f));
    // One Newton step whose residue a - t^3 is computed as if exactly.
    const float square = mul(t, t);
    const float square_low = fma(t, t, -square);
    const float cube = mul(square, t);
    const float cube_low = fma(square_low, t, fma(square, t, -cube));
    const float residue = add(add(a, -cube), -cube_low);
    const float y = fma(residue, rcp(mul(3.0f, square)), t);
    const float result = mul(y, small ? 0x1p-8f : 0x1p8f);
    return x == 0.0f || !(magnitude < __builtin_inff()) ? add(x, x) : copysign(result, x);
}
HEDDLE_MATH_INLINE float rcbrt(float x) {
    return 1.0f / cbrt(x);
}

} // namespace heddle_math
