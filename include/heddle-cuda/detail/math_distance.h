// Lengths of vectors and their reciprocals. Accuracy: docs/cuda-math.md.
#pragma once
#pragma GCC system_header

#include "math_exact.h"

namespace heddle_math {

// Powers of two that bring the largest magnitude to where squares neither overflow nor lose bits to underflow, and
// back.
template <class Real>
struct Scale {
    Real there, back;
};
HEDDLE_MATH_INLINE Scale<float> scale_for_squares(float largest) {
    return largest > 0x1p60f    ? Scale<float>{0x1p-70f, 0x1p70f}
           : largest < 0x1p-40f ? Scale<float>{0x1p100f, 0x1p-100f}
                                : Scale<float>{1.0f, 1.0f};
}
HEDDLE_MATH_INLINE Scale<double> scale_for_squares(double largest) {
    return largest > 0x1p500    ? Scale<double>{0x1p-530, 0x1p530}
           : largest < 0x1p-400 ? Scale<double>{0x1p680, 0x1p-680}
                                : Scale<double>{1.0, 1.0};
}
template <class Real>
struct Length {
    Real root; // the length, scaled
    Scale<Real> scale;
};
// The length, or its reciprocal. An infinite coordinate decides, even where another one is not a number.
template <class Real>
HEDDLE_MATH_INLINE Real length_of(Real largest, Length<Real> l) {
    if (largest == Layout<Real>::kInfinity)
        return largest;
    return mul(l.root, l.scale.back);
}
template <class Real>
HEDDLE_MATH_INLINE Real reciprocal_of(Real largest, Length<Real> l) {
    if (largest == Layout<Real>::kInfinity)
        return Real(0);
    return mul(Real(1) / l.root, l.scale.there);
}
template <class Real>
HEDDLE_MATH_INLINE Real largest_of(Real a, Real b) { // fmax: a number wins over not a number
    return fmax(fabs(a), fabs(b));
}
template <class Real>
HEDDLE_MATH_INLINE Length<Real> scaled_length(Real largest, Real a, Real b, Real c, Real d) {
    const Scale<Real> scale = scale_for_squares(largest);
    const Real sa = mul(a, scale.there), sb = mul(b, scale.there), sc = mul(c, scale.there), sd = mul(d, scale.there);
    return {sqrt(fma(sa, sa, fma(sb, sb, fma(sc, sc, mul(sd, sd))))), scale};
}
template <class Real>
HEDDLE_MATH_INLINE Real norm4d(Real a, Real b, Real c, Real d) {
    const Real largest = fmax(largest_of(a, b), largest_of(c, d));
    return length_of(largest, scaled_length(largest, a, b, c, d));
}
template <class Real>
HEDDLE_MATH_INLINE Real rnorm4d(Real a, Real b, Real c, Real d) {
    const Real largest = fmax(largest_of(a, b), largest_of(c, d));
    return reciprocal_of(largest, scaled_length(largest, a, b, c, d));
}
template <class Real>
HEDDLE_MATH_INLINE Real norm3d(Real a, Real b, Real c) {
    return norm4d(a, b, c, Real(0));
}
template <class Real>
HEDDLE_MATH_INLINE Real rnorm3d(Real a, Real b, Real c) {
    return rnorm4d(a, b, c, Real(0));
}
template <class Real>
HEDDLE_MATH_INLINE Real rhypot(Real a, Real b) {
    return rnorm4d(a, b, Real(0), Real(0));
}

// Any number of coordinates, read twice: first for the largest. None: the length is 0.
template <class Real>
HEDDLE_MATH_INLINE Real largest_of(int count, const Real* p) {
    Real largest = Real(0);
    for (int i = 0; i < count; ++i)
        largest = largest_of(largest, p[i]);
    return largest;
}
template <class Real>
HEDDLE_MATH_INLINE Length<Real> scaled_length(Real largest, int count, const Real* p) {
    const Scale<Real> scale = scale_for_squares(largest);
    Real sum = Real(0), lost = Real(0); // `lost` collects what the additions round away
    for (int i = 0; i < count; ++i) {
        const Real value = mul(p[i], scale.there);
        const Real square = mul(value, value);
        const Real next = add(sum, square);
        const Real larger = fmax(sum, square), smaller = fmin(sum, square);
        lost = add(lost, add(smaller, add(larger, -next)));
        sum = next;
    }
    return {sqrt(add(sum, lost)), scale};
}
template <class Real>
HEDDLE_MATH_INLINE Real norm(int count, const Real* p) {
    const Real largest = largest_of(count, p);
    return length_of(largest, scaled_length(largest, count, p));
}
template <class Real>
HEDDLE_MATH_INLINE Real rnorm(int count, const Real* p) {
    const Real largest = largest_of(count, p);
    return reciprocal_of(largest, scaled_length(largest, count, p));
}

} // namespace heddle_math
