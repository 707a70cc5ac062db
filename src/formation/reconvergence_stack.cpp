#include "formation/reconvergence_stack.h"

#include <fmt/format.h>

namespace heddle::formation {

std::span<const config::Parameter<StackConfig>> StackConfig::parameters() {
    using C = StackConfig;
    static const config::Parameter<C> table[] = {
        {"first", &C::first, "", "taken|not-taken", "the side of a divergent branch that runs first",
         "LWM11 2.3 leaves it open"},
        {"spin_limit", &C::spin_limit, "instructions", "0..1000000000000",
         "instructions without a store, while threads of the same stack wait at a reconvergence point, after which a "
         "livelock is detected by registers that repeat; 0: never",
         "assumed"},
    };
    return table;
}

cost::HardwareCost cost_of_stacks(unsigned rows, unsigned width) {
    constexpr unsigned kPcBits = 32;
    const unsigned depth = 2 * (width - 1);
    return {.structure = "divergence stack",
            .entries = std::uint64_t{rows} * depth,
            .bits = 2 * kPcBits + width,
            .source = "assumed; entry: LWM11 2.3, DWF07 Table 1",
            .note = fmt::format("execute PC, reconvergence PC, active mask; {} entries a warp: the most that {} "
                                "threads can need",
                                depth, width)};
}

} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::StackConfig, "stack reconvergence (core.formation = pdom, lwm, tbc)")
