// Arithmetic of __half: functions and operators.
#pragma once

#include "half_convert.h"

// The device's instruction on bits, or the host's value, a double that is exact or rounds as the exact one does.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_RESULT_2(instruction, host)                                                                        \
    unsigned short bits;                                                                                               \
    asm(instruction " %0, %1, %2;" : "=h"(bits) : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)));                 \
    return __ushort_as_half(bits)
#define HEDDLE_HALF_RESULT_3(instruction, host)                                                                        \
    unsigned short bits;                                                                                               \
    asm(instruction " %0, %1, %2, %3;"                                                                                 \
        : "=h"(bits)                                                                                                   \
        : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)), "h"(__half_as_ushort(c)));                               \
    return __ushort_as_half(bits)
#else
#define HEDDLE_HALF_RESULT_2(instruction, host)                                                                        \
    const double x = __half2float(a), y = __half2float(b);                                                             \
    return __double2half(host)
#define HEDDLE_HALF_RESULT_3(instruction, host)                                                                        \
    const double x = __half2float(a), y = __half2float(b), z = __half2float(c);                                        \
    return __double2half(host)

namespace heddle_half {

inline double saturate(double x) {
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; // a NaN becomes 0
}

} // namespace heddle_half
#endif

HEDDLE_HALF __half __hadd(__half a, __half b) {
    HEDDLE_HALF_RESULT_2("add.f16", x + y);
}
HEDDLE_HALF __half __hsub(__half a, __half b) {
    HEDDLE_HALF_RESULT_2("sub.f16", x - y);
}
HEDDLE_HALF __half __hmul(__half a, __half b) {
    HEDDLE_HALF_RESULT_2("mul.f16", x * y);
}
HEDDLE_HALF __half __hadd_sat(__half a, __half b) {
    HEDDLE_HALF_RESULT_2("add.sat.f16", heddle_half::saturate(x + y));
}
HEDDLE_HALF __half __hsub_sat(__half a, __half b) {
    HEDDLE_HALF_RESULT_2("sub.sat.f16", heddle_half::saturate(x - y));
}
HEDDLE_HALF __half __hmul_sat(__half a, __half b) {
    HEDDLE_HALF_RESULT_2("mul.sat.f16", heddle_half::saturate(x * y));
}
HEDDLE_HALF __half __hfma(__half a, __half b, __half c) {
    HEDDLE_HALF_RESULT_3("fma.rn.f16", x * y + z);
}
HEDDLE_HALF __half __hfma_sat(__half a, __half b, __half c) {
    HEDDLE_HALF_RESULT_3("fma.rn.sat.f16", heddle_half::saturate(x * y + z));
}
HEDDLE_HALF __half __hneg(__half a) {
    return __ushort_as_half(__half_as_ushort(a) ^ 0x8000);
}
HEDDLE_HALF __half __habs(__half a) {
    return __ushort_as_half(__half_as_ushort(a) & 0x7fff);
}
// f32 has enough digits for the quotient to be rounded twice.
HEDDLE_HALF __half __hdiv(__half a, __half b) {
    return __float2half_rn(__half2float(a) / __half2float(b));
}

// Sums and products that stay apart: the device's compiler makes no fma of an instruction of its own.
HEDDLE_HALF __half __hadd_rn(__half a, __half b) {
    return __hadd(a, b);
}
HEDDLE_HALF __half __hsub_rn(__half a, __half b) {
    return __hsub(a, b);
}
HEDDLE_HALF __half __hmul_rn(__half a, __half b) {
    return __hmul(a, b);
}

#undef HEDDLE_HALF_RESULT_2
#undef HEDDLE_HALF_RESULT_3

// --- operators ---
HEDDLE_HALF __half operator+(const __half& a, const __half& b) {
    return __hadd(a, b);
}
HEDDLE_HALF __half operator-(const __half& a, const __half& b) {
    return __hsub(a, b);
}
HEDDLE_HALF __half operator*(const __half& a, const __half& b) {
    return __hmul(a, b);
}
HEDDLE_HALF __half operator/(const __half& a, const __half& b) {
    return __hdiv(a, b);
}
HEDDLE_HALF __half operator+(const __half& a) {
    return a;
}
HEDDLE_HALF __half operator-(const __half& a) {
    return __hneg(a);
}
HEDDLE_HALF __half& operator+=(__half& a, const __half& b) {
    return a = a + b;
}
HEDDLE_HALF __half& operator-=(__half& a, const __half& b) {
    return a = a - b;
}
HEDDLE_HALF __half& operator*=(__half& a, const __half& b) {
    return a = a * b;
}
HEDDLE_HALF __half& operator/=(__half& a, const __half& b) {
    return a = a / b;
}
HEDDLE_HALF __half& operator++(__half& a) {
    return a = a + __ushort_as_half(0x3c00);
}
HEDDLE_HALF __half& operator--(__half& a) {
    return a = a - __ushort_as_half(0x3c00);
}
HEDDLE_HALF __half operator++(__half& a, int) {
    const __half before = a;
    ++a;
    return before;
}
HEDDLE_HALF __half operator--(__half& a, int) {
    const __half before = a;
    --a;
    return before;
}
