// The gamma function and its logarithm. Accuracy: docs/cuda-math.md.
//
// Near 0 by polynomials about the nearest whole number n, with u = x - n: Gamma(x) is Gamma(1 + u) times or over
// factors that are x plus whole numbers, all of them exact. Beyond that Stirling's formula, in powers of two and with
// the main part as a pair, since its absolute error becomes the relative one of the result.
#pragma once
#pragma GCC system_header

#include "math_double_trig.h"
#include "math_exact.h"
#include "math_float_trig.h"
#include "math_special_polynomials.h"

namespace heddle_math {

template <class Real>
struct GammaConstants;
template <>
struct GammaConstants<float> {
    using Pair = Pair32;
    static constexpr float kStirling = 4.5f; // where Stirling's formula begins
    static constexpr float kBeyond = 60.0f;  // Gamma(x) is infinite, Gamma(-x) zero
    static constexpr float kPi = 0x1.921fb6p+1f;
    static constexpr float kLog2e = 0x1.715476p+0f, kLog2eLow = 0x1.4ae0cp-26f;
    static constexpr float kLn2 = 0x1.62e43p-1f, kLn2Low = -0x1.05c610p-29f;
    static constexpr float kRoot = 0x1.53643ap+0f, kRootLow = -0x1.6ce442p-26f; // log2(sqrt(2 pi))
};
template <>
struct GammaConstants<double> {
    using Pair = Pair64;
    static constexpr double kStirling = 7.5;
    static constexpr double kBeyond = 200.0;
    static constexpr double kPi = 0x1.921fb54442d18p+1;
    static constexpr double kLog2e = 0x1.71547652b82fep+0, kLog2eLow = 0x1.777d0ffda0d24p-56;
    static constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLn2Low = 0x1.abc9e3b39803fp-56;
    static constexpr double kRoot = 0x1.536439a4c6efcp+0, kRootLow = -0x1.49e49a361efebp-54;
};

// log2(Gamma(x)) for x >= kStirling: (x - 1/2) log2(x) - x log2(e) + log2(sqrt(2 pi)) + binet / x * log2(e).
template <class Real>
HEDDLE_MATH_INLINE typename GammaConstants<Real>::Pair log2_gamma(Real x) {
    using C = GammaConstants<Real>;
    const auto l = log2_pair(x);
    const Real a = add(x, Real(-0.5));
    const Real power = mul(a, l.high);
    const Real power_low = fma(a, l.low, fma(a, l.high, -power));
    const Real linear = mul(x, -C::kLog2e);
    const Real linear_low = fma(x, -C::kLog2eLow, fma(x, -C::kLog2e, -linear));
    const auto main = quick_sum(power, linear);
    const auto sum = quick_sum(main.high, C::kRoot);
    const Real inverse = Real(1) / x;
    const Real series = mul(binet_polynomial(mul(inverse, inverse)), inverse);
    const Real low = add(add(power_low, linear_low), add(add(main.low, sum.low), C::kRootLow));
    return quick_sum(sum.high, fma(series, C::kLog2e, low));
}
// factor 2^(high + low), |high| < 2000 or so; only the last product rounds to the grid of subnormal numbers.
HEDDLE_MATH_INLINE float scaled_exp2(float high, float low, float factor) {
    const float j = clamp_exponent(rint(high));
    return mul(mul(ex2(add(add(high, -j), low)), factor), ex2(j));
}
HEDDLE_MATH_INLINE double scaled_exp2(double high, double low, double factor) {
    const double j = rint(high);
    const double difference = add(high, -j);
    const double f = add(difference, low);
    const double rest = add(add(difference, -f), low);
    const double r = mul(f, kLn2F64);
    const double r_low = fma(rest, kLn2F64, fma(f, kLn2LowF64, fma(f, kLn2F64, -r)));
    return ldexp(mul(scale_exp(r, r_low, 0.0), factor), static_cast<int>(j));
}

// (x + first) (x + first + 1) ... (x + last), 1 if there is no factor. The sums are exact where this is used.
template <class Real>
HEDDLE_MATH_INLINE Real rising_product(Real x, int first, int last) {
    Real product = Real(1);
    for (int k = first; k <= last; ++k)
        product = mul(product, add(x, static_cast<Real>(k)));
    return product;
}
template <class Real>
HEDDLE_MATH_INLINE Real gamma_near(Real x) {
    const Real whole = rint(x);
    const int n = static_cast<int>(whole);
    const Real reciprocal = rgamma_polynomial(add(x, -whole));
    if (n > 0)
        return rising_product(x, 1 - n, -1) / reciprocal;
    return Real(1) / mul(rising_product(x, 0, -n), reciprocal);
}
// For x <= -kStirling: Gamma(x) = -pi / (|x| sin(pi |x|) Gamma(|x|)).
template <class Real>
HEDDLE_MATH_INLINE Real gamma_reflected(Real a) {
    using C = GammaConstants<Real>;
    const auto l = log2_gamma(fmin(a, C::kBeyond));
    return scaled_exp2(-l.high, -l.low, -C::kPi / mul(sinpi(a), a));
}
template <class Real>
HEDDLE_MATH_INLINE Real tgamma(Real x) {
    using C = GammaConstants<Real>;
    if (x == Real(0))
        return Real(1) / x;
    if (fabs(x) < C::kStirling)
        return x < Real(0) && rint(x) == x ? Layout<Real>::kNan : gamma_near(x);
    if (x > Real(0)) {
        const auto l = log2_gamma(fmin(x, C::kBeyond));
        return x > C::kBeyond ? Layout<Real>::kInfinity : scaled_exp2(l.high, l.low, Real(1));
    }
    return x != x || rint(x) == x ? (x != x ? x : Layout<Real>::kNan) : gamma_reflected(-x);
}

template <class Real>
HEDDLE_MATH_INLINE Real lgamma_near(Real x) {
    const Real whole = rint(x);
    const int n = static_cast<int>(whole);
    const Real u = add(x, -whole);
    const Real one = mul(u, lgamma_one_polynomial(u));
    if (n <= 0)
        return add(one, -log(fabs(rising_product(x, 0, -n))));
    const Real two = mul(u, lgamma_two_polynomial(u));
    // +0 at 1, where u times a negative number is -0
    return n == 1 ? add(one, Real(0)) : n == 2 ? two : add(two, log(rising_product(x, 2 - n, -1)));
}
template <class Real>
HEDDLE_MATH_INLINE Real lgamma_far(Real x) {
    using C = GammaConstants<Real>;
    if (x > Real(0x1p60)) // what is left of the formula; its pairs could leave the range
        return mul(x, add(log(x), Real(-1)));
    const auto l = log2_gamma(x);
    return fma(l.high, C::kLn2, fma(l.high, C::kLn2Low, mul(l.low, C::kLn2)));
}
template <class Real>
HEDDLE_MATH_INLINE Real lgamma(Real x) {
    using C = GammaConstants<Real>;
    const Real a = fabs(x);
    if (x != x)
        return x;
    if (a == Layout<Real>::kInfinity || (x <= Real(0) && rint(x) == x))
        return Layout<Real>::kInfinity;
    if (a < C::kStirling)
        return lgamma_near(x);
    const Real far = lgamma_far(a);
    return x > Real(0) ? far : add(log(C::kPi / mul(fabs(sinpi(a)), a)), -far);
}

} // namespace heddle_math
