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
// A sum of squares, and what its roundings have lost.
template <class Real>
struct Squares {
    Real sum, lost;
};
template <class Real>
HEDDLE_MATH_INLINE Squares<Real> add_square(Squares<Real> s, Real value) {
    const Real square = mul(value, value);
    const Real sum = add(s.sum, square);
    const Real part = add(sum, -s.sum); // of the square; the rest of either number is lost
    const Real lost = add(add(s.sum, -add(sum, -part)), add(square, -part));
    return {sum, add(s.lost, add(lost, fma(value, value, -square)))};
}
template <class Real>
HEDDLE_MATH_INLINE Squares<Real> squares(Real scale, Real a) {
    const Real value = mul(a, scale);
    const Real square = mul(value, value);
    return {square, fma(value, value, -square)};
}
template <class Real, class... Rest>
HEDDLE_MATH_INLINE Squares<Real> squares(Real scale, Real a, Rest... rest) {
    return add_square(squares(scale, rest...), mul(a, scale));
}
// The root of the sum, and its inverse by one step of Newton's method: what was lost counts half.
template <class Real>
HEDDLE_MATH_INLINE Real root_of(Squares<Real> s) {
    const Real root = sqrt(s.sum);
    return s.sum == Real(0) ? Real(0) : add(root, mul(s.lost, Real(0.5)) / root);
}
template <class Real>
HEDDLE_MATH_INLINE Real inverse_root_of(Squares<Real> s) {
    const Real y = Real(1) / sqrt(s.sum);
    const Real product = mul(s.sum, y);
    const Real low = fma(s.lost, y, fma(s.sum, y, -product));
    const Real rest = fma(-low, y, fma(-product, y, Real(1))); // 1 - sum y^2
    return s.sum == Real(0) ? y : fma(mul(y, Real(0.5)), rest, y);
}
// The largest magnitude; a number wins over not a number. An infinite one decides the length, whatever else there is.
template <class Real>
HEDDLE_MATH_INLINE Real largest_of(Real a) {
    return fabs(a);
}
template <class Real, class... Rest>
HEDDLE_MATH_INLINE Real largest_of(Real a, Rest... rest) {
    return fmax(fabs(a), largest_of(rest...));
}
template <class Real, class... Rest>
HEDDLE_MATH_INLINE Real length_of(Real a, Rest... rest) {
    const Real largest = largest_of(a, rest...);
    const Scale<Real> scale = scale_for_squares(largest);
    const Real length = mul(root_of(squares(scale.there, a, rest...)), scale.back);
    return largest == Layout<Real>::kInfinity ? largest : length;
}
template <class Real, class... Rest>
HEDDLE_MATH_INLINE Real inverse_length_of(Real a, Rest... rest) {
    const Real largest = largest_of(a, rest...);
    const Scale<Real> scale = scale_for_squares(largest);
    const Real inverse = mul(inverse_root_of(squares(scale.there, a, rest...)), scale.there);
    return largest == Layout<Real>::kInfinity ? Real(0) : inverse;
}
template <class Real>
HEDDLE_MATH_INLINE Real norm3d(Real a, Real b, Real c) {
    return length_of(a, b, c);
}
template <class Real>
HEDDLE_MATH_INLINE Real norm4d(Real a, Real b, Real c, Real d) {
    return length_of(a, b, c, d);
}
template <class Real>
HEDDLE_MATH_INLINE Real rhypot(Real a, Real b) {
    return inverse_length_of(a, b);
}
template <class Real>
HEDDLE_MATH_INLINE Real rnorm3d(Real a, Real b, Real c) {
    return inverse_length_of(a, b, c);
}
template <class Real>
HEDDLE_MATH_INLINE Real rnorm4d(Real a, Real b, Real c, Real d) {
    return inverse_length_of(a, b, c, d);
}

// Any number of coordinates, read twice: first for the largest. None: the length is 0.
template <class Real>
HEDDLE_MATH_INLINE Real largest_in(int count, const Real* p) {
    Real largest = Real(0);
    for (int i = 0; i < count; ++i)
        largest = largest_of(largest, p[i]);
    return largest;
}
template <class Real>
HEDDLE_MATH_INLINE Squares<Real> squares_in(Real scale, int count, const Real* p) {
    Squares<Real> sum{Real(0), Real(0)};
    for (int i = 0; i < count; ++i)
        sum = add_square(sum, mul(p[i], scale));
    return sum;
}
template <class Real>
HEDDLE_MATH_INLINE Real norm(int count, const Real* p) {
    const Real largest = largest_in(count, p);
    const Scale<Real> scale = scale_for_squares(largest);
    const Real length = mul(root_of(squares_in(scale.there, count, p)), scale.back);
    return largest == Layout<Real>::kInfinity ? largest : length;
}
template <class Real>
HEDDLE_MATH_INLINE Real rnorm(int count, const Real* p) {
    const Real largest = largest_in(count, p);
    const Scale<Real> scale = scale_for_squares(largest);
    const Real inverse = mul(inverse_root_of(squares_in(scale.there, count, p)), scale.there);
    return largest == Layout<Real>::kInfinity ? Real(0) : inverse;
}

} // namespace heddle_math
