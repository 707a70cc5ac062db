// The device's math functions under their C and C++ names.
#pragma once
#pragma GCC system_header

#include "math_double_exp.h"
#include "math_double_misc.h"
#include "math_double_trig.h"
#include "math_float_exp.h"
#include "math_float_misc.h"
#include "math_float_trig.h"
#include "math_names.h"
#include "math_simple.h"

#define HEDDLE_MATH_ARGUMENTS_1 x
#define HEDDLE_MATH_ARGUMENTS_2 x, y
#define HEDDLE_MATH_ARGUMENTS_3 x, y, z
#define HEDDLE_MATH_EXTRA(arity, name)                                                                                 \
    HEDDLE_MATH_SIGNATURE_##arity(float, name##f) {                                                                    \
        return heddle_math::name(HEDDLE_MATH_ARGUMENTS_##arity);                                                       \
    }                                                                                                                  \
    HEDDLE_MATH_SIGNATURE_##arity(float, name) {                                                                       \
        return heddle_math::name(HEDDLE_MATH_ARGUMENTS_##arity);                                                       \
    }                                                                                                                  \
    HEDDLE_MATH_SIGNATURE_##arity(double, name) {                                                                      \
        return heddle_math::name(HEDDLE_MATH_ARGUMENTS_##arity);                                                       \
    }
#define HEDDLE_MATH_STANDARD(arity, name) HEDDLE_MATH_EXTRA(arity, name)
#include "math_functions.def"
#undef HEDDLE_MATH_STANDARD
#undef HEDDLE_MATH_EXTRA

HEDDLE_MATH_NAME int abs(int x) {
    return x < 0 ? -x : x;
}
HEDDLE_MATH_NAME long abs(long x) {
    return x < 0 ? -x : x;
}
HEDDLE_MATH_NAME long long abs(long long x) {
    return x < 0 ? -x : x;
}
HEDDLE_MATH_NAME float abs(float x) {
    return heddle_math::fabs(x);
}
HEDDLE_MATH_NAME double abs(double x) {
    return heddle_math::fabs(x);
}
HEDDLE_MATH_NAME long labs(long x) {
    return x < 0 ? -x : x;
}
HEDDLE_MATH_NAME long long llabs(long long x) {
    return x < 0 ? -x : x;
}

HEDDLE_MATH_NAME float ldexpf(float x, int n) {
    return heddle_math::ldexp(x, n);
}
HEDDLE_MATH_NAME float ldexp(float x, int n) {
    return heddle_math::ldexp(x, n);
}
HEDDLE_MATH_NAME double ldexp(double x, int n) {
    return heddle_math::ldexp(x, n);
}
HEDDLE_MATH_NAME float scalbnf(float x, int n) {
    return heddle_math::ldexp(x, n);
}
HEDDLE_MATH_NAME float scalbn(float x, int n) {
    return heddle_math::ldexp(x, n);
}
HEDDLE_MATH_NAME double scalbn(double x, int n) {
    return heddle_math::ldexp(x, n);
}
HEDDLE_MATH_NAME float frexpf(float x, int* n) {
    return heddle_math::frexp(x, n);
}
HEDDLE_MATH_NAME float frexp(float x, int* n) {
    return heddle_math::frexp(x, n);
}
HEDDLE_MATH_NAME double frexp(double x, int* n) {
    return heddle_math::frexp(x, n);
}
HEDDLE_MATH_NAME float modff(float x, float* whole) {
    *whole = heddle_math::trunc(x);
    return heddle_math::copysign(heddle_math::fabs(x) == __builtin_inff() ? 0.0f : x - *whole, x);
}
HEDDLE_MATH_NAME float modf(float x, float* whole) {
    return modff(x, whole);
}
HEDDLE_MATH_NAME double modf(double x, double* whole) {
    *whole = heddle_math::trunc(x);
    return heddle_math::copysign(heddle_math::fabs(x) == __builtin_inf() ? 0.0 : x - *whole, x);
}
HEDDLE_MATH_NAME void sincosf(float x, float* sine, float* cosine) {
    heddle_math::sincos(x, sine, cosine);
}
HEDDLE_MATH_NAME void sincos(float x, float* sine, float* cosine) {
    heddle_math::sincos(x, sine, cosine);
}
HEDDLE_MATH_NAME void sincos(double x, double* sine, double* cosine) {
    heddle_math::sincos(x, sine, cosine);
}
HEDDLE_MATH_NAME long lroundf(float x) {
    return static_cast<long>(heddle_math::round(x));
}
HEDDLE_MATH_NAME long lround(float x) {
    return static_cast<long>(heddle_math::round(x));
}
HEDDLE_MATH_NAME long lround(double x) {
    return static_cast<long>(heddle_math::round(x));
}
HEDDLE_MATH_NAME long lrintf(float x) {
    return static_cast<long>(heddle_math::rint(x));
}
HEDDLE_MATH_NAME long lrint(float x) {
    return static_cast<long>(heddle_math::rint(x));
}
HEDDLE_MATH_NAME long lrint(double x) {
    return static_cast<long>(heddle_math::rint(x));
}

