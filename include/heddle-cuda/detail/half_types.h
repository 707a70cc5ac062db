// The types __half and __half2, and what rounds a number to f16 on the host.
#pragma once

#include <math.h>
#include <string.h>

#include "../host_defines.h"
#include "../vector_types.h"

#define HEDDLE_HALF static HEDDLE_CUDA_BOTH __forceinline__

struct __half_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
    unsigned short x, y;
};

namespace heddle_half {

enum Direction { kNearest, kToZero, kDown, kUp };

// The host's roundings. The least number of f16 is 2^-24, the least normal one 2^-14.
inline unsigned short from_double(double value, Direction direction) {
    unsigned long long bits; // tell infinities and NaNs even where the compiler is told that there are none
    memcpy(&bits, &value, sizeof bits);
    const bool negative = bits >> 63 != 0;
    const int sign = negative ? 0x8000 : 0;
    if ((bits & 0x7ff0000000000000) == 0x7ff0000000000000)
        return static_cast<unsigned short>((bits & 0xfffffffffffff) != 0 ? 0x7fff : sign | 0x7c00);
    const double magnitude = fabs(value);
    int exponent = -14;
    if (magnitude >= 6.103515625e-05) {
        frexp(magnitude, &exponent);
        --exponent;
    }
    const double digits = ldexp(magnitude, 10 - exponent); // below 2048; subnormal numbers: below 1024
    const int kept = static_cast<int>(digits);
    const double rest = digits - kept;
    const bool directed = direction != kToZero && (direction == kDown) == negative;
    const bool away = direction == kNearest ? rest > 0.5 || (rest == 0.5 && kept % 2 != 0) : directed && rest > 0.0;
    const int fields = (exponent + 14) * 1024 + kept + (away ? 1 : 0); // a carry goes into the exponent by itself
    const int limit = direction == kNearest || directed ? 0x7c00 : 0x7bff;
    return static_cast<unsigned short>(sign | (fields < limit ? fields : limit));
}

inline float to_float(unsigned short bits) {
    const int exponent = bits >> 10 & 31;
    const int digits = bits & 1023;
    float magnitude = exponent == 0 ? ldexpf(static_cast<float>(digits), -24)
                                    : ldexpf(static_cast<float>(digits + 1024), exponent - 25);
    if (exponent == 31) {
        const unsigned special = digits == 0 ? 0x7f800000u : 0x7fffffffu;
        memcpy(&magnitude, &special, sizeof magnitude);
        return digits == 0 && bits >> 15 != 0 ? -magnitude : magnitude;
    }
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

} // namespace heddle_half

// cvt of one number: what the device's instruction is, and the host's value.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_CVT(to_constraint, to, from_constraint, from, modifiers, result, a, host)                          \
    asm("cvt" modifiers "." to "." from " %0, %1;" : "=" to_constraint(result) : from_constraint(a))
#else
#define HEDDLE_HALF_CVT(to_constraint, to, from_constraint, from, modifiers, result, a, host) result = (host)
#endif

struct __half {
    __half() = default;
    HEDDLE_CUDA_BOTH constexpr __half(const __half_raw& raw) : bits_(raw.x) {}
    HEDDLE_CUDA_BOTH __half(float value);
    HEDDLE_CUDA_BOTH __half(double value);
    HEDDLE_CUDA_BOTH __half(short value);
    HEDDLE_CUDA_BOTH __half(unsigned short value);
    HEDDLE_CUDA_BOTH __half(int value);
    HEDDLE_CUDA_BOTH __half(unsigned value);
    HEDDLE_CUDA_BOTH __half(long value);
    HEDDLE_CUDA_BOTH __half(unsigned long value);
    HEDDLE_CUDA_BOTH __half(long long value);
    HEDDLE_CUDA_BOTH __half(unsigned long long value);
    HEDDLE_CUDA_BOTH operator float() const;
    HEDDLE_CUDA_BOTH operator __half_raw() const {
        return {bits_};
    }

private:
    unsigned short bits_;
};

struct __attribute__((aligned(4))) __half2 {
    __half x, y; // the lower half and the upper one

    __half2() = default;
    HEDDLE_CUDA_BOTH constexpr __half2(const __half& low, const __half& high) : x(low), y(high) {}
    HEDDLE_CUDA_BOTH constexpr __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    HEDDLE_CUDA_BOTH operator __half2_raw() const {
        return {static_cast<__half_raw>(x).x, static_cast<__half_raw>(y).x};
    }
};

typedef __half half;
typedef __half2 half2;

// --- bits ---
HEDDLE_HALF unsigned short __half_as_ushort(__half h) {
    return static_cast<__half_raw>(h).x;
}
HEDDLE_HALF short __half_as_short(__half h) {
    return static_cast<short>(__half_as_ushort(h));
}
HEDDLE_HALF __half __ushort_as_half(unsigned short bits) {
    return __half_raw{bits};
}
HEDDLE_HALF __half __short_as_half(short bits) {
    return __half_raw{static_cast<unsigned short>(bits)};
}

namespace heddle_half {

HEDDLE_HALF unsigned bits_of(__half2 a) {
    return __half_as_ushort(a.x) | static_cast<unsigned>(__half_as_ushort(a.y)) << 16;
}
HEDDLE_HALF __half2 pair_of(unsigned bits) {
    return __half2_raw{static_cast<unsigned short>(bits), static_cast<unsigned short>(bits >> 16)};
}

} // namespace heddle_half
