// The clocks of the networks and of the DRAM channels beside the core's, and their ticks in the core cycle that runs.
#pragma once

#include "base/clock_ratio.h"

namespace heddle::mem {

class MemoryClocks {
public:
    MemoryClocks(const ClockRatio& networks, const ClockRatio& channels) : networks_(networks), channels_(channels) {}

    [[nodiscard]] const ClockRatio& networks() const {
        return networks_;
    }
    [[nodiscard]] const ClockRatio& channels() const {
        return channels_;
    }
    // The core's cycle `now` runs.
    void advance(Cycle now) {
        channel_tick_ = channels_.tick_before(now);
        network_tick_ = networks_.tick_before(now);
    }
    // The last tick of the networks, or of the channels, up to the cycle of the last advance(); 0 before.
    [[nodiscard]] Cycle network_tick() const {
        return network_tick_;
    }
    [[nodiscard]] Cycle channel_tick() const {
        return channel_tick_;
    }

private:
    ClockRatio networks_;
    ClockRatio channels_;
    Cycle network_tick_ = 0;
    Cycle channel_tick_ = 0;
};

} // namespace heddle::mem
