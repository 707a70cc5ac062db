// The timing of an instruction in a pipe.
#pragma once

#include <cstdint>

namespace heddle::sm {

struct PipeTiming {
    static constexpr unsigned kMostCycles = 2000;

    std::uint16_t latency = 1;  // from the first cycle of execution to the result
    std::uint16_t interval = 1; // cycles until the unit takes the next instruction
};

} // namespace heddle::sm
