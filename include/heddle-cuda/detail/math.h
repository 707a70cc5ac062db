// The device's math functions under their C and C++ names.
#pragma once
#pragma GCC system_header

#include "math_bessel.h"
#include "math_distance.h"
#include "math_double_exp.h"
#include "math_double_misc.h"
#include "math_double_trig.h"
#include "math_exact.h"
#include "math_float_exp.h"
#include "math_float_misc.h"
#include "math_float_trig.h"
#include "math_gamma.h"
#include "math_inverse_error.h"
#include "math_names.h"
#include "math_simple.h"

#define HEDDLE_MATH_ARGUMENTS_1 x
#define HEDDLE_MATH_ARGUMENTS_2 x, y
#define HEDDLE_MATH_ARGUMENTS_3 x, y, z
#define HEDDLE_MATH_ARGUMENTS_4 x, y, z, w
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
#define HEDDLE_MATH_BOTH(arity, name)  \
    HEDDLE_MATH_BOTH_NAME float name##f(float x) { \
        return heddle_math::name(x);\
    } \
    HEDDLE_MATH_BOTH_NAME float name(float x)  { \
        return heddle_math::name(x);\
    } \
    HEDDLE_MATH_BOTH_NAME double name(double x) { \
        return heddle_math::name(x);\
    }
#define HEDDLE_MATH_PLAIN(arity, name)                                                                                 \
    HEDDLE_MATH_SIGNATURE_##arity(float, name##f) {                                                                    \
        return heddle_math::name(HEDDLE_MATH_ARGUMENTS_##arity);                                                       \
    }                                                                                                                  \
    HEDDLE_MATH_SIGNATURE_##arity(double, name) {                                                                      \
        return heddle_math::name(HEDDLE_MATH_ARGUMENTS_##arity);                                                       \
    }
#include "math_functions.def"
#undef HEDDLE_MATH_STANDARD
#undef HEDDLE_MATH_EXTRA
#undef HEDDLE_MATH_BOTH
#undef HEDDLE_MATH_PLAIN

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
// The names that the C library's header has behind isinf and others.
#define HEDDLE_MATH_TEST(name, builtin)                                                                                \
    HEDDLE_MATH_NAME int name(double x) {                                                                              \
        return builtin(x);                                                                                             \
    }                                                                                                                  \
    HEDDLE_MATH_NAME int name##f(float x) {                                                                            \
        return builtin(x);                                                                                             \
    }
