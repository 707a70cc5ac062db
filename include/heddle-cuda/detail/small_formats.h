// Floating-point formats of eight bits and less: what rounds to them on the host, and on the device where PTX has no
// instruction, and their numbers. The magnitude of a number is its code without the sign.
#pragma once

#include <assert.h>

#include "half_format.h"

namespace heddle_small {

struct Layout {
    int digits;         // behind the point
    int least_exponent; // of the normal numbers
    unsigned largest;   // magnitude of a finite number
};

constexpr int kDigits = 52, kBias = 1023; // of a double
constexpr unsigned long long kInfinite = 0x7ff0000000000000, kSign = 1ULL << 63;

HEDDLE_HALF unsigned long long bits_of(double value) {
    unsigned long long bits; // tell infinities and NaNs even where the compiler is told that there are none
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The magnitude of what is nearest, of two the even one, or next toward zero, to the number that these bits of a double
// without the sign are, which is no NaN. Beyond the largest it is the largest and one.
HEDDLE_HALF unsigned rounded(unsigned long long bits, const Layout& to, bool toward_zero) {
    const int exponent = static_cast<int>(bits >> kDigits) - kBias;
    if (exponent < to.least_exponent - to.digits - 1) // less than half of the smallest number
        return 0;
    const int above_least = exponent - to.least_exponent; // negative: a subnormal number
    const int dropped = kDigits - to.digits - (above_least < 0 ? above_least : 0);
    const unsigned long long significand = (bits & ((1ULL << kDigits) - 1)) | 1ULL << kDigits;
    const unsigned long long rest = significand & ((1ULL << dropped) - 1), half = 1ULL << (dropped - 1);
    unsigned fields = static_cast<unsigned>(significand >> dropped);
    fields += !toward_zero && (rest > half || (rest == half && fields % 2 != 0)) ? 1 : 0;
    fields += above_least > 0 ? static_cast<unsigned>(above_least) << to.digits : 0; // a carry goes into the exponent
    return fields > to.largest ? to.largest + 1 : fields;
}

// The code in a format whose codes are all numbers: what is beyond the largest number becomes that, a NaN the positive
// one.
HEDDLE_HALF unsigned char rounded_to_number(double value, const Layout& to, cudaRoundMode rounding) {
    assert(rounding == cudaRoundNearest || rounding == cudaRoundZero);
    const unsigned long long bits = bits_of(value), magnitude = bits & ~kSign;
    if (magnitude > kInfinite)
        return static_cast<unsigned char>(to.largest);
    const unsigned code = rounded(magnitude, to, rounding == cudaRoundZero),
                   sign = bits != magnitude ? to.largest + 1 : 0;
    return static_cast<unsigned char>(sign | (code > to.largest ? to.largest : code));
}

HEDDLE_HALF float number_of(unsigned magnitude, const Layout& from) {
    const unsigned exponent = magnitude >> from.digits, fraction = magnitude & ((1u << from.digits) - 1);
    const int above_least = exponent == 0 ? 0 : static_cast<int>(exponent) - 1;
    const unsigned unit = static_cast<unsigned>(127 + from.least_exponent - from.digits + above_least) << 23;
    float value;
    memcpy(&value, &unit, sizeof value);
    return value * static_cast<float>(exponent == 0 ? fraction : fraction + (1u << from.digits));
}

// As half precision has it. Higher bits than the sign have no effect.
HEDDLE_HALF unsigned short half_of_number(unsigned code, const Layout& from) {
    const float value = number_of(code & from.largest, from);
    return static_cast<__half_raw>(__float2half((code & (from.largest + 1)) != 0 ? -value : value)).x;
}

} // namespace heddle_small
