// Conversions between half precision and other types.
#pragma once

#include <limits.h>

#include "half_types.h"

// --- from and to floating point ---
#define HEDDLE_HALF_FROM_FLOAT(name, modifiers, direction)                                                             \
    HEDDLE_HALF __half name(float value) {                                                                             \
        unsigned short bits;                                                                                           \
        HEDDLE_HALF_CVT("h", "f16", "f", "f32", modifiers, bits, value,                                                \
                        heddle_half::from_double(value, heddle_half::direction));                                      \
        return __ushort_as_half(bits);                                                                                 \
    }
HEDDLE_HALF_FROM_FLOAT(__float2half_rn, ".rn", kNearest)
HEDDLE_HALF_FROM_FLOAT(__float2half_rz, ".rz", kToZero)
HEDDLE_HALF_FROM_FLOAT(__float2half_rd, ".rm", kDown)
HEDDLE_HALF_FROM_FLOAT(__float2half_ru, ".rp", kUp)
#undef HEDDLE_HALF_FROM_FLOAT

HEDDLE_HALF __half __float2half(float value) {
    return __float2half_rn(value);
}
HEDDLE_HALF __half __double2half(double value) {
    unsigned short bits;
    HEDDLE_HALF_CVT("h", "f16", "d", "f64", ".rn", bits, value, heddle_half::from_double(value, heddle_half::kNearest));
    return __ushort_as_half(bits);
}
HEDDLE_HALF float __half2float(__half h) {
    float value;
    HEDDLE_HALF_CVT("f", "f32", "h", "f16", "", value, __half_as_ushort(h), heddle_half::to_float(__half_as_ushort(h)));
    return value;
}

// --- from and to integers ---
namespace heddle_half {

template <class T>
inline T to_integer(float value, Direction direction) {
    constexpr bool kSigned = static_cast<T>(-1) < 0;
    constexpr T kMost = static_cast<T>(static_cast<unsigned long long>(-1) >> (64 - 8 * sizeof(T) + (kSigned ? 1 : 0)));
    constexpr T kLeast = kSigned ? static_cast<T>(-kMost - 1) : 0;
    if (__builtin_isnan(value))
        return sizeof(T) == 8 ? static_cast<T>(1ULL << 63) : 0;
    const double whole = direction == kNearest  ? nearbyint(value)
                         : direction == kToZero ? trunc(value)
                         : direction == kDown   ? floor(value)
                                                : ceil(value);
    return whole >= static_cast<double>(kMost)    ? kMost
           : whole <= static_cast<double>(kLeast) ? kLeast
                                                  : static_cast<T>(whole);
}

} // namespace heddle_half

// A double rounds the largest integers, which are all beyond f16.
#define HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, suffix, to_half, to_integer_, direction)              \
    HEDDLE_HALF __half __##word##2half_##suffix(Type value) {                                                          \
        unsigned short bits;                                                                                           \
        HEDDLE_HALF_CVT("h", "f16", constraint, ptx, to_half, bits, value,                                             \
                        heddle_half::from_double(static_cast<double>(value), heddle_half::direction));                 \
        return __ushort_as_half(bits);                                                                                 \
    }                                                                                                                  \
    HEDDLE_HALF Type __half2##word##_##suffix(__half h) {                                                              \
        Type value;                                                                                                    \
        HEDDLE_HALF_CVT(constraint, ptx, "h", "f16", to_integer_, value, __half_as_ushort(h),                          \
                        heddle_half::to_integer<Type>(__half2float(h), heddle_half::direction));                       \
        return value;                                                                                                  \
    }
#define HEDDLE_HALF_INTEGER(Type, word, constraint, ptx)                                                               \
    HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, rn, ".rn", ".rni", kNearest)                              \
    HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, rz, ".rz", ".rzi", kToZero)                               \
    HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, rd, ".rm", ".rmi", kDown)                                 \
    HEDDLE_HALF_INTEGER_ONE_WAY(Type, word, constraint, ptx, ru, ".rp", ".rpi", kUp)
HEDDLE_HALF_INTEGER(short, short, "h", "s16")
HEDDLE_HALF_INTEGER(unsigned short, ushort, "h", "u16")
HEDDLE_HALF_INTEGER(int, int, "r", "s32")
HEDDLE_HALF_INTEGER(unsigned, uint, "r", "u32")
HEDDLE_HALF_INTEGER(long long, ll, "l", "s64")
HEDDLE_HALF_INTEGER(unsigned long long, ull, "l", "u64")
#undef HEDDLE_HALF_INTEGER
#undef HEDDLE_HALF_INTEGER_ONE_WAY

HEDDLE_HALF signed char __half2char_rz(__half h) {
    const int value = __half2int_rz(h);
    return static_cast<signed char>(value < SCHAR_MIN ? SCHAR_MIN : value > SCHAR_MAX ? SCHAR_MAX : value);
}
HEDDLE_HALF unsigned char __half2uchar_rz(__half h) {
    const unsigned value = __half2uint_rz(h);
    return static_cast<unsigned char>(value > UCHAR_MAX ? UCHAR_MAX : value);
}

// --- the type's own ---
HEDDLE_CUDA_BOTH inline __half::__half(float value) : __half(__float2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(double value) : __half(__double2half(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(short value) : __half(__short2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(unsigned short value) : __half(__ushort2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(int value) : __half(__int2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(unsigned value) : __half(__uint2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(long value) : __half(__ll2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(unsigned long value) : __half(__ull2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(long long value) : __half(__ll2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::__half(unsigned long long value) : __half(__ull2half_rn(value)) {}
HEDDLE_CUDA_BOTH inline __half::operator float() const {
    return __half2float(*this);
}

// --- pairs ---
HEDDLE_HALF __half2 __halves2half2(__half low, __half high) {
    return {low, high};
}
HEDDLE_HALF __half2 __half2half2(__half h) {
    return {h, h};
}
HEDDLE_HALF __half2 __float2half2_rn(float value) {
    return __half2half2(__float2half_rn(value));
}
HEDDLE_HALF __half2 __floats2half2_rn(float low, float high) {
    return {__float2half_rn(low), __float2half_rn(high)};
}
HEDDLE_HALF __half2 __float22half2_rn(float2 values) {
    return __floats2half2_rn(values.x, values.y);
}
HEDDLE_HALF float2 __half22float2(__half2 a) {
    return {__half2float(a.x), __half2float(a.y)};
}
HEDDLE_HALF __half2 make_half2(__half low, __half high) {
    return {low, high};
}
HEDDLE_HALF __half __low2half(__half2 a) {
    return a.x;
}
HEDDLE_HALF __half __high2half(__half2 a) {
    return a.y;
}
HEDDLE_HALF float __low2float(__half2 a) {
    return __half2float(a.x);
}
HEDDLE_HALF float __high2float(__half2 a) {
    return __half2float(a.y);
}
HEDDLE_HALF __half2 __low2half2(__half2 a) {
    return {a.x, a.x};
}
HEDDLE_HALF __half2 __high2half2(__half2 a) {
    return {a.y, a.y};
}
HEDDLE_HALF __half2 __lowhigh2highlow(__half2 a) {
    return {a.y, a.x};
}
HEDDLE_HALF __half2 __lows2half2(__half2 a, __half2 b) {
    return {a.x, b.x};
}
HEDDLE_HALF __half2 __highs2half2(__half2 a, __half2 b) {
    return {a.y, b.y};
}
