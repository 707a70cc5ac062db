// The primitives of the device's math library for the host, correctly rounded: the measuring program compiles the
// library's own source on top of them.
#pragma once

#include <cmath>

#define HEDDLE_MATH_INLINE [[maybe_unused]] static inline
#define HEDDLE_MATH_TABLE static const

namespace heddle_math {

HEDDLE_MATH_INLINE float add(float a, float b) {
    return a + b;
}
HEDDLE_MATH_INLINE float mul(float a, float b) {
    return a * b;
}
HEDDLE_MATH_INLINE double add(double a, double b) {
    return a + b;
}
HEDDLE_MATH_INLINE double mul(double a, double b) {
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
HEDDLE_MATH_INLINE unsigned long long high_product(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}

} // namespace heddle_math