// min and max of CUDA: for host and device, in the global namespace.
#define HEDDLE_MATH_MINMAX(type, a, b)                                                                                 \
    static __host__ __device__ __forceinline__ type min(a x, b y) {                                                    \
        return static_cast<type>(x) < static_cast<type>(y) ? static_cast<type>(x) : static_cast<type>(y);              \
    }                                                                                                                  \
    static __host__ __device__ __forceinline__ type max(a x, b y) {                                                    \
        return static_cast<type>(x) > static_cast<type>(y) ? static_cast<type>(x) : static_cast<type>(y);              \
    }
HEDDLE_MATH_MINMAX(int, int, int)
HEDDLE_MATH_MINMAX(unsigned, unsigned, unsigned)
HEDDLE_MATH_MINMAX(unsigned, int, unsigned)
HEDDLE_MATH_MINMAX(unsigned, unsigned, int)
HEDDLE_MATH_MINMAX(long, long, long)
HEDDLE_MATH_MINMAX(unsigned long, unsigned long, unsigned long)
HEDDLE_MATH_MINMAX(unsigned long, long, unsigned long)
HEDDLE_MATH_MINMAX(unsigned long, unsigned long, long)
HEDDLE_MATH_MINMAX(long long, long long, long long)
HEDDLE_MATH_MINMAX(unsigned long long, unsigned long long, unsigned long long)
HEDDLE_MATH_MINMAX(unsigned long long, long long, unsigned long long)
HEDDLE_MATH_MINMAX(unsigned long long, unsigned long long, long long)
#undef HEDDLE_MATH_MINMAX
#define HEDDLE_MATH_MINMAX(type, a, b)                                                                                 \
    static __host__ __device__ __forceinline__ type min(a x, b y) {                                                    \
        return heddle_math::minimum(static_cast<type>(x), static_cast<type>(y));                                       \
    }                                                                                                                  \
    static __host__ __device__ __forceinline__ type max(a x, b y) {                                                    \
        return heddle_math::maximum(static_cast<type>(x), static_cast<type>(y));                                       \
    }
namespace heddle_math {
static __host__ __device__ __forceinline__ float minimum(float x, float y) {
    return __builtin_fminf(x, y);
}
static __host__ __device__ __forceinline__ double minimum(double x, double y) {
    return __builtin_fmin(x, y);
}
static __host__ __device__ __forceinline__ float maximum(float x, float y) {
    return __builtin_fmaxf(x, y);
}
static __host__ __device__ __forceinline__ double maximum(double x, double y) {
    return __builtin_fmax(x, y);
}
} // namespace heddle_math
HEDDLE_MATH_MINMAX(float, float, float)
HEDDLE_MATH_MINMAX(double, double, double)
HEDDLE_MATH_MINMAX(double, float, double)
HEDDLE_MATH_MINMAX(double, double, float)
#undef HEDDLE_MATH_MINMAX

// An integer argument means the double function, as in C++.
namespace heddle_math {
template <bool integer>
struct ForInteger {};
template <>
struct ForInteger<true> {
    using Type = double;
};
template <class T>
struct DoubleFor : ForInteger<__is_integral(T)> {};
} // namespace heddle_math
#define HEDDLE_MATH_INTEGER_1(name)                                                                                    \
    template <class T>                                                                                                 \
    HEDDLE_MATH_NAME typename heddle_math::DoubleFor<T>::Type name(T x) {                                              \
        return ::name(static_cast<double>(x));                                                                         \
    }
#define HEDDLE_MATH_INTEGER_2(name)
#define HEDDLE_MATH_INTEGER_3(name)
#define HEDDLE_MATH_EXTRA(arity, name) HEDDLE_MATH_INTEGER_##arity(name)
#define HEDDLE_MATH_STANDARD(arity, name) HEDDLE_MATH_EXTRA(arity, name)
#include "math_functions.def"
#undef HEDDLE_MATH_STANDARD
#undef HEDDLE_MATH_EXTRA
