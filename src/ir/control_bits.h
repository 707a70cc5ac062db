// Control bits of an instruction of native code (Jia et al., arXiv 1804.06826, section 2).
#pragma once

#include <cstdint>

namespace heddle::ir {

struct ControlBits {
    static constexpr std::uint8_t kNoCounter = 7;
    static constexpr unsigned kCounters = 6;
    static constexpr std::uint8_t kMostStall = 15;
    std::uint8_t stall = 1;          // cycles until the next instruction of the warp may issue
    bool yield = false;              // another warp goes first
    std::uint8_t write = kNoCounter; // counter that is up until the results are written
    std::uint8_t read = kNoCounter;  // counter that is up until the sources are read
    std::uint8_t wait = 0;           // counters that have to be 0 before the issue
    bool operator==(const ControlBits&) const = default;
};

} // namespace heddle::ir
