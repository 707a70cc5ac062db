#include "exec/ops/reduce_angle.h"

#include <bit>
#include <cmath>
#include <limits>

namespace heddle::exec::ops {

namespace {

using std::uint32_t, std::uint64_t;
__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

// 2/pi = 0.a2f9836e...: binary digits behind the point, in words of 32.
constexpr uint32_t kTwoOverPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                   0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};

// 96 digits of 2/pi from the one of weight 2^-first on; first in [1, 128].
Wide digits_from(int first) {
    const int word = (first - 1) / 32;
    const int skip = (first - 1) % 32;
    Wide digits = 0;
    for (int i = 0; i < 3; ++i) {
        const uint64_t pair = uint64_t{kTwoOverPi[word + i]} << 32 | kTwoOverPi[word + i + 1];
        digits = digits << 32 | static_cast<uint32_t>((pair << skip) >> 32);
    }
    return digits;
}

} // namespace

// With angle = m * 2^e, m of 24 bits: digits of 2/pi whose product with 2^e is a multiple of 4 have no effect, and 96
// digits from there on leave an error below 2^-69 in m * 2^e * 2/pi mod 4 (Payne and Hanek's method).
Angle reduce_angle(float angle) {
    const auto bits = std::bit_cast<uint32_t>(angle);
    const auto exponent = static_cast<int>(bits >> 23 & 0xff);
    if (exponent == 0xff) {
        return {0, std::numeric_limits<double>::quiet_NaN()};
    }
    const uint32_t m = (bits & 0x7fffff) | 0x800000;
    const int e = exponent - 150;
    // Weight 2^1 after the product with 2^e is the top of 96 bits. Before the first digit there are zeros.
    const int first = e - 1;
    const Wide digits = first >= 1 ? digits_from(first) : digits_from(1) >> (1 - first);
    constexpr Wide kQuarter = Wide{1} << 94; // one quadrant
    const Wide product = m * digits & (4 * kQuarter - 1);
    auto quadrant = static_cast<uint64_t>(product >> 94);
    auto rest = static_cast<SignedWide>(product & (kQuarter - 1));
    if (rest >= static_cast<SignedWide>(kQuarter / 2)) {
        rest -= static_cast<SignedWide>(kQuarter);
        ++quadrant;
    }
    double r = static_cast<double>(rest) * 0x1p-94 * 1.5707963267948966;
    if ((bits >> 31) != 0) {
        quadrant = 0 - quadrant;
        r = -r;
    }
    return {quadrant & 3, r};
}

} // namespace heddle::exec::ops
