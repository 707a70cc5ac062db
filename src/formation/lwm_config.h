// Settings and statistics of large warps.
#pragma once

#include <span>
#include <string>

#include "config/parameter.h"
#include "stats/statistic.h"

namespace heddle::formation {

struct LwmConfig {
    static constexpr std::string_view kSection = "lwm";
    std::uint64_t size = 256;
    std::string refetch = "first-subwarp";
    std::string miss = "subwarp";
    bool jump_once = true;
    bool memory_rows = false;
    bool pack_predicate = true;
    static std::span<const config::Parameter<LwmConfig>> parameters();
};

struct LwmStats {
    std::uint64_t instructions = 0;
    std::uint64_t sub_warps = 0;
    std::uint64_t threads = 0;
    std::uint64_t lanes = 0;
    std::uint64_t fewest = 0;
    std::uint64_t jumps = 0;
    std::uint64_t jump_sub_warps_saved = 0;
    std::uint64_t early = 0;
    std::uint64_t residues = 0;
    static std::span<const stats::Statistic<LwmStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

} // namespace heddle::formation
