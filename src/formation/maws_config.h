// Settings and statistics of warp subdivision.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/types.h"
#include "config/parameter.h"
#include "stats/statistic.h"

namespace heddle::formation {

struct MawsConfig {
    static constexpr std::string_view kSection = "maws";
    std::string split = "latspec";
    bool loop_bypass = true;
    std::string loop_push = "first";
    std::uint64_t memory_latency = 300;
    bool inherit_mfc = false;
    static std::span<const config::Parameter<MawsConfig>> parameters();
};

struct MawsStats {
    std::uint64_t divergent = 0;
    std::uint64_t splits = 0;
    std::uint64_t merges_at_access = 0;
    std::uint64_t merges_waiting = 0;
    std::uint64_t merges_at_branch = 0;
    std::uint64_t merges_at_barrier = 0;
    std::uint64_t met = 0;
    std::uint64_t parked = 0;
    std::uint64_t bypassed = 0;
    std::uint64_t returns_behind = 0;
    std::uint64_t run_ahead = 0;
    std::uint64_t present = 0;
    stats::Histogram splits_of_warp = stats::Histogram(kMaxWidth + 1);
    stats::Histogram splits_of_sm = stats::Histogram(kMaxWidth * 4);
    static std::span<const stats::Statistic<MawsStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

} // namespace heddle::formation
