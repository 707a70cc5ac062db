// Sizes and addresses in whole units.
#pragma once

#include <cstdint>

namespace heddle {

// The least multiple of `unit` that is not below n. unit > 0; n + unit - 1 fits into 64 bits.
[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t unit) {
    return (n + unit - 1) / unit * unit;
}

} // namespace heddle
