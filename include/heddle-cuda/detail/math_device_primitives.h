// The primitives of the math library in device code: instructions of PTX.
#pragma once
#pragma GCC system_header

#include "intrinsics.h"

#define HEDDLE_MATH_INLINE static __device__ __forceinline__
#define HEDDLE_MATH_TABLE static __constant__ const

namespace heddle_math {

HEDDLE_MATH_INLINE float add(float a, float b) {
    return __nvvm_add_rn_f(a, b);
}
HEDDLE_MATH_INLINE float mul(float a, float b) {
    return __nvvm_mul_rn_f(a, b);
}
HEDDLE_MATH_INLINE double add(double a, double b) {
    return __nvvm_add_rn_d(a, b);
}
HEDDLE_MATH_INLINE double mul(double a, double b) {
    return __nvvm_mul_rn_d(a, b);
}
HEDDLE_MATH_INLINE float ex2(float x) {
    return heddle_ex2(x);
}
HEDDLE_MATH_INLINE float lg2(float x) {
    return heddle_lg2(x);
}
HEDDLE_MATH_INLINE float rcp(float x) {
    return __nvvm_rcp_rn_f(x);
}
HEDDLE_MATH_INLINE float rsqrt_approx(float x) {
    return heddle_rsqrt(x);
}
HEDDLE_MATH_INLINE double rsqrt_approx(double x) {
    double r;
    asm("rsqrt.approx.f64 %0, %1;" : "=d"(r) : "d"(x));
    return r;
}
HEDDLE_MATH_INLINE unsigned long long high_product(unsigned long long a, unsigned long long b) {
    return __umul64hi(a, b);
}

} // namespace heddle_math
