// Names of the device's math functions, declared before <cmath>: a constexpr function of the standard library whose
// signature is already a device function's stays on the host, so that device code calls heddle's.
#pragma once
#pragma GCC system_header

#include "../host_defines.h"

#define HEDDLE_MATH_NAME static __device__ __forceinline__
#define HEDDLE_MATH_BOTH_NAME static __host__ __device__ __forceinline__

#define HEDDLE_MATH_SIGNATURE_1(type, name) HEDDLE_MATH_NAME type name(type x)
#define HEDDLE_MATH_SIGNATURE_2(type, name) HEDDLE_MATH_NAME type name(type x, type y)
#define HEDDLE_MATH_SIGNATURE_3(type, name) HEDDLE_MATH_NAME type name(type x, type y, type z)
#define HEDDLE_MATH_SIGNATURE_4(type, name) HEDDLE_MATH_NAME type name(type x, type y, type z, type w)

#define HEDDLE_MATH_EXTRA(arity, name)                                                                                 \
    HEDDLE_MATH_SIGNATURE_##arity(float, name##f);                                                                     \
    HEDDLE_MATH_SIGNATURE_##arity(float, name);                                                                        \
    HEDDLE_MATH_SIGNATURE_##arity(double, name);
#define HEDDLE_MATH_STANDARD(arity, name) HEDDLE_MATH_EXTRA(arity, name)
#define HEDDLE_MATH_BOTH(arity, name)  \
    HEDDLE_MATH_BOTH_NAME float name##f(float x);  \
    HEDDLE_MATH_BOTH_NAME float name(float x);     \
    HEDDLE_MATH_BOTH_NAME double name(double x);
#define HEDDLE_MATH_PLAIN(arity, name)                                                                                 \
    HEDDLE_MATH_SIGNATURE_##arity(float, name##f);                                                                     \
    HEDDLE_MATH_SIGNATURE_##arity(double, name);
#include "math_functions.def"
#undef HEDDLE_MATH_STANDARD
#undef HEDDLE_MATH_EXTRA
#undef HEDDLE_MATH_BOTH
#undef HEDDLE_MATH_PLAIN

HEDDLE_MATH_NAME int abs(int x);
HEDDLE_MATH_NAME long abs(long x);
HEDDLE_MATH_NAME long long abs(long long x);
HEDDLE_MATH_NAME float abs(float x);
HEDDLE_MATH_NAME double abs(double x);
HEDDLE_MATH_NAME long labs(long x);
HEDDLE_MATH_NAME long long llabs(long long x);

HEDDLE_MATH_NAME void sincosf(float x, float* sine, float* cosine);
HEDDLE_MATH_NAME void sincos(float x, float* sine, float* cosine);
HEDDLE_MATH_NAME void sincos(double x, double* sine, double* cosine);
HEDDLE_MATH_NAME float ldexpf(float x, int n);
HEDDLE_MATH_NAME float ldexp(float x, int n);
HEDDLE_MATH_NAME double ldexp(double x, int n);
HEDDLE_MATH_NAME float scalbnf(float x, int n);
HEDDLE_MATH_NAME float scalbn(float x, int n);
HEDDLE_MATH_NAME double scalbn(double x, int n);
HEDDLE_MATH_NAME float frexpf(float x, int* n);
HEDDLE_MATH_NAME float frexp(float x, int* n);
HEDDLE_MATH_NAME double frexp(double x, int* n);
HEDDLE_MATH_NAME float modff(float x, float* whole);
HEDDLE_MATH_NAME float modf(float x, float* whole);
HEDDLE_MATH_NAME double modf(double x, double* whole);
HEDDLE_MATH_NAME long lroundf(float x);
HEDDLE_MATH_NAME long lround(float x);
HEDDLE_MATH_NAME long lround(double x);
HEDDLE_MATH_NAME long lrintf(float x);
HEDDLE_MATH_NAME long lrint(float x);
HEDDLE_MATH_NAME long lrint(double x);
HEDDLE_MATH_BOTH_NAME void sincospif(float x, float* sine, float* cosine);
HEDDLE_MATH_BOTH_NAME void sincospi(float x, float* sine, float* cosine);
HEDDLE_MATH_BOTH_NAME void sincospi(double x, double* sine, double* cosine);
HEDDLE_MATH_NAME int ilogbf(float x);
HEDDLE_MATH_NAME int ilogb(float x);
HEDDLE_MATH_NAME int ilogb(double x);
HEDDLE_MATH_NAME float scalblnf(float x, long n);
HEDDLE_MATH_NAME float scalbln(float x, long n);
HEDDLE_MATH_NAME double scalbln(double x, long n);
HEDDLE_MATH_NAME float remquof(float x, float y, int* quotient);
HEDDLE_MATH_NAME float remquo(float x, float y, int* quotient);
HEDDLE_MATH_NAME double remquo(double x, double y, int* quotient);
HEDDLE_MATH_NAME long long llroundf(float x);
HEDDLE_MATH_NAME long long llround(float x);
HEDDLE_MATH_NAME long long llround(double x);
HEDDLE_MATH_NAME long long llrintf(float x);
HEDDLE_MATH_NAME long long llrint(float x);
HEDDLE_MATH_NAME long long llrint(double x);
HEDDLE_MATH_NAME float normf(int count, const float* p);
HEDDLE_MATH_NAME double norm(int count, const double* p);
HEDDLE_MATH_NAME float rnormf(int count, const float* p);
HEDDLE_MATH_NAME double rnorm(int count, const double* p);
HEDDLE_MATH_NAME float jnf(int n, float x);
HEDDLE_MATH_NAME float jn(int n, float x);
HEDDLE_MATH_NAME double jn(int n, double x);
HEDDLE_MATH_NAME float ynf(int n, float x);
HEDDLE_MATH_NAME float yn(int n, float x);
HEDDLE_MATH_NAME double yn(int n, double x);
HEDDLE_MATH_NAME float nanf(const char* tag);
HEDDLE_MATH_NAME double nan(const char* tag);

namespace std {
#define HEDDLE_MATH_EXTRA(arity, name)
#define HEDDLE_MATH_BOTH(arity, name)
#define HEDDLE_MATH_PLAIN(arity, name)
#define HEDDLE_MATH_STANDARD(arity, name)                                                                              \
    using ::name##f;                                                                                                   \
    using ::name;
#include "math_functions.def"
#undef HEDDLE_MATH_STANDARD
#undef HEDDLE_MATH_EXTRA
#undef HEDDLE_MATH_BOTH
#undef HEDDLE_MATH_PLAIN
using ::abs;
using ::frexp;
using ::ilogb;
using ::labs;
using ::ldexp;
using ::llabs;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::nan;
using ::remquo;
using ::scalbln;
using ::scalbn;
} // namespace std
