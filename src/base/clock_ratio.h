// A clock beside the core's, with a rational ratio to it.
#pragma once

#include <cmath>
#include <numeric>

#include "base/divider.h"
#include "base/types.h"

namespace heddle {

// Tick n of the clock falls into core cycle ceil(n * core / own). Frequencies count to the kHz.
class ClockRatio {
public:
    ClockRatio() = default; // the core's own clock
    ClockRatio(double own_mhz, double core_mhz) : own_(kilohertz(own_mhz)), core_(kilohertz(core_mhz)) {
        const std::uint64_t common = std::gcd(own_.divisor(), core_.divisor());
        own_ = Divider(own_.divisor() / common);
        core_ = Divider(core_.divisor() / common);
    }

    // The core cycle in which tick n happens; kNever for kNever.
    [[nodiscard]] Cycle core_cycle(Cycle tick) const {
        if (same() || tick == kNever)
            return tick;
        return own_.quotient(tick * core_.divisor() + own_.divisor() - 1);
    }
    // The first tick that does not happen before a core cycle.
    [[nodiscard]] Cycle tick_from(Cycle core_cycle) const {
        if (same() || core_cycle == 0)
            return core_cycle;
        return core_.quotient((core_cycle - 1) * own_.divisor()) + 1;
    }

    // The last tick that does not happen after a core cycle.
    [[nodiscard]] Cycle tick_before(Cycle core_cycle) const {
        return same() ? core_cycle : core_.quotient(core_cycle * own_.divisor());
    }

private:
    [[nodiscard]] bool same() const {
        return own_.divisor() == core_.divisor();
    }
    static std::uint64_t kilohertz(double mhz) {
        return static_cast<std::uint64_t>(std::llround(mhz * 1000));
    }

    Divider own_{1}; // the ratio own : core, reduced
    Divider core_{1};
};

} // namespace heddle
