// Made by tools/fit-math: polynomials of the device's math functions, evaluated with fma from the highest term.
#pragma once
#pragma GCC system_header

#include "math_simple.h"

namespace heddle_math {

template <class Real>
HEDDLE_MATH_INLINE Real horner(Real, Real sum) {
    return sum;
}
template <class Real, class... Rest>
HEDDLE_MATH_INLINE Real horner(Real x, Real sum, Real next, Rest... rest) {
    return horner(x, fma(sum, x, next), rest...);
}

// (log1p(s) - s + s*s/2) / s^3, |s| <= 1/3
HEDDLE_MATH_INLINE float log1p_polynomial(float x) {
    return horner(x, -0x1.b610560000000p-4f, 0x1.dc5d3e0000000p-4f, -0x1.8fa4240000000p-4f, 0x1.bc68aa0000000p-4f, -0x1.0034120000000p-3f, 0x1.24ca3a0000000p-3f, -0x1.55549a0000000p-3f, 0x1.9998d00000000p-3f, -0x1.0000000000000p-2f, 0x1.5555560000000p-2f);
}

// (2 atanh(u) - 2u) / u^3 in z = u*u, |u| <= 0.1717
HEDDLE_MATH_INLINE double log_ratio_polynomial(double x) {
    return horner(x, 0x1.0c2c748b6f13cp-3, 0x1.0fbaab3c72fc6p-3, 0x1.3b1c5ae500a38p-3, 0x1.745cf85360411p-3, 0x1.c71c720302bd8p-3, 0x1.2492492475dbcp-2, 0x1.9999999999a3ep-2, 0x1.5555555555555p-1);
}

// (log2((1+u)/(1-u)) - (2/ln2)(u + u^3/3)) / u^5 in z = u*u
HEDDLE_MATH_INLINE float log2_tail_polynomial(float x) {
    return horner(x, 0x1.1a98da0000000p-2f, 0x1.4807d80000000p-2f, 0x1.a617ca0000000p-2f, 0x1.2776c60000000p-1f);
}
HEDDLE_MATH_INLINE double log2_tail_polynomial(double x) {
    return horner(x, 0x1.5ab5e8bdce42fp-3, 0x1.59d8585c234c4p-3, 0x1.89ff211743cbdp-3, 0x1.c68f2d8e30d02p-3, 0x1.0c9a84c10fb2cp-2, 0x1.484b13d79a402p-2, 0x1.a61762a7adfb5p-2, 0x1.2776c50ef9bfep-1);
}

// (expm1(r) - r - r*r/2) / r^3, |r| <= 0.35
HEDDLE_MATH_INLINE float expm1_polynomial(float x) {
    return horner(x, 0x1.a0fcce0000000p-13f, 0x1.6d15f80000000p-10f, 0x1.1110f60000000p-7f, 0x1.5555160000000p-5f, 0x1.5555560000000p-3f);
}
HEDDLE_MATH_INLINE double expm1_polynomial(double x) {
    return horner(x, 0x1.1f6942ca28386p-29, 0x1.af3cd7b3560d9p-26, 0x1.27e4e0f0f6358p-22, 0x1.71de0be80e7e8p-19, 0x1.a01a01a4be7f8p-16, 0x1.a01a01a83a3a3p-13, 0x1.6c16c16c1678ap-10, 0x1.111111111091ap-7, 0x1.5555555555555p-5, 0x1.5555555555556p-3);
}

// (sin(r) - r) / r^3 in z = r*r, |r| <= pi/4
HEDDLE_MATH_INLINE float sin_polynomial(float x) {
    return horner(x, 0x1.6dbcec0000000p-19f, -0x1.a013a40000000p-13f, 0x1.11110e0000000p-7f, -0x1.5555560000000p-3f);
}
HEDDLE_MATH_INLINE double sin_polynomial(double x) {
    return horner(x, -0x1.ab16e9f2b693ep-41, 0x1.61217d7e3619cp-33, -0x1.ae645410cfd07p-26, 0x1.71de3a545f74cp-19, -0x1.a01a01a01992fp-13, 0x1.1111111111110p-7, -0x1.5555555555555p-3);
}

// (cos(r) - 1 + r*r/2) / r^4 in z = r*r, |r| <= pi/4
HEDDLE_MATH_INLINE float cos_polynomial(float x) {
    return horner(x, 0x1.9bd7780000000p-16f, -0x1.6c12d00000000p-10f, 0x1.5555540000000p-5f);
}
HEDDLE_MATH_INLINE double cos_polynomial(double x) {
    return horner(x, -0x1.907cce35dd891p-37, 0x1.1eeb67c12a0b4p-29, -0x1.27e4fa16bdc76p-22, 0x1.a01a019f4dd4cp-16, -0x1.6c16c16c16963p-10, 0x1.5555555555555p-5);
}

// (tan(r) - r) / r^3 in z = r*r, |r| <= pi/4
HEDDLE_MATH_INLINE float tan_polynomial(float x) {
    return horner(x, 0x1.f84d900000000p-9f, 0x1.34c9380000000p-10f, 0x1.4697680000000p-7f, 0x1.62380a0000000p-6f, 0x1.ba52f40000000p-5f, 0x1.1110860000000p-3f, 0x1.5555560000000p-2f);
}
HEDDLE_MATH_INLINE double tan_polynomial(double x) {
    return horner(x, 0x1.1d59bfdec8a15p-17, -0x1.34ba4f5e53e7cp-16, 0x1.33a8fc3777bc5p-15, -0x1.7764161d96868p-17, 0x1.d35754828891cp-15, 0x1.792c499b79d10p-14, 0x1.f9ee6b0615a6cp-13, 0x1.351ad6ed7bb1dp-11, 0x1.7da808a1753eap-10, 0x1.d6d3937addf06p-9, 0x1.226e3666734c2p-7, 0x1.664f487d6dfb6p-6, 0x1.ba1ba1ba29fcep-5, 0x1.1111111111097p-3, 0x1.5555555555555p-2);
}

// (asin(x) - x) / x^3 in z = x*x, |x| <= 0.5625
HEDDLE_MATH_INLINE float asin_polynomial(float x) {
    return horner(x, 0x1.431f420000000p-5f, 0x1.04e9060000000p-8f, 0x1.a23b720000000p-6f, 0x1.ebc2860000000p-6f, 0x1.6de0aa0000000p-5f, 0x1.3332c80000000p-4f, 0x1.5555560000000p-3f);
}
HEDDLE_MATH_INLINE double asin_polynomial(double x) {
    return horner(x, 0x1.bf799ea1f4890p-5, -0x1.1f619927bc4ccp-4, 0x1.ff5f91224c555p-5, -0x1.46f2142436090p-6, 0x1.feef38c109e77p-7, 0x1.aec0fc4483cbdp-8, 0x1.492a04c396aa0p-7, 0x1.797f6b8252041p-7, 0x1.c9ae29dd9f58cp-7, 0x1.1c4e392c43fd1p-6, 0x1.6e8ba7bb02a58p-6, 0x1.f1c71c583a649p-6, 0x1.6db6db6dda324p-5, 0x1.33333333331ffp-4, 0x1.5555555555555p-3);
}

// (atan(x) - x) / x^3 in z = x*x, |x| <= 1
HEDDLE_MATH_INLINE float atan_polynomial(float x) {
    return horner(x, 0x1.86406c0000000p-10f, -0x1.2ba6b60000000p-7f, 0x1.aefb2c0000000p-6f, -0x1.9115a40000000p-5f, 0x1.2006f80000000p-4f, -0x1.6dd8fe0000000p-4f, 0x1.c62cda0000000p-4f, -0x1.2489520000000p-3f, 0x1.9999560000000p-3f, -0x1.5555560000000p-2f);
}
HEDDLE_MATH_INLINE double atan_polynomial(double x) {
    return horner(x, -0x1.8d087295ab9f4p-17, 0x1.1f0adb240a1fbp-13, -0x1.8a2f3ae537bb1p-11, 0x1.57cc888719aa0p-9, -0x1.aef1a8e977bf8p-8, 0x1.a1fe88baf72d4p-7, -0x1.4b974a27ac39fp-6, 0x1.c3ac54a572735p-6, -0x1.147b2825d82f6p-5, 0x1.3d3f26d5ea7ffp-5, -0x1.60ebd1489b946p-5, 0x1.854a7b99af61dp-5, -0x1.af00bd568a3d2p-5, 0x1.e1dc0d7679adcp-5, -0x1.1110bfea8ed5ep-4, 0x1.3b13aaf4aba4ap-4, -0x1.745d16f26d0a3p-4, 0x1.c71c71c472843p-4, -0x1.249249248c7dap-3, 0x1.99999999998f9p-3, -0x1.5555555555555p-2);
}

// (sinh(x) - x) / x^3 in z = x*x, |x| <= 1
HEDDLE_MATH_INLINE float sinh_polynomial(float x) {
    return horner(x, 0x1.78a70e0000000p-19f, 0x1.a009000000000p-13f, 0x1.11111e0000000p-7f, 0x1.5555560000000p-3f);
}
HEDDLE_MATH_INLINE double sinh_polynomial(double x) {
    return horner(x, 0x1.b41232cf9950fp-41, 0x1.611cb330c1fe8p-33, 0x1.ae6460fae3728p-26, 0x1.71de3a4e14f40p-19, 0x1.a01a01a01ee70p-13, 0x1.11111111110fdp-7, 0x1.5555555555555p-3);
}

// (tanh(x) - x) / x^3 in z = x*x, |x| <= 0.6
HEDDLE_MATH_INLINE float tanh_polynomial(float x) {
    return horner(x, 0x1.36bdb20000000p-9f, -0x1.1394ca0000000p-7f, 0x1.64fad80000000p-6f, -0x1.ba0d940000000p-5f, 0x1.1110f60000000p-3f, -0x1.5555560000000p-2f);
}
HEDDLE_MATH_INLINE double tanh_polynomial(double x) {
    return horner(x, 0x1.d15602ab6f13ap-18, -0x1.0d297a9d86a2cp-15, 0x1.876e3a6430a18p-14, -0x1.f30583c23502ap-13, 0x1.3535559875683p-11, -0x1.7da0cedf6d09bp-10, 0x1.d6d3b05a99f57p-9, -0x1.226e34dc136f6p-7, 0x1.664f488056b96p-6, -0x1.ba1ba1ba15b29p-5, 0x1.11111111110e3p-3, -0x1.5555555555555p-2);
}

// (asinh(x) - x) / x^3 in z = x*x, |x| <= 0.5
HEDDLE_MATH_INLINE float asinh_polynomial(float x) {
    return horner(x, 0x1.4599700000000p-7f, -0x1.504f9c0000000p-6f, 0x1.ee142e0000000p-6f, -0x1.6d9bf00000000p-5f, 0x1.3332ea0000000p-4f, -0x1.5555560000000p-3f);
}
HEDDLE_MATH_INLINE double asinh_polynomial(double x) {
    return horner(x, 0x1.ee3fd77d44d42p-10, -0x1.4733e5158e0e1p-8, 0x1.f38921b605d54p-8, -0x1.3a4aeece7e69cp-7, 0x1.79b0dbdcdfc75p-7, -0x1.c983b8d12e853p-7, 0x1.1c4e072f36dc7p-6, -0x1.6e8b9ab4638efp-6, 0x1.f1c71c3bee026p-6, -0x1.6db6db6d5b365p-5, 0x1.3333333332f5fp-4, -0x1.5555555555555p-3);
}

// erf(x)/x - 1 in z = x*x, |x| <= 1
HEDDLE_MATH_INLINE float erf_polynomial(float x) {
    return horner(x, 0x1.4a56900000000p-14f, -0x1.a450880000000p-11f, 0x1.5412700000000p-8f, -0x1.b7faba0000000p-6f, 0x1.ce2d100000000p-4f, -0x1.81273e0000000p-2f, 0x1.06eba80000000p-3f);
}
HEDDLE_MATH_INLINE double erf_polynomial(double x) {
    return horner(x, 0x1.05ffd737fb32ep-34, -0x1.389d4f2641625p-30, 0x1.f7b4bf3b13964p-27, -0x1.5f1ecb6f0764cp-23, 0x1.b9df224ca4b97p-20, -0x1.f4d1e3183f7aep-17, 0x1.f9a321d5b8e1ep-14, -0x1.c02db3dac435fp-11, 0x1.565bcd0dbaa38p-8, -0x1.b82ce31284e00p-6, 0x1.ce2f21a042b30p-4, -0x1.812746b0379e6p-2, 0x1.06eba8214db69p-3);
}

// (1 + 2x) exp(x*x) erfc(x) - 1 in u = (x - 4) / (x + 4), 0 <= x <= 28
HEDDLE_MATH_INLINE float erfcx_polynomial(float x) {
    return horner(x, 0x1.080b7a0000000p-13f, -0x1.f06f900000000p-13f, -0x1.80a6fe0000000p-11f, 0x1.4b87840000000p-8f, -0x1.09988a0000000p-6f, 0x1.3065b20000000p-5f, -0x1.0fac5a0000000p-4f, 0x1.7fefc60000000p-4f, -0x1.9ddbc20000000p-4f, 0x1.16ecd00000000p-4f, 0x1.f7f62a0000000p-7f, -0x1.1df1ac0000000p-3f, 0x1.dd2c8c0000000p-3f);
}
HEDDLE_MATH_INLINE double erfcx_polynomial(double x) {
    return horner(x, -0x1.f47207b168acdp-30, -0x1.d5bb4c6d5b92dp-27, -0x1.09198a32cd9a9p-27, 0x1.ef6c0c38d1a2bp-24, 0x1.0d535fce28f99p-24, -0x1.c05fc977974eap-21, 0x1.4392983419eddp-22, 0x1.7fb88e391a9fep-18, -0x1.78a43458cca4bp-17, -0x1.996ad056e530bp-16, 0x1.3be0b393ee921p-13, -0x1.a1de7c6e9ac9cp-13, -0x1.8d4a9dc0d22f3p-11, 0x1.49c671893963fp-8, -0x1.0962388367b2fp-6, 0x1.3079edfa1033fp-5, -0x1.0fb06dfe46987p-4, 0x1.7fee004df6263p-4, -0x1.9ddb23c3e98a6p-4, 0x1.16ecefcfa6077p-4, 0x1.f7f5df66fd951p-7, -0x1.1df1ad154a29cp-3, 0x1.dd2c8b74febf6p-3);
}

} // namespace heddle_math
