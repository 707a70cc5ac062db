// The primitives of the math library for the host, correctly rounded: for CUDA's functions that the C library lacks
// (docs/cuda-math.md), and for the program that measures the library's errors.
#pragma once
#pragma GCC system_header

#include "../host_defines.h"

// Also for the device, as the host half of a program has device code in it, which is not compiled there.
#define HEDDLE_MATH_INLINE static __host__ __device__ __forceinline__
#define HEDDLE_MATH_TABLE static const

#ifdef __clang__
#define HEDDLE_MATH_EXACT _Pragma("clang fp contract(off) reassociate(off)")
#else
#define HEDDLE_MATH_EXACT
#endif

namespace heddle_math {

HEDDLE_MATH_INLINE float add(float a, float b) {
    HEDDLE_MATH_EXACT
    return a + b;
}
HEDDLE_MATH_INLINE float mul(float a, float b) {
    HEDDLE_MATH_EXACT
    return a * b;
}
HEDDLE_MATH_INLINE double add(double a, double b) {
    HEDDLE_MATH_EXACT
    return a + b;
}
HEDDLE_MATH_INLINE double mul(double a, double b) {
    HEDDLE_MATH_EXACT
    return a * b;
}
HEDDLE_MATH_INLINE float ex2(float x) {
    return static_cast<float>(__builtin_exp2(static_cast<double>(x)));
}
HEDDLE_MATH_INLINE float lg2(float x) {
    return static_cast<float>(__builtin_log2(static_cast<double>(x)));
}
HEDDLE_MATH_INLINE float rcp(float x) {
    return 1.0f / x;
}
HEDDLE_MATH_INLINE float rsqrt_approx(float x) {
    return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}
HEDDLE_MATH_INLINE double rsqrt_approx(double x) {
    return 1.0 / __builtin_sqrt(x);
}
HEDDLE_MATH_INLINE unsigned long long high_product(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}

} // namespace heddle_math

#undef HEDDLE_MATH_EXACT
