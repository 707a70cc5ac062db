// The formats of 4 to 8 bits as tables of their numbers, written down from the definition of each format.
#pragma once

#include <cmath>
#include <utility>

#include "exec/small_floats.h"

namespace heddle::exec::test {

struct Definition {
    const SmallFloat& format;
    unsigned exponent, mantissa; // bits
    int bias;
    unsigned finite;   // codes of numbers that are not negative: 0 .. finite - 1
    bool has_infinity; // behind them
    bool has_nan;      // the codes above
    unsigned nan;      // that conversions give
};

inline constexpr Definition kDefinitions[] = {
    {kE4M3, 4, 3, 7, 0x7f, false, true, 0x7f}, {kE5M2, 5, 2, 15, 0x7c, true, true, 0x7f},
    {kE2M3, 2, 3, 1, 0x20, false, false, 0},   {kE3M2, 3, 2, 3, 0x20, false, false, 0},
    {kE2M1, 2, 1, 1, 0x8, false, false, 0},
};

inline unsigned codes(const Definition& d) {
    return 1U << (d.exponent + d.mantissa);
}

// The number of a code that is not negative.
inline double number(const Definition& d, unsigned code) {
    const unsigned exponent = code >> d.mantissa, digits = code & ((1U << d.mantissa) - 1);
    const int scale = static_cast<int>(exponent == 0 ? 1 : exponent) - d.bias - static_cast<int>(d.mantissa);
    return std::ldexp(digits + (exponent == 0 ? 0 : 1U << d.mantissa), scale);
}

// By search: the nearest number, of two at equal distance the one with the even code. PTX's .satfinite.
inline unsigned nearest(const Definition& d, double value) {
    if (std::isnan(value))
        return d.has_nan ? d.nan : d.finite - 1;
    const unsigned sign = std::signbit(value) ? codes(d) : 0;
    const double magnitude = std::fabs(value);
    if (magnitude >= number(d, d.finite - 1))
        return sign | (d.finite - 1);
    unsigned best = 0;
    for (unsigned code = 1; code < d.finite; ++code) {
        const double here = std::fabs(number(d, code) - magnitude), before = std::fabs(number(d, best) - magnitude);
        if (here < before || (here == before && code % 2 == 0))
            best = code;
    }
    return sign | best;
}

// The neighbour below in magnitude, and the share of the distance to the next one.
inline std::pair<unsigned, double> below(const Definition& d, double magnitude) {
    unsigned code = 0;
    while (code + 1 < d.finite && number(d, code + 1) <= magnitude)
        ++code;
    const double step = code + 1 < d.finite ? number(d, code + 1) - number(d, code) : 0;
    return {code, step == 0 ? 0 : (magnitude - number(d, code)) / step};
}

} // namespace heddle::exec::test
