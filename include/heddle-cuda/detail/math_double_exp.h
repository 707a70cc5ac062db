// Exponentials, logarithms and powers of double. Accuracy: docs/cuda-math.md.
#pragma once
#pragma GCC system_header

#include "math_float_exp.h"

namespace heddle_math {

inline constexpr double kLog2eF64 = 0x1.71547652b82fep+0;
inline constexpr double kLn2F64 = 0x1.62e42fefa39efp-1, kLn2LowF64 = 0x1.abc9e3b39803fp-56;
// ln 2 in a part of 32 bits, whose product with an exponent is exact, and the rest.
inline constexpr double kLn2Part = 0x1.62e42feep-1, kLn2Rest = 0x1.a39ef35793c76p-33;

// (1 + r + low + ...) 2^j: e^(r + low) 2^j for |r| <= 0.35.
HEDDLE_MATH_INLINE double scale_exp(double r, double low, double j) {
    const double square = mul(r, r);
    const double y = add(1.0, add(r, fma(square, fma(r, expm1_polynomial(r), 0.5), low)));
    // In two steps: 2^j may be beyond the range at either end.
    const int n = static_cast<int>(j);
    return mul(mul(y, power_of_two_f64(n >> 1)), power_of_two_f64(n - (n >> 1)));
}
HEDDLE_MATH_INLINE double bound_exponent(double j) {
    return fmax(fmin(j, 1200.0), -1200.0);
}
// What e^x and its kin answer far outside the range, where the reduction means nothing.
HEDDLE_MATH_INLINE double special_exp(double x, double limit, double result) {
    return x > limit ? __builtin_inf() : x < -1.1 * limit ? 0.0 : x != x ? x : result;
}

HEDDLE_MATH_INLINE double exp(double x) {
    const double j = bound_exponent(rint(mul(x, kLog2eF64)));
    const double r = fma(j, -kLn2Part, x);
    const double low = mul(j, -kLn2Rest);
    const double sum = add(r, low);
    return special_exp(x, 710.0, scale_exp(sum, add(add(r, -sum), low), j));
}
HEDDLE_MATH_INLINE double exp2(double x) {
    const double j = bound_exponent(rint(x));
    const double f = add(x, -j);
    const double r = mul(f, kLn2F64);
    return special_exp(x, 1024.0, scale_exp(r, fma(f, kLn2LowF64, fma(f, kLn2F64, -r)), j));
}
HEDDLE_MATH_INLINE double exp10(double x) {
    const double ln10 = 0x1.26bb1bbb55516p+1, ln10_low = -0x1.f48ad494ea3e9p-53;
    const double j = bound_exponent(rint(mul(x, 0x1.a934f0979a371p+1)));
    const double f = fma(j, -0x1.34413508p-2, x); // log10(2) in two parts
    const double f_low = mul(j, -0x1.f79fef311f12bp-34);
    const double sum = add(f, f_low);
    const double rest = add(add(f, -sum), f_low);
    const double r = mul(sum, ln10);
    const double low = fma(rest, ln10, fma(sum, ln10_low, fma(sum, ln10, -r)));
    return special_exp(x, 309.0, scale_exp(r, low, j));
}
HEDDLE_MATH_INLINE double expm1(double x) {
    const double j = fmax(fmin(rint(mul(x, kLog2eF64)), 1024.0), -60.0);
    const double r = fma(j, -kLn2Part, x);
    const double low = mul(j, -kLn2Rest);
    const double sum = add(r, low);
    const double square = mul(sum, sum);
    const double p = add(sum, fma(square, fma(sum, expm1_polynomial(sum), 0.5), add(add(r, -sum), low)));
    const double half = power_of_two_f64(static_cast<int>(j) - 1); // half of 2^j, since 2^1024 is not a double
    const double y = fma(p, half, add(half, -0.5));
    const double result = j == 0.0 ? p : add(y, y);
    return x > 710.0 ? __builtin_inf() : x < -40.0 ? -1.0 : x == 0.0 || x != x ? x : result;
}

// x = (1 + f) 2^e with 1 + f in [sqrt(1/2), sqrt(2)], for x > 0.
struct Binary64 {
    double f, e;
};
HEDDLE_MATH_INLINE int exponent_above(unsigned long long u) { // of m 2^e with m in [sqrt(1/2), sqrt(2)]
    return static_cast<int>(static_cast<long long>(u - 0x3fe6a09e667f3bcdull) >> 52);
}
HEDDLE_MATH_INLINE Binary64 split_exponent(double x) {
    const bool subnormal = x < 0x1p-1022;
    const unsigned long long u = bits<unsigned long long>(subnormal ? mul(x, 0x1p54) : x);
    const int e = exponent_above(u);
    const double m = bits<double>(u - (static_cast<unsigned long long>(static_cast<long long>(e)) << 52));
    return {add(m, -1.0), static_cast<double>(subnormal ? e - 54 : e)};
}
HEDDLE_MATH_INLINE double special_log(double x, double result) {
    const double beyond = x == 0.0 ? -__builtin_inf() : x > 0.0 ? x : __builtin_nan("");
    return x > 0.0 && x < __builtin_inf() ? result : beyond;
}
// log(1 + f) + e ln 2, by s = f / (2 + f): log(1 + f) = f - f^2/2 + s (f^2/2 + (2 atanh(s) - 2s) / s).
HEDDLE_MATH_INLINE double log_of(Binary64 b) {
    const double s = b.f / add(2.0, b.f);
    const double z = mul(s, s);
    const double half_square = mul(mul(b.f, b.f), 0.5);
    const double tail = fma(s, fma(z, log_ratio_polynomial(z), half_square), mul(b.e, kLn2Rest));
    return fma(b.e, kLn2Part, add(b.f, -add(half_square, -tail)));
}
HEDDLE_MATH_INLINE double log(double x) {
    return special_log(x, log_of(split_exponent(x)));
}
HEDDLE_MATH_INLINE double log1p(double x) {
    const double u = add(1.0, x);
    const int e = exponent_above(bits<unsigned long long>(u));
    const int bounded = e < -60 ? -60 : e > 1024 ? 1024 : e;
    const int half = bounded >> 1; // 2^-1024 is subnormal: in two factors
    const double scale = power_of_two_f64(-half), rest = power_of_two_f64(half - bounded);
    const double f = fma(mul(x, scale), rest, fma(scale, rest, -1.0));
    const double result = log_of({f, static_cast<double>(bounded)});
    return fabs(x) < 0x1p-54 ? x : special_log(u, result);
}

struct Pair64 {
    double high, low;
};
HEDDLE_MATH_INLINE Pair64 quick_sum(double a, double b) { // |a| >= |b|
    const double sum = add(a, b);
    return {sum, add(b, add(a, -sum))};
}
// log2(x) as high + low, to some 2^-64 of its value; the same way as for float.
HEDDLE_MATH_INLINE Pair64 log2_pair(double x) {
    const Binary64 b = split_exponent(x);
    const double m = add(b.f, 1.0);
    const Pair64 denominator = quick_sum(fmax(m, 1.0), fmin(m, 1.0));
    const double high = b.f / denominator.high;
    const double remainder = fma(-high, denominator.low, fma(-high, denominator.high, b.f));
    const double low = remainder / denominator.high;
    const double square = mul(high, high);
    const double square_low = fma(2.0 * high, low, fma(high, high, -square));
    const double cube = mul(square, high);
    const double cube_low = fma(square, low, fma(square_low, high, fma(square, high, -cube)));
    const double third = 0x1.5555555555555p-2, third_low = 0x1.5555555555555p-56;
    const double part = mul(cube, third);
    const double part_low = fma(cube, third_low, fma(cube_low, third, fma(cube, third, -part)));
    const Pair64 series = quick_sum(high, part);
    const double series_low = add(series.low, add(low, part_low));
    const double scale = 0x1.71547652b82fep+1, scale_low = 0x1.777d0ffda0d24p-55; // 2 / ln 2
    const double product = mul(series.high, scale);
    double rest = fma(series.high, scale_low, fma(series_low, scale, fma(series.high, scale, -product)));
    rest = fma(mul(mul(square, square), high), log2_tail_polynomial(square), rest);
    const Pair64 total = b.e == 0.0 ? quick_sum(product, rest) : quick_sum(b.e, product);
    return b.e == 0.0 ? total : quick_sum(total.high, add(total.low, rest));
}
HEDDLE_MATH_INLINE double log2(double x) {
    return special_log(x, log2_pair(x).high);
}
HEDDLE_MATH_INLINE double log10(double x) {
    const double log10_2 = 0x1.34413509f79ffp-2, log10_2_low = -0x1.9dc1da994fd21p-59;
    const Pair64 l = log2_pair(x);
    const double high = mul(l.high, log10_2);
    const double low = fma(l.low, log10_2, fma(l.high, log10_2_low, fma(l.high, log10_2, -high)));
    return special_log(x, add(high, low));
}
HEDDLE_MATH_INLINE double pow_finite(double x, double y) {
    const Pair64 l = log2_pair(x);
    const double bounded = fmax(fmin(y, 0x1p800), -0x1p800);
    const double high = mul(l.high, bounded);
    const double low = fabs(high) < 4096.0 ? fma(l.low, bounded, fma(l.high, bounded, -high)) : 0.0;
    const double clamped = fmax(fmin(high, 2000.0), -2000.0);
    const double j = rint(clamped);
    const double difference = add(clamped, -j);
    const double f = add(difference, low);
    const double rest = add(add(difference, -f), low);
    const double r = mul(f, kLn2F64);
    const double r_low = fma(rest, kLn2F64, fma(f, kLn2LowF64, fma(f, kLn2F64, -r)));
    return scale_exp(r, r_low, bound_exponent(j));
}
HEDDLE_MATH_INLINE double pow(double x, double y) {
    const double magnitude = fabs(x);
    const double infinity = __builtin_inf();
    const bool whole = trunc(y) == y;
    const double half = mul(y, 0.5);
    const bool odd = whole && fabs(y) < 0x1p53 && trunc(half) != half;
    double result = pow_finite(magnitude, y);
    if (magnitude == 0.0 || magnitude == infinity)
        result = (magnitude == 0.0) == (y < 0.0) ? infinity : 0.0;
    if (fabs(y) == infinity)
        result = magnitude == 1.0 ? 1.0 : (magnitude < 1.0) == (y < 0.0) ? infinity : 0.0;
    if (x < 0.0 && !whole)
        result = magnitude == infinity ? result : __builtin_nan("");
    if (odd)
        result = copysign(result, x);
    if (x != x || y != y)
        result = add(x, y);
    return y == 0.0 || x == 1.0 ? 1.0 : result;
}

HEDDLE_MATH_INLINE double cbrt(double x) {
    int e;
    const double m = frexp(fabs(x), &e); // [1/2, 1)
    const int third = (e + 3072) / 3 - 1024;
    const int remainder = e - 3 * third;
    const double a = mul(m, remainder == 0 ? 1.0 : remainder == 1 ? 2.0 : 4.0);
    double t = static_cast<double>(cbrt(static_cast<float>(a)));
    t = add(t, -mul(fma(mul(t, t), t, -a), 0x1.5555555555555p-2 / mul(t, t)));
    // A second Newton step whose residue is computed as if exactly.
    const double square = mul(t, t);
    const double square_low = fma(t, t, -square);
    const double cube = mul(square, t);
    const double cube_low = fma(square_low, t, fma(square, t, -cube));
    const double residue = add(add(a, -cube), -cube_low);
    t = add(t, mul(residue, 0x1.5555555555555p-2 / square));
    const double result = copysign(mul(t, power_of_two_f64(third)), x);
    return x == 0.0 || !(fabs(x) < __builtin_inf()) ? add(x, x) : result;
}
HEDDLE_MATH_INLINE double rcbrt(double x) {
    return 1.0 / cbrt(x);
}

} // namespace heddle_math
