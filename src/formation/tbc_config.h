// Settings and statistics of thread block compaction (formation/tbc.cpp).
#pragma once

#include <span>

#include "config/parameter.h"
#include "stats/statistic.h"

namespace heddle::formation {

struct TbcConfig {
    static constexpr std::string_view kSection = "tbc";
    std::uint64_t block = 0;
    static std::span<const config::Parameter<TbcConfig>> parameters();
};

struct TbcStats {
    std::uint64_t branches = 0;
    std::uint64_t divergent = 0;
    std::uint64_t reconvergences = 0;
    std::uint64_t warps = 0;
    std::uint64_t threads = 0;
    std::uint64_t lanes = 0;
    std::uint64_t warp_wait_cycles = 0;
    std::uint64_t block_wait_cycles = 0;
    std::uint64_t reconvergence_wait_cycles = 0;
    static std::span<const stats::Statistic<TbcStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

} // namespace heddle::formation
