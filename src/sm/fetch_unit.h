// Instruction fetch: a single-ported instruction cache in front of memory. A unit whose instruction is missing stands
// back until the line has come; misses of one line merge.
#pragma once

#include <vector>

#include "base/unit_set.h"
#include "mem/cache.h"
#include "sm/core_config.h"
#include "sm/main_memory.h"
#include "stats/statistic.h"

namespace heddle::sm {

struct FetchStats {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t merges = 0;
    static std::span<const stats::Statistic<FetchStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

class FetchUnit {
public:
    FetchUnit(const ICacheConfig& config, unsigned units, MainMemory& memory)
        : memory_(memory), cache_(config.shape()), line_bytes_(config.line), instruction_(config.instruction),
          waiting_(config.size / config.line, UnitSet(units)), stuck_(units) {}

    // True when the instruction is there. Otherwise the unit waits until fill() gives it back.
    bool fetch(UnitId unit, Pc pc, Cycle now) {
        const Address address = kCodeBase + std::uint64_t{pc} * instruction_;
        if (cache_.same_line_again(address)) [[likely]] {
            ++stats_.hits;
            return true;
        }
        const mem::Cache::Found found = cache_.access(address, false);
        if (found.result == mem::Cache::Result::Hit) {
            ++stats_.hits;
            return true;
        }
        miss(unit, address, found, now);
        return false;
    }

    // A line has come: `blocked` loses the units that waited for it.
    void fill(mem::LineId line, UnitSet& blocked);

    [[nodiscard]] unsigned waiting_units() const {
        return waiting_units_;
    }
    [[nodiscard]] FetchStats& stats() {
        return stats_;
    }

private:
    // Code lies in a part of memory of its own, so that it shares rows with no data.
    static constexpr Address kCodeBase = 0x0400'0000'0000;

    void miss(UnitId unit, Address address, const mem::Cache::Found& found, Cycle now);

    MainMemory& memory_;
    mem::Cache cache_;
    std::uint64_t line_bytes_;
    std::uint64_t instruction_;
    std::vector<UnitSet> waiting_; // by line
    UnitSet stuck_;                // every way of their set was reserved: they try again after any fill
    unsigned waiting_units_ = 0;
    FetchStats stats_;
};

} // namespace heddle::sm
