// Runs a program one thread after the other, as far as each can go by itself. Knows nothing of the simulator.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program.h"

namespace heddle::properties {

struct Result {
    std::vector<std::uint32_t> cells, spread, counters;
    std::uint64_t executed = 0; // instructions whose guard was true, summed over threads
};

// Nothing when a thread needs more than `limit` instructions. Throws std::logic_error when threads of a program wait
// for each other at different places.
[[nodiscard]] std::optional<Result> run_reference(const Program& program, std::uint64_t limit);

} // namespace heddle::properties
