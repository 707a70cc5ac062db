// The 16-bit floating-point formats as bits, and what rounds a number to them on the host.
#pragma once

#include <limits.h>
#include <math.h>
#include <string.h>

#include "../host_defines.h"
#include "../vector_types.h"

#define HEDDLE_HALF static HEDDLE_CUDA_BOTH __forceinline__

namespace heddle_half {

enum Direction { kNearest, kToZero, kDown, kUp };

template <int Digits, int ExponentBits>
struct Format {
    static constexpr int kLeastExponent = 2 - (1 << (ExponentBits - 1)); // of the normal numbers
    static constexpr int kInfinite = ((1 << ExponentBits) - 1) << Digits;
    static constexpr int kOne = (1 - kLeastExponent) << Digits;
    static constexpr int kNan = 0x7fff;

    static HEDDLE_CUDA_BOTH bool is_nan(unsigned short bits) {
        return (bits & 0x7fff) > kInfinite;
    }
    static HEDDLE_CUDA_BOTH unsigned short saturated(unsigned short bits) { // in [0, 1]; a NaN becomes 0
        return static_cast<unsigned short>(bits > kInfinite ? 0 : bits > kOne ? kOne : bits);
    }
    static HEDDLE_CUDA_BOTH unsigned short without_negative(unsigned short bits) {
        return static_cast<unsigned short>(is_nan(bits) ? kNan : bits >> 15 != 0 ? 0 : bits);
    }

    static unsigned short from_double(double value, Direction direction);
    static float to_float(unsigned short bits);
};
typedef Format<10, 5> Half;
typedef Format<7, 8> Bfloat16;

template <int Digits, int ExponentBits>
inline unsigned short Format<Digits, ExponentBits>::from_double(double value, Direction direction) {
    unsigned long long bits; // tell infinities and NaNs even where the compiler is told that there are none
    memcpy(&bits, &value, sizeof bits);
    const bool negative = bits >> 63 != 0;
    const int sign = negative ? 0x8000 : 0;
    if ((bits & 0x7ff0000000000000) == 0x7ff0000000000000)
        return static_cast<unsigned short>((bits & 0xfffffffffffff) != 0 ? kNan : sign | kInfinite);
    const double magnitude = fabs(value);
    int exponent = kLeastExponent;
    if (magnitude >= ldexp(1.0, kLeastExponent)) {
        frexp(magnitude, &exponent);
        --exponent;
    }
    const double digits = ldexp(magnitude, Digits - exponent); // below 2^(Digits + 1); subnormal numbers: half of that
    const int kept = static_cast<int>(digits);
    const double rest = digits - kept;
    const bool directed = direction != kToZero && (direction == kDown) == negative;
    const bool away = direction == kNearest ? rest > 0.5 || (rest == 0.5 && kept % 2 != 0) : directed && rest > 0.0;
    // A carry goes into the exponent by itself.
    const int fields = (exponent - kLeastExponent) * (1 << Digits) + kept + (away ? 1 : 0);
    const int limit = direction == kNearest || directed ? kInfinite : kInfinite - 1;
    return static_cast<unsigned short>(sign | (fields < limit ? fields : limit));
}

template <int Digits, int ExponentBits>
inline float Format<Digits, ExponentBits>::to_float(unsigned short bits) {
    const int exponent = (bits & 0x7fff) >> Digits;
    const int digits = bits & ((1 << Digits) - 1);
    float magnitude = exponent == 0
                          ? ldexpf(static_cast<float>(digits), kLeastExponent - Digits)
                          : ldexpf(static_cast<float>(digits + (1 << Digits)), exponent - 1 + kLeastExponent - Digits);
    if ((bits & 0x7fff) >= kInfinite) {
        const unsigned special = is_nan(bits) ? 0x7fffffffu : 0x7f800000u;
        memcpy(&magnitude, &special, sizeof magnitude);
        return !is_nan(bits) && bits >> 15 != 0 ? -magnitude : magnitude;
    }
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

// x * y + z of numbers of a format, as a double that rounds to the format as the exact one does. The product is exact
// and has at most 22 digits. Where the sum has more digits than a double, the lesser operand matters only by its sign:
// one just large enough to be there in the sum stands for it.
inline double fused(double x, double y, double z) {
    double larger = x * y, lesser = z;
    if (fabs(larger) < fabs(lesser)) {
        larger = z;
        lesser = x * y;
    }
    const bool far = fabs(larger) < 0x1p300 && fabs(lesser) > 0.0 && fabs(lesser) < fabs(larger) * 0x1p-30;
    return larger + (far ? copysign(fabs(larger) * 0x1p-26, lesser) : lesser);
}

// An integer as a double that rounds to a format as the integer does: digits that a double has no room for become one
// that says whether any of them is there.
template <class T>
inline double from_integer(T value) {
    const bool negative = value < 0;
    const unsigned long long bits = static_cast<unsigned long long>(value);
    const unsigned long long magnitude = negative ? 0 - bits : bits;
    const unsigned long long kept = magnitude >> 12 << 12;
    const double result = magnitude >> 53 == 0 ? static_cast<double>(magnitude)
                                               : static_cast<double>(kept | (kept != magnitude ? 1 << 12 : 0));
    return negative ? -result : result;
}

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

inline int rank(unsigned short bits) { // in the order of the numbers
    return (bits & 0x8000) != 0 ? -1 - (bits & 0x7fff) : bits;
}

template <class RawPair>
HEDDLE_CUDA_BOTH inline RawPair pair_of(unsigned bits) {
    return {static_cast<unsigned short>(bits), static_cast<unsigned short>(bits >> 16)};
}

} // namespace heddle_half

// cvt of one number: what the device's instruction is, and the host's value.
#ifdef __CUDA_ARCH__
#define HEDDLE_HALF_CVT(to_constraint, to, from_constraint, from, modifiers, result, a, host)                          \
    asm("cvt" modifiers "." to "." from " %0, %1;" : "=" to_constraint(result) : from_constraint(a))
#else
#define HEDDLE_HALF_CVT(to_constraint, to, from_constraint, from, modifiers, result, a, host) result = (host)
#endif
