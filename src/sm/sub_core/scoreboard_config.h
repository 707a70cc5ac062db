// Settings of the scoreboarded core (sm/sub_core/scoreboard_core.h) and of its execution units.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "ir/micro_op.h"

namespace heddle::sm {

struct ScoreboardConfig {
    static constexpr std::string_view kSection = "scoreboard";
    std::uint64_t schedulers = 2;
    std::uint64_t buffer = 2;
    std::uint64_t decode = 2;
    std::uint64_t branch = 1;
    std::uint64_t register_banks = 16;
    std::uint64_t collect = 2;
    std::uint64_t dispatch = 3;
    std::uint64_t collectors_sp = 6;
    std::uint64_t collectors_sfu = 8;
    std::uint64_t collectors_dp = 6;
    std::uint64_t collectors_ldst = 2;
    std::uint64_t result_buses = 2;
    std::uint64_t write_back = 1;
    std::string long_latency = "load";
    static std::span<const config::Parameter<ScoreboardConfig>> parameters();
};

// Execution units and how long each kind of work takes in them, as "latency/initiation interval".
struct UnitsConfig {
    static constexpr std::string_view kSection = "units";
    std::uint64_t sp = 2;
    std::uint64_t sfu = 1;
    std::uint64_t dp = 0;
    std::string int_add = "4/1", int_max = "13/2", int_mul = "4/2", int_mad = "5/1", int_div = "145/8";
    std::string fp32_add = "4/1", fp32_max = "13/2", fp32_mul = "4/1", fp32_mad = "5/1", fp32_div = "39/4";
    std::string fp64_add = "8/8", fp64_max = "19/16", fp64_mul = "8/8", fp64_mad = "8/8", fp64_div = "330/130";
    std::string logic = "1/1";
    std::string special = "8/8";
    std::string shuffle = "32/4";
    static std::span<const config::Parameter<UnitsConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;

    static constexpr unsigned kMostCycles = 2000;
    struct Timing {
        std::uint16_t latency = 1;  // from the first cycle of execution to the result
        std::uint16_t interval = 1; // until the unit takes the next one
    };
    // `work` is not Memory; Control takes what Logic takes.
    [[nodiscard]] Timing timing(ir::Work work, ir::Domain domain) const;
};

} // namespace heddle::sm
