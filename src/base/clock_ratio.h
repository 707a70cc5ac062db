// A clock beside the core's, with a rational ratio to it.
#pragma once

#include <cmath>
#include <numeric>

#include "base/types.h"

namespace heddle {

// Tick n of the clock falls into core cycle ceil(n * core / own). Frequencies count to the kHz.
class ClockRatio {
public:
    ClockRatio() = default; // the core's own clock
    ClockRatio(double own_mhz, double core_mhz) : own_(kilohertz(own_mhz)), core_(kilohertz(core_mhz)) {
        const std::uint64_t common = std::gcd(own_, core_);
        own_ /= common;
        core_ /= common;
        own_inverse_ = ~std::uint64_t{0} / own_;
        core_inverse_ = ~std::uint64_t{0} / core_;
    }

    // The core cycle in which tick n happens; kNever for kNever.
    [[nodiscard]] Cycle core_cycle(Cycle tick) const {
        if (own_ == core_ || tick == kNever)
            return tick;
        return quotient(tick * core_ + own_ - 1, own_, own_inverse_);
    }
    // The first tick that does not happen before a core cycle.
    [[nodiscard]] Cycle tick_from(Cycle core_cycle) const {
        if (own_ == core_ || core_cycle == 0)
            return core_cycle;
        return quotient((core_cycle - 1) * own_, core_, core_inverse_) + 1;
    }

    // The last tick that does not happen after a core cycle.
    [[nodiscard]] Cycle tick_before(Cycle core_cycle) const {
        return own_ == core_ ? core_cycle : quotient(core_cycle * own_, core_, core_inverse_);
    }

private:
    static std::uint64_t kilohertz(double mhz) {
        return static_cast<std::uint64_t>(std::llround(mhz * 1000));
    }

    // n / by without a division. `inverse`: (2^64 - 1) / by, so that the product is at most one too small.
    static std::uint64_t quotient(std::uint64_t n, std::uint64_t by, std::uint64_t inverse) {
        __extension__ using Wide = unsigned __int128;
        const auto q = static_cast<std::uint64_t>((Wide{n} * inverse) >> 64);
        return q + (n - q * by >= by ? 1 : 0);
    }

    std::uint64_t own_ = 1; // the ratio own : core, reduced
    std::uint64_t core_ = 1;
    std::uint64_t own_inverse_ = ~std::uint64_t{0};
    std::uint64_t core_inverse_ = ~std::uint64_t{0};
};

} // namespace heddle
