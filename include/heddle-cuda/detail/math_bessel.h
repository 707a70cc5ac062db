// Bessel functions. Accuracy: docs/cuda-math.md.
#pragma once
#pragma GCC system_header

#include "math_double_trig.h"
#include "math_exact.h"
#include "math_float_trig.h"
#include "math_special_polynomials.h"

namespace heddle_math {

// Modified functions: series in x*x up to 8, beyond that e^x / sqrt(x) times a function of 1/x. The exponential in two
// halves: the result is finite for longer than e^x.
template <class Real>
HEDDLE_MATH_INLINE Real grow(Real a, Real slow) {
    const Real e = exp(mul(a, Real(0.5)));
    return e == Layout<Real>::kInfinity ? e : mul(mul(e, slow / sqrt(a)), e);
}
template <class Real>
HEDDLE_MATH_INLINE Real cyl_bessel_i0(Real x) {
    const Real a = fabs(x);
    const Real z = mul(a, a);
    if (a <= Real(8))
        return fma(z, i0_polynomial(z), Real(1));
    return grow(a, i0_large_polynomial(add(Real(16) / a, Real(-1))));
}
template <class Real>
HEDDLE_MATH_INLINE Real cyl_bessel_i1(Real x) {
    const Real a = fabs(x);
    const Real z = mul(a, a);
    if (a <= Real(8))
        return mul(x, fma(z, i1_polynomial(z), Real(0.5)));
    return copysign(grow(a, i1_large_polynomial(add(Real(16) / a, Real(-1)))), x);
}

// A zero of a Bessel function, and the square of one.
template <class Real>
struct Zero {
    Real high, low;
};
template <class Real>
struct BesselZeros;
template <>
struct BesselZeros<float> {
    static constexpr Zero<float> kJ0First{0x1.33d152p+1f, 0x1.d2e368p-24f}, kJ0Second{0x1.6148f6p+2f, -0x1.34f46ep-24f};
    static constexpr Zero<float> kJ1First{0x1.ea7558p+1f, -0x1.4a121ep-24f}, kJ1Second{0x1.c0ff6p+2f, -0x1.8971b6p-23f};
    static constexpr Zero<float> kJ0ThirdSquare{0x1.2b8c4cp+6f, -0x1.f7aa26p-20f},
        kJ1ThirdSquare{0x1.9dff7p+6f, 0x1.af0bc6p-19f};
    static constexpr Zero<float> kY0First{0x1.c982ecp-1f, -0x1.cafa06p-27f};
    static constexpr Zero<float> kY0Second{0x1.fa9534p+1f, 0x1.b30ad4p-24f};
    static constexpr Zero<float> kY0Third{0x1.c581dcp+2f, 0x1.39c84p-24f};
    static constexpr Zero<float> kY1First{0x1.193beep+1f, -0x1.6401b8p-24f};
    static constexpr Zero<float> kY1Second{0x1.5b7fe4p+2f, 0x1.d0f606p-23f};
};
template <>
struct BesselZeros<double> {
    static constexpr Zero<double> kJ0First{0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53};
    static constexpr Zero<double> kJ0Second{0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54};
    static constexpr Zero<double> kJ1First{0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53};
    static constexpr Zero<double> kJ1Second{0x1.c0ff5f3b4725p+2, -0x1.b226d9d243827p-54};
    static constexpr Zero<double> kJ0ThirdSquare{0x1.2b8c4b8215768p+6, 0x1.ecdd94e0187e2p-50};
    static constexpr Zero<double> kJ1ThirdSquare{0x1.9dff70d785e2cp+6, -0x1.41014eaf35cf6p-49};
    static constexpr Zero<double> kY0First{0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56};
    static constexpr Zero<double> kY0Second{0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54};
    static constexpr Zero<double> kY0Third{0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54};
    static constexpr Zero<double> kY1First{0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55};
    static constexpr Zero<double> kY1Second{0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52};
};
// a*a - zero^2 with all its bits close to the zero.
template <class Real>
HEDDLE_MATH_INLINE Real from_zero(Real a, Zero<Real> zero) {
    return mul(add(add(a, -zero.high), -zero.low), add(a, zero.high));
}
template <class Real>
HEDDLE_MATH_INLINE Real to_zero(Real a, Zero<Real> square) { // square - a*a
    return add(fma(-a, a, square.high), square.low);
}
// The functions up to 8: their zeros times a polynomial.
template <class Real>
HEDDLE_MATH_INLINE Real j0_small(Real a) {
    using Z = BesselZeros<Real>;
    const Real zeros = mul(mul(from_zero(a, Z::kJ0First), from_zero(a, Z::kJ0Second)), to_zero(a, Z::kJ0ThirdSquare));
    return mul(zeros, j0_polynomial(fma(mul(a, a), Real(0.03125), Real(-1))));
}
template <class Real>
HEDDLE_MATH_INLINE Real j1_small(Real a) {
    using Z = BesselZeros<Real>;
    const Real zeros = mul(mul(from_zero(a, Z::kJ1First), from_zero(a, Z::kJ1Second)), to_zero(a, Z::kJ1ThirdSquare));
    return mul(mul(zeros, j1_polynomial(fma(mul(a, a), Real(0.03125), Real(-1)))), a);
}
// Beyond 8 they are waves: sqrt(2 / (pi x)) (P cos - Q sin)(x - pi/4 - order * pi/2), Y with sine and cosine exchanged.
template <class Real>
struct Wave {
    Real j, y;
};
template <class Real>
HEDDLE_MATH_INLINE Wave<Real> wave(Real x, int order) {
    if (!(x < Layout<Real>::kInfinity))
        return {x != x ? x : Real(0), x != x ? x : Real(0)};
    Real sine, cosine;
    sincos(x, &sine, &cosine);
    const Real eighth = Real(8) / x;
    const Real w = mul(eighth, eighth);
    const Real p = order == 0 ? p0_polynomial(w) : p1_polynomial(w);
    const Real q = (order == 0 ? q0_polynomial(w) : q1_polynomial(w)) / x;
    // sqrt(2) times the cosine and sine of x - pi/4, or of a quarter turn less.
    const Real sum = add(sine, cosine), difference = add(sine, -cosine);
    const Real c = order == 0 ? sum : difference, s = order == 0 ? difference : -sum;
    const Real amplitude = Real(0x1.20dd750429b6dp-1) / sqrt(x); // sqrt(1 / (pi x))
    return {mul(fma(p, c, -mul(q, s)), amplitude), mul(fma(p, s, mul(q, c)), amplitude)};
}
template <class Real>
HEDDLE_MATH_INLINE Real j0(Real x) {
    const Real a = fabs(x);
    return a <= Real(8) ? j0_small(a) : wave(a, 0).j;
}
template <class Real>
HEDDLE_MATH_INLINE Real j1(Real x) {
    const Real a = fabs(x);
    const Real result = a <= Real(8) ? j1_small(a) : wave(a, 1).j;
    return bits<typename Layout<Real>::Bits>(x) >> (8 * sizeof(Real) - 1) != 0 ? -result : result;
}
// Y up to 8: around its zeros a polynomial times the distance to the zero.
template <class Real>
HEDDLE_MATH_INLINE Real distance(Real x, Zero<Real> zero) {
    return add(add(x, -zero.high), -zero.low);
}
template <class Real>
HEDDLE_MATH_INLINE Real y0_small(Real x) {
    using Z = BesselZeros<Real>;
    if (x > Real(5.5))
        return mul(distance(x, Z::kY0Third), y0_third_polynomial(add(x, Real(-6.75))));
    if (x > Real(2))
        return mul(distance(x, Z::kY0Second), y0_second_polynomial(add(x, Real(-3.75))));
    // log(x / zero): close to the zero from the distance to it.
    const Real inverse = Real(0x1.1e7d3131dd6bap+0);
    const Real logarithm =
        x < Real(0.5) ? add(log(x), Real(0x1.cce4b73e6f025p-4)) : log1p(mul(distance(x, Z::kY0First), inverse));
    const Real regular = mul(from_zero(x, Z::kY0First), y0_polynomial(mul(x, x)));
    return fma(mul(logarithm, Real(0x1.45f306dc9c883p-1)), j0_small(x), regular);
}
template <class Real>
HEDDLE_MATH_INLINE Real y1_small(Real x) {
    using Z = BesselZeros<Real>;
    if (x > Real(4))
        return mul(distance(x, Z::kY1Second), y1_second_polynomial(add(x, Real(-6))));
    if (x > Real(1.25))
        return mul(distance(x, Z::kY1First), y1_first_polynomial(add(x, Real(-2.625))));
    const Real two_over_pi = Real(0x1.45f306dc9c883p-1);
    const Real regular = fma(mul(log(x), two_over_pi), j1_small(x), mul(y1_polynomial(mul(x, x)), x));
    return add(regular, -two_over_pi / x);
}
template <class Real>
HEDDLE_MATH_INLINE Real y0(Real x) {
    if (!(x > Real(0)))
        return x == Real(0) ? -Layout<Real>::kInfinity : Layout<Real>::kNan;
    return x > Real(8) ? wave(x, 0).y : y0_small(x);
}
template <class Real>
HEDDLE_MATH_INLINE Real y1(Real x) {
    if (!(x > Real(0)))
        return x == Real(0) ? -Layout<Real>::kInfinity : Layout<Real>::kNan;
    return x > Real(8) ? wave(x, 1).y : y1_small(x);
}

// J of order n: up the orders while they are below x, where that is stable, and from there on by the ratios of
// neighbours, which a continued fraction gives from above: r(k) = J(k) / J(k - 1) = 1 / (2k/x - r(k + 1)).
template <class Real>
HEDDLE_MATH_INLINE Real j_by_ratios(int from, int n, Real x) {
    // So many orders more that the fraction has settled, also where n is close to x: its terms settle like an Airy
    // function, over a length that grows with the cube root.
    const int more = 12 + static_cast<int>(8.0f * ex2(mul(lg2(static_cast<float>(n)), 0.33333334f)));
    Real ratio = Real(0), product = Real(1);
    for (int k = n + more; k > from; --k) {
        ratio = Real(1) / add(mul(Real(2), static_cast<Real>(k)) / x, -ratio);
        product = k <= n ? mul(product, ratio) : product;
    }
    return product;
}
template <class Real>
HEDDLE_MATH_INLINE Real jn(int n, Real x) {
    const Real a = fabs(x);
    if (n < 0 || x != x)
        return Layout<Real>::kNan;
    const bool odd = (n & 1) != 0;
    if (a == Real(0) || a == Layout<Real>::kInfinity)
        return n == 0 && a == Real(0) ? Real(1) : odd ? copysign(Real(0), x) : Real(0);
    const int up_to = n > 1 && a < static_cast<Real>(n) ? static_cast<int>(a) : n;
    Real before = j0(a), value = up_to == 0 ? before : j1(a);
    for (int k = 1; k < up_to; ++k) {
        const Real next = fma(mul(Real(2), static_cast<Real>(k)) / a, value, -before);
        before = value;
        value = next;
    }
    if (up_to < n)
        value = mul(value, j_by_ratios(up_to, n, a));
    return x < Real(0) && odd ? -value : value;
}
template <class Real>
HEDDLE_MATH_INLINE Real yn(int n, Real x) {
    if (n < 0)
        return Layout<Real>::kNan;
    Real before = y0(x);
    if (n == 0)
        return before;
    Real value = y1(x);
    for (int k = 1; k < n && value > -Layout<Real>::kInfinity; ++k) {
        const Real next = fma(mul(Real(2), static_cast<Real>(k)) / x, value, -before);
        before = value;
        value = next;
    }
    return value;
}

} // namespace heddle_math
