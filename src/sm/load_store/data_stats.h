// Counters of the accesses in the load/store unit.
#pragma once

#include "base/types.h"
#include "stats/statistic.h"

namespace heddle::sm {

struct DataStats {
    std::uint64_t loads = 0; // instructions with an access to global memory
    std::uint64_t stores = 0;
    std::uint64_t atomics = 0;
    std::uint64_t fences = 0;
    std::uint64_t threads = 0;
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0; // line look-ups
    std::uint64_t stores_sent = 0;
    std::uint64_t port_conflicts = 0;
    std::uint64_t bank_conflicts = 0;
    std::uint64_t put_aside = 0;
    std::uint64_t wait_cycles = 0;
    std::uint64_t shared_accesses = 0;
    std::uint64_t shared_cycles = 0;
    std::uint64_t private_accesses = 0;
    std::uint64_t private_cycles = 0;
    std::uint64_t spilled_accesses = 0;
    stats::Histogram transactions = stats::Histogram(kMaxWidth + 1); // instructions by lines touched
    static std::span<const stats::Statistic<DataStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

} // namespace heddle::sm
