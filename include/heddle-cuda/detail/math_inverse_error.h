// Inverses of the error functions and of the normal distribution. Accuracy: docs/cuda-math.md.
//
// erfinv(x) / x is a smooth function of x*x, away from 0 of w = -log(1 - x*x), and for large w of sqrt(w): polynomials
// in pieces. In w the argument enters with half its relative error or less. The polynomials are for the difference from
// a whole number of quarters, so that the rounding of their last coefficient costs nothing.
#pragma once
#pragma GCC system_header

#include "math_double_exp.h"
#include "math_exact.h"
#include "math_special_polynomials.h"

namespace heddle_math {

HEDDLE_MATH_INLINE float erfinv_ratio(float w) {
    if (w <= 6.0f)
        return add(erfinv_polynomial(add(w, -3.0f)), 1.25f);
    const float s = sqrt(w);
    return s < 4.125f ? add(erfinv_middle_polynomial(add(s, -3.3f)), 3.0f)
                      : add(erfinv_far_polynomial(add(s, -7.25f)), 7.0f);
}
HEDDLE_MATH_INLINE double erfinv_ratio(double w) {
    if (w <= 6.0)
        return add(erfinv_polynomial(add(w, -3.0)), 1.25);
    const double s = sqrt(w);
    if (s < 4.125)
        return add(erfinv_middle_polynomial(add(s, -3.3)), 3.0);
    return s < 10.3 ? add(erfinv_far_polynomial(add(s, -7.25)), 7.0) : erfinv_farthest_polynomial(add(s, -18.8));
}
// x sqrt(pi)/2 + x times a small rest
template <class Real>
HEDDLE_MATH_INLINE Real erfinv_small(Real x) {
    const Real head = Real(0.875);
    return fma(x, head, mul(x, erfinv_small_polynomial(mul(x, x))));
}
template <class Real>
HEDDLE_MATH_INLINE Real erfinv(Real x) {
    if (fabs(x) <= Real(0.5625))
        return erfinv_small(x);
    const Real result = mul(erfinv_ratio(-log(fma(-x, x, Real(1)))), x);
    const Real outside = fabs(x) == Real(1) ? copysign(Layout<Real>::kInfinity, x) : Layout<Real>::kNan;
    return fabs(x) < Real(1) ? result : outside;
}
// erfinv(1 - y): 1 - x*x is y (2 - y), which keeps all bits of a small y.
template <class Real>
HEDDLE_MATH_INLINE Real erfcinv(Real y) {
    const Real x = add(Real(1), -y);
    if (fabs(x) <= Real(0.5625))
        return erfinv_small(x);
    const Real rest = y < Real(0.5) ? mul(y, add(Real(2), -y)) : fma(-x, x, Real(1));
    const Real result = mul(erfinv_ratio(-log(rest)), x);
    const Real end = y == Real(0) ? Layout<Real>::kInfinity : -Layout<Real>::kInfinity;
    const Real outside = y == Real(0) || y == Real(2) ? end : Layout<Real>::kNan;
    return y > Real(0) && y < Real(2) ? result : outside;
}
template <class Real>
HEDDLE_MATH_INLINE Real normcdfinv(Real p) {
    const Real root = Real(0x1.6a09e667f3bcdp+0);        // sqrt(2)
    return add(mul(erfcinv(add(p, p)), -root), Real(0)); // 1/2 gives +0
}

} // namespace heddle_math
