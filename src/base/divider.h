// Division by a number that is known once and for all: a multiplication instead of the host's slow division.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>

namespace heddle {

class Divider {
public:
    // `divisor` is not 0. Numbers that are divided are below 2^63.
    explicit Divider(std::uint64_t divisor)
        : divisor_(divisor), inverse_(std::numeric_limits<std::uint64_t>::max() / divisor) {
        assert(divisor != 0);
    }

    [[nodiscard]] std::uint64_t divisor() const {
        return divisor_;
    }
    [[nodiscard]] std::uint64_t quotient(std::uint64_t n) const {
        // The inverse is too small by less than one in 2^64, so the product is by one at most.
        const auto guess = static_cast<std::uint64_t>((static_cast<Wide>(n) * inverse_) >> 64);
        return guess + (n - guess * divisor_ >= divisor_ ? 1 : 0);
    }
    [[nodiscard]] std::uint64_t remainder(std::uint64_t n) const {
        return n - quotient(n) * divisor_;
    }

private:
    __extension__ using Wide = unsigned __int128;

    std::uint64_t divisor_;
    std::uint64_t inverse_; // 2^64 / divisor, rounded down (by one more where the divisor is a power of two)
};

} // namespace heddle
