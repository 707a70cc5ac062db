// Settings, statistics and hardware of dynamic warp formation.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/parameter.h"
#include "cost/hardware_cost.h"
#include "stats/statistic.h"

namespace heddle::formation {

struct DwfConfig {
    static constexpr std::string_view kSection = "dwf";
    std::string lanes = "aware";
    std::string miss = "unit";
    bool swizzle = true;
    std::uint64_t pool = 0;
    std::uint64_t lut_entries = 32;
    std::uint64_t lut_ways = 2;
    std::uint64_t extra_stages = 1;
    static std::span<const config::Parameter<DwfConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

struct DwfStats {
    std::uint64_t warps = 0;
    std::uint64_t full_warps = 0;
    std::uint64_t threads = 0;
    std::uint64_t merged = 0;
    std::uint64_t conflicts = 0;
    std::uint64_t lost_issued = 0;
    std::uint64_t lost_evicted = 0;
    std::uint64_t evictions = 0;
    std::uint64_t stall_cycles = 0;
    stats::Histogram pool = stats::Histogram(12); // the last class also counts larger numbers
    static std::span<const stats::Statistic<DwfStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

// DWF07 Table 1 for warps of `width` lanes, an SM of `threads` and a pool of `pool` entries. The issue logic is part of
// the scheduler's cost.
[[nodiscard]] std::vector<cost::HardwareCost> dwf_hardware_cost(const DwfConfig& config, unsigned width,
                                                                unsigned threads, unsigned pool);

} // namespace heddle::formation
