// Trigonometric and hyperbolic functions of double and their inverses. Accuracy: docs/cuda-math.md.
#pragma once
#pragma GCC system_header

#include "math_double_exp.h"

namespace heddle_math {

inline constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54;

struct Reduced64 {
    double r, low; // r + low in [-pi/4, pi/4]
    int quadrant;
};
// 2/pi in words of 64 bits, after a word of zeros.
HEDDLE_MATH_TABLE unsigned long long two_over_pi_words[22] = {
    0,
    0xa2f9836e4e441529ull,
    0xfc2757d1f534ddc0ull,
    0xdb6295993c439041ull,
    0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull,
    0x06492eea09d1921cull,
    0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull,
    0x3991d639835339f4ull,
    0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full,
    0x6d367ecf27cb09b7ull,
    0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull,
    0x6bfb5fb11f8d5d08ull,
    0x56033046fc7b6babull,
    0xf0cfbc209af4361dull,
    0xa9e391615ee61b08ull,
};
// Payne and Hanek, as for float, with 192 bits of 2/pi.
HEDDLE_MATH_INLINE Reduced64 reduce_large(double x) {
    const unsigned long long u = bits<unsigned long long>(x);
    const unsigned exponent = static_cast<unsigned>((u >> 52) & 0x7ff) - 1075; // |x| = m 2^exponent
    const unsigned long long m = (u & 0xfffffffffffffull) | 0x10000000000000ull;
    const unsigned first = exponent + 62;
    const unsigned index = first >> 6, shift = first & 63u;
    const auto window = [index, shift](unsigned word) {
        const unsigned long long high = two_over_pi_words[index + word], low = two_over_pi_words[index + word + 1];
        return shift == 0 ? high : (high << shift) | (low >> (64 - shift));
    };
    const unsigned long long middle_word = window(1);
    const unsigned long long carried = high_product(m, window(2));
    unsigned long long low = m * middle_word + carried;
    unsigned long long high = m * window(0) + high_product(m, middle_word) + (low < carried ? 1 : 0);
    // Round to the nearest quadrant; what remains, up to half a quadrant, as sign and magnitude.
    const unsigned long long rounded = high + (1ull << 61);
    const int quadrant = static_cast<int>(rounded >> 62);
    high = (high << 2) | (low >> 62); // in 2^-128 quadrants, modulo one
    low <<= 2;
    const bool negative = high >> 63 != 0;
    if (negative) {
        low = 0 - low;
        high = ~high + (low == 0 ? 1 : 0);
    }
    const int zeros = high == 0 ? 64 : __builtin_clzll(high);
    const unsigned long long top = zeros == 0    ? high
                                   : zeros == 64 ? low
                                                 : (high << zeros) | (low >> (64 - zeros)); // the leading 64 bits
    const double scale = power_of_two_f64(-64 - zeros);
    const double a = mul(static_cast<double>(top >> 11), mul(scale, 2048.0));
    const double b = mul(static_cast<double>(top & 0x7ffull), scale);
    const double r = mul(a, kHalfPi);
    const double rest = fma(b, kHalfPi, fma(a, kHalfPiLow, fma(a, kHalfPi, -r)));
    const bool minus = negative != (u >> 63 != 0);
    return {minus ? -r : r, minus ? -rest : rest, u >> 63 ? -quadrant : quadrant};
}
HEDDLE_MATH_INLINE Reduced64 reduce(double x) {
    const double q = rint(mul(x, 0x1.45f306dc9c883p-1));
    // The first difference is exact; then r + low keeps the bits that a single double would lose.
    const double first = fma(q, -kHalfPi, x);
    const double r = fma(q, -kHalfPiLow, first);
    const double low = fma(q, 0x1.f1976b7ed8fbcp-110, fma(q, -kHalfPiLow, add(first, -r)));
    Reduced64 result{r, low, static_cast<int>(fmax(fmin(q, 2e9), -2e9))};
    if (fabs(x) > 1048576.0)
        result = fabs(x) < __builtin_inf() ? reduce_large(x) : Reduced64{__builtin_nan(""), 0.0, 0};
    return result;
}
HEDDLE_MATH_INLINE double sin_reduced(double r, double low) {
    const double square = mul(r, r);
    // sin(r + low) = sin(r) + low cos(r)
    return add(r, fma(mul(square, r), sin_polynomial(square), mul(low, fma(square, -0.5, 1.0))));
}
HEDDLE_MATH_INLINE double cos_reduced(double r, double low) {
    const double square = mul(r, r);
    const double half = mul(square, 0.5);
    const double head = add(1.0, -half);
    const double lost = add(add(1.0, -head), -half);
    return add(head, fma(mul(square, square), cos_polynomial(square), fma(-r, low, lost)));
}
HEDDLE_MATH_INLINE double sin_quadrant(Reduced64 a, int more) {
    const int quadrant = a.quadrant + more;
    const double value = (quadrant & 1) != 0 ? cos_reduced(a.r, a.low) : sin_reduced(a.r, a.low);
    return (quadrant & 2) != 0 ? -value : value;
}
HEDDLE_MATH_INLINE double sin(double x) {
    return x == 0.0 ? x : sin_quadrant(reduce(x), 0);
}
HEDDLE_MATH_INLINE double cos(double x) {
    return sin_quadrant(reduce(x), 1);
}
HEDDLE_MATH_INLINE void sincos(double x, double* sine, double* cosine) {
    const Reduced64 a = reduce(x);
    *sine = x == 0.0 ? x : sin_quadrant(a, 0);
    *cosine = sin_quadrant(a, 1);
}
HEDDLE_MATH_INLINE double tan(double x) {
    const Reduced64 a = reduce(x);
    const double square = mul(a.r, a.r);
    const double head = fma(mul(square, a.r), tan_polynomial(square), a.low);
    const double tail = fma(a.low, square, head); // tan(r + low) - r; the derivative is 1 + r^2 and more
    const double t = add(a.r, tail);
    const double inverse = -1.0 / t;
    const double lost = add(add(a.r, -t), tail);
    const double correction = fma(inverse, lost, fma(inverse, t, 1.0));
    const double result = (a.quadrant & 1) != 0 ? fma(correction, inverse, inverse) : t;
    return x == 0.0 ? x : result;
}
HEDDLE_MATH_INLINE Reduced64 reduce_half_turns(double x) { // x <= 2^53 in magnitude
    const double q = rint(add(x, x));
    const double f = fma(q, -0.5, x);
    const double pi = 2.0 * kHalfPi, pi_low = 2.0 * kHalfPiLow;
    const double r = mul(f, pi);
    const double quarter = mul(q, 0.25); // the quadrant modulo 4, exactly
    return {r, fma(f, pi_low, fma(f, pi, -r)), static_cast<int>(mul(add(quarter, -floor(quarter)), 4.0))};
}
HEDDLE_MATH_INLINE double sinpi(double x) {
    const double magnitude = fabs(x);
    const double result = magnitude < 0x1p52 ? sin_quadrant(reduce_half_turns(x), 0) : 0.0;
    const double whole = trunc(x) == x ? copysign(0.0, x) : result;
    return magnitude < __builtin_inf() ? whole : __builtin_nan("");
}
HEDDLE_MATH_INLINE double cospi(double x) {
    const double magnitude = fabs(x);
    const double result = magnitude < 0x1p53 ? sin_quadrant(reduce_half_turns(magnitude), 1) : 1.0;
    return magnitude < __builtin_inf() ? add(result, 0.0) : __builtin_nan("");
}

HEDDLE_MATH_INLINE double asin_tail(double x, double z) {
    return mul(mul(z, x), asin_polynomial(z));
}
HEDDLE_MATH_INLINE double asin(double x) {
    const double a = fabs(x);
    const bool small = a <= 0.5625;
    const double z = small ? mul(a, a) : fma(a, -0.5, 0.5);
    const double root = small ? a : sqrt(z);
    const double tail = asin_tail(root, z);
    const double large = add(kHalfPi, -fma(2.0, add(root, tail), -kHalfPiLow));
    return copysign(small ? add(root, tail) : large, x);
}
HEDDLE_MATH_INLINE double acos(double x) {
    const double a = fabs(x);
    const bool small = a <= 0.5625;
    const double z = small ? mul(a, a) : fma(a, -0.5, 0.5);
    const double root = small ? x : sqrt(z);
    const double tail = asin_tail(root, z);
    const double value = add(root, tail);
    const double near_one = x < 0.0 ? fma(2.0, kHalfPi, -fma(2.0, value, -2.0 * kHalfPiLow)) : add(value, value);
    const double middle = add(kHalfPi, -add(x, add(tail, -kHalfPiLow)));
    return small ? middle : near_one;
}
HEDDLE_MATH_INLINE double atan_positive(double numerator, double denominator) {
    const bool swap = numerator > denominator;
    const double t = (swap ? denominator : numerator) / (swap ? numerator : denominator);
    const double z = mul(t, t);
    const double value = fma(mul(z, t), atan_polynomial(z), t);
    return swap ? add(kHalfPi, -add(value, -kHalfPiLow)) : value;
}
HEDDLE_MATH_INLINE double atan(double x) {
    return copysign(atan_positive(fabs(x), 1.0), x);
}
HEDDLE_MATH_INLINE double atan2(double y, double x) {
    double a = fabs(y), b = fabs(x);
    if (a == b && (a == 0.0 || a == __builtin_inf())) {
        a = a == 0.0 ? 0.0 : 1.0;
        b = 1.0;
    }
    const double value = atan_positive(a, b);
    const bool negative = bits<unsigned long long>(x) >> 63 != 0;
    const double result = negative ? add(2.0 * kHalfPi, -add(value, -2.0 * kHalfPiLow)) : value;
    return x != x || y != y ? add(x, y) : copysign(result, y);
}

HEDDLE_MATH_INLINE double half_exp(double magnitude) { // e^|x| / 2, finite as long as sinh and cosh are
    const double bounded = fmin(magnitude, 711.0);
    const double e = exp(mul(bounded, 0.5)); // the square of the half keeps clear of the end of the range
    return bounded > 709.0 ? mul(mul(e, 0.5), e) : mul(exp(bounded), 0.5);
}
HEDDLE_MATH_INLINE double sinh(double x) {
    const double a = fabs(x);
    const double z = mul(x, x);
    const double small = fma(mul(z, x), sinh_polynomial(z), x);
    const double e = half_exp(a);
    const double large = copysign(fma(1.0 / e, -0.25, e), x);
    return x != x ? x : a < 1.0 ? small : large;
}
HEDDLE_MATH_INLINE double cosh(double x) {
    const double e = half_exp(fabs(x));
    return x != x ? x : fma(1.0 / e, 0.25, e);
}
HEDDLE_MATH_INLINE double tanh(double x) {
    const double a = fabs(x);
    const double z = mul(x, x);
    const double small = fma(mul(z, x), tanh_polynomial(z), x);
    const double large = add(1.0, -2.0 / add(exp(add(a, a)), 1.0));
    return x != x ? x : copysign(a < 0.6 ? small : large, x);
}
HEDDLE_MATH_INLINE double asinh(double x) {
    const double a = fabs(x);
    const double z = mul(x, x);
    const double small = fma(mul(z, x), asinh_polynomial(z), x);
    const double argument = add(a, z / add(1.0, sqrt(add(z, 1.0))));
    const double value = a > 0x1p28 ? add(log(a), kLn2F64) : log1p(argument);
    return copysign(a < 0.5 ? small : value, x);
}
HEDDLE_MATH_INLINE double acosh(double x) {
    const double t = add(x, -1.0);
    const double near = log1p(add(t, sqrt(fma(t, t, add(t, t)))));
    const double result = x > 0x1p28 ? add(log(x), kLn2F64) : near;
    return x < 1.0 ? __builtin_nan("") : result;
}
HEDDLE_MATH_INLINE double atanh(double x) {
    const double a = fabs(x);
    const double result = mul(0.5, log1p(add(a, a) / add(1.0, -a)));
    return a < 0x1p-26 ? fma(mul(mul(x, x), x), 0x1.5555555555555p-2, x) : copysign(result, x);
}

} // namespace heddle_math
