// Error functions, distances and remainders of double. Accuracy: docs/cuda-math.md.
#pragma once
#pragma GCC system_header

#include "math_double_exp.h"

namespace heddle_math {

HEDDLE_MATH_INLINE double erfc_positive(double x) {
    x = fmin(x, 28.0); // 0 from 27.3 on
    const double u = add(x, -4.0) / add(x, 4.0);
    const double scaled = add(erfcx_polynomial(u), 1.0) / fma(x, 2.0, 1.0);
    const double square = mul(x, x);
    const double lost = fma(x, x, -square);
    const double e = exp(-square);
    return mul(fma(e, -lost, e), scaled);
}
HEDDLE_MATH_INLINE double erf(double x) {
    const double a = fabs(x);
    const double small = fma(erf_polynomial(mul(x, x)), x, x);
    const double large = copysign(add(1.0, -erfc_positive(a)), x);
    return x != x ? x : a < 1.0 ? small : large;
}
HEDDLE_MATH_INLINE double erfc(double x) {
    const double a = fabs(x);
    const double tail = erfc_positive(a);
    const double positive = a < 0.5 ? add(1.0, -fma(erf_polynomial(mul(a, a)), a, a)) : tail;
    return x != x ? x : x < 0.0 ? add(2.0, -positive) : positive;
}
HEDDLE_MATH_INLINE double erfcx(double x) {
    if (x < 0.0) {
        const double square = mul(x, x);
        const double lost = fma(x, x, -square);
        const double e = exp(square);
        return e == __builtin_inf() ? e : mul(fma(e, lost, e), erfc(x));
    }
    if (x > 28.0) { // the asymptotic series
        const double t = 0.5 / mul(x, x);
        const double series = horner(t, 10395.0, -945.0, 105.0, -15.0, 3.0, -1.0);
        return mul(0x1.20dd750429b6dp-1 / x, fma(t, series, 1.0));
    }
    const double u = x < 4.0 ? add(add(x, x) / add(x, 4.0), -1.0) : add(x, -4.0) / add(x, 4.0);
    return add(erfcx_polynomial(u), 1.0) / fma(x, 2.0, 1.0);
}
HEDDLE_MATH_INLINE double normcdf(double x) {
    const double bounded = fmax(fmin(x, 40.0), -40.0);
    const double root = 0x1.6a09e667f3bcdp-1, root_low = -0x1.bdd3413b26456p-55; // sqrt(1/2)
    const double t = mul(bounded, -root);
    const double low = fma(bounded, -root_low, fma(bounded, -root, -t));
    const double value = erfc(t);
    const double corrected = t > 1.0 ? fma(mul(mul(t, low), -2.0), value, value) : value;
    return x != x ? x : mul(corrected, 0.5);
}

HEDDLE_MATH_INLINE double hypot(double x, double y) {
    const double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    const double down = a > 0x1p500 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1.0;
    const double up = a > 0x1p500 ? 0x1p600 : a < 0x1p-400 ? 0x1p-600 : 1.0;
    const double sa = mul(a, down), sb = mul(b, down);
    const double square = mul(sa, sa);
    const double sum = fma(sb, sb, square);
    const double lost = add(fma(sb, sb, add(square, -sum)), fma(sa, sa, -square));
    const double root = sqrt(sum);
    const double result = mul(root == 0.0 ? 0.0 : add(root, mul(lost, 0.5) / root), up);
    const bool infinite = fabs(x) == __builtin_inf() || fabs(y) == __builtin_inf();
    return infinite ? __builtin_inf() : x != x || y != y ? add(x, y) : result;
}

struct Remainder64 {
    double magnitude;
    unsigned quotient; // its lowest bits
};
// |x| mod |y|, exactly: the mantissa is divided in steps of 11 bits.
HEDDLE_MATH_INLINE Remainder64 remainder_magnitude(double x, double y) {
    int ex, ey;
    const unsigned long long divisor = static_cast<unsigned long long>(mul(frexp(fabs(y), &ey), 0x1p53));
    unsigned long long rest = static_cast<unsigned long long>(mul(frexp(fabs(x), &ex), 0x1p53));
    int steps = ex - ey;
    if (steps < 0)
        return {fabs(x), 0};
    unsigned long long quotient = 0;
    while (true) {
        const int step = steps < 11 ? steps : 11;
        const unsigned long long digits = (rest << step) / divisor;
        rest = (rest << step) - digits * divisor;
        quotient = (quotient << step) + digits;
        steps -= step;
        if (steps == 0)
            break;
    }
    return {ldexp(static_cast<double>(rest), ey - 53), static_cast<unsigned>(quotient)};
}
HEDDLE_MATH_INLINE double fmod(double x, double y) {
    if (!(fabs(x) < __builtin_inf()) || y != y || y == 0.0)
        return x != x || y != y ? add(x, y) : __builtin_nan("");
    if (fabs(y) == __builtin_inf())
        return x;
    return copysign(remainder_magnitude(x, y).magnitude, x);
}
// *quotient: the lowest three bits of the nearest whole quotient, as CUDA gives them, with its sign.
HEDDLE_MATH_INLINE double remquo(double x, double y, int* quotient) {
    *quotient = 0;
    if (!(fabs(x) < __builtin_inf()) || y != y || y == 0.0)
        return x != x || y != y ? add(x, y) : __builtin_nan("");
    if (fabs(y) == __builtin_inf())
        return x;
    const Remainder64 r = remainder_magnitude(x, y);
    // More than half of y, or exactly half with an odd quotient: the next multiple is nearer.
    const double other = add(fabs(y), -r.magnitude);
    const bool up = r.magnitude > other || (r.magnitude == other && (r.quotient & 1) != 0);
    const double magnitude = up ? -other : r.magnitude;
    const bool negative = bits<unsigned long long>(x) >> 63 != 0;
    const int bits_of_quotient = static_cast<int>((r.quotient + (up ? 1 : 0)) & 7);
    *quotient = negative != (bits<unsigned long long>(y) >> 63 != 0) ? -bits_of_quotient : bits_of_quotient;
    const double signed_value = negative ? -magnitude : magnitude;
    return signed_value == 0.0 ? copysign(0.0, x) : signed_value;
}
HEDDLE_MATH_INLINE double remainder(double x, double y) {
    int ignored;
    return remquo(x, y, &ignored);
}

} // namespace heddle_math
