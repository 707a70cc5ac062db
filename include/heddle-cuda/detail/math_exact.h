// Functions of a number's representation, whose results are exact.
#pragma once
#pragma GCC system_header

#include "math_simple.h"

namespace heddle_math {

template <class Real>
struct Layout;
template <>
struct Layout<float> {
    using Bits = unsigned;
    static constexpr float kInfinity = __builtin_inff(), kNan = __builtin_nanf("");
};
template <>
struct Layout<double> {
    using Bits = unsigned long long;
    static constexpr double kInfinity = __builtin_inf(), kNan = __builtin_nan("");
};

// CUDA's values for arguments without an exponent: the least int for 0 and NaN, the greatest for infinity.
template <class Real>
HEDDLE_MATH_INLINE int ilogb(Real x) {
    int n;
    frexp(x, &n);
    const int none = fabs(x) == Layout<Real>::kInfinity ? 0x7fffffff : -0x7fffffff - 1;
    return x != Real(0) && fabs(x) < Layout<Real>::kInfinity ? n - 1 : none;
}
template <class Real>
HEDDLE_MATH_INLINE Real logb(Real x) {
    const Real magnitude = fabs(x);
    if (magnitude == Real(0))
        return -Layout<Real>::kInfinity;
    return magnitude < Layout<Real>::kInfinity ? static_cast<Real>(ilogb(x)) : mul(x, x);
}
// Numbers of one sign are ordered as their bits are.
template <class Real>
HEDDLE_MATH_INLINE Real nextafter(Real x, Real y) {
    using Bits = typename Layout<Real>::Bits;
    if (x != x || y != y)
        return add(x, y);
    if (x == y)
        return y;
    if (x == Real(0))
        return copysign(bits<Real>(Bits(1)), y);
    const bool away_from_zero = (x < y) == (x > Real(0));
    return bits<Real>(away_from_zero ? bits<Bits>(x) + 1 : bits<Bits>(x) - 1);
}
template <class Real>
HEDDLE_MATH_INLINE Real scalbln(Real x, long n) {
    return ldexp(x, static_cast<int>(n < -10000 ? -10000 : n > 10000 ? 10000 : n));
}

} // namespace heddle_math