HEDDLE_MATH_TEST(__isinf, __builtin_isinf_sign)
HEDDLE_MATH_TEST(__isnan, __builtin_isnan)
HEDDLE_MATH_TEST(__finite, __builtin_isfinite)
HEDDLE_MATH_TEST(__signbit, __builtin_signbit)
#undef HEDDLE_MATH_TEST
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
HEDDLE_MATH_BOTH_NAME void sincospif(float x, float* sine, float* cosine) {
    *sine = heddle_math::sinpi(x);
    *cosine = heddle_math::cospi(x);
}
HEDDLE_MATH_BOTH_NAME void sincospi(float x, float* sine, float* cosine) {
    *sine = heddle_math::sinpi(x);
    *cosine = heddle_math::cospi(x);
}
HEDDLE_MATH_BOTH_NAME void sincospi(double x, double* sine, double* cosine) {
    *sine = heddle_math::sinpi(x);
    *cosine = heddle_math::cospi(x);
}
HEDDLE_MATH_NAME int ilogbf(float x) {
    return heddle_math::ilogb(x);
}
HEDDLE_MATH_NAME int ilogb(float x) {
    return heddle_math::ilogb(x);
}
HEDDLE_MATH_NAME int ilogb(double x) {
    return heddle_math::ilogb(x);
}
HEDDLE_MATH_NAME float scalblnf(float x, long n) {
    return heddle_math::scalbln(x, n);
}
HEDDLE_MATH_NAME float scalbln(float x, long n) {
    return heddle_math::scalbln(x, n);
}
HEDDLE_MATH_NAME double scalbln(double x, long n) {
    return heddle_math::scalbln(x, n);
}
HEDDLE_MATH_NAME float remquof(float x, float y, int* quotient) {
    return heddle_math::remquo(x, y, quotient);
}
HEDDLE_MATH_NAME float remquo(float x, float y, int* quotient) {
    return heddle_math::remquo(x, y, quotient);
}
HEDDLE_MATH_NAME double remquo(double x, double y, int* quotient) {
    return heddle_math::remquo(x, y, quotient);
}
HEDDLE_MATH_NAME long long llroundf(float x) {
    return static_cast<long long>(heddle_math::round(x));
}
HEDDLE_MATH_NAME long long llround(float x) {
    return static_cast<long long>(heddle_math::round(x));
}
HEDDLE_MATH_NAME long long llround(double x) {
    return static_cast<long long>(heddle_math::round(x));
}
HEDDLE_MATH_NAME long long llrintf(float x) {
    return static_cast<long long>(heddle_math::rint(x));
}
HEDDLE_MATH_NAME long long llrint(float x) {
    return static_cast<long long>(heddle_math::rint(x));
}
HEDDLE_MATH_NAME long long llrint(double x) {
    return static_cast<long long>(heddle_math::rint(x));
}
HEDDLE_MATH_NAME float normf(int count, const float* p) {
    return heddle_math::norm(count, p);
}
HEDDLE_MATH_NAME double norm(int count, const double* p) {
    return heddle_math::norm(count, p);
}
HEDDLE_MATH_NAME float rnormf(int count, const float* p) {
    return heddle_math::rnorm(count, p);
}
HEDDLE_MATH_NAME double rnorm(int count, const double* p) {
    return heddle_math::rnorm(count, p);
}
HEDDLE_MATH_NAME float jnf(int n, float x) {
    return heddle_math::jn(n, x);
}
HEDDLE_MATH_NAME float jn(int n, float x) {
    return heddle_math::jn(n, x);
}
HEDDLE_MATH_NAME double jn(int n, double x) {
    return heddle_math::jn(n, x);
}
HEDDLE_MATH_NAME float ynf(int n, float x) {
    return heddle_math::yn(n, x);
}
HEDDLE_MATH_NAME float yn(int n, float x) {
    return heddle_math::yn(n, x);
}
HEDDLE_MATH_NAME double yn(int n, double x) {
    return heddle_math::yn(n, x);
}
// What the tag would choose is left open by the C standard.
HEDDLE_MATH_NAME float nanf(const char*) {
    return __builtin_nanf("");
}
HEDDLE_MATH_NAME double nan(const char*) {
    return __builtin_nan("");
}

// Overloads for float of functions that the host's C library has, as nvcc has them.
#define HEDDLE_MATH_HOST static __host__ __forceinline__
#define HEDDLE_MATH_HOST_1(name)                                                                                       \
    HEDDLE_MATH_HOST float name(float x) {                                                                             \
        return ::name##f(x);                                                                                           \
    }
HEDDLE_MATH_HOST_1(exp10)
HEDDLE_MATH_HOST_1(j0)
HEDDLE_MATH_HOST_1(j1)
HEDDLE_MATH_HOST_1(y0)
HEDDLE_MATH_HOST_1(y1)
#undef HEDDLE_MATH_HOST_1
HEDDLE_MATH_HOST float jn(int n, float x) {
    return ::jnf(n, x);
}
HEDDLE_MATH_HOST float yn(int n, float x) {
    return ::ynf(n, x);
}
HEDDLE_MATH_HOST void sincos(float x, float* sine, float* cosine) {
    ::sincosf(x, sine, cosine);
}
#undef HEDDLE_MATH_HOST

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
#define HEDDLE_MATH_MINMAX(prefix, type)                                                                               \
    static __host__ __device__ __forceinline__ type prefix##min(type x, type y) {                                      \
        return min(x, y);                                                                                              \
    }                                                                                                                  \
    static __host__ __device__ __forceinline__ type prefix##max(type x, type y) {                                      \
        return max(x, y);                                                                                              \
    }
HEDDLE_MATH_MINMAX(u, unsigned)
HEDDLE_MATH_MINMAX(ll, long long)
HEDDLE_MATH_MINMAX(ull, unsigned long long)
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
#define HEDDLE_MATH_BOTH(arity, name) HEDDLE_MATH_EXTRA(arity, name)
#define HEDDLE_MATH_PLAIN(arity, name)
#include "math_functions.def"
#undef HEDDLE_MATH_STANDARD
#undef HEDDLE_MATH_EXTRA
#undef HEDDLE_MATH_BOTH
#undef HEDDLE_MATH_PLAIN
