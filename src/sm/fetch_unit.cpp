#include "sm/fetch_unit.h"

namespace heddle::sm {

void FetchUnit::miss(UnitId unit, Address address, const mem::Cache::Found& found, Cycle now) {
    ++waiting_units_;
    if (found.result == mem::Cache::Result::Full) {
        stuck_.insert(unit);
        return;
    }
    mem::LineId line = found.line;
    if (found.result == mem::Cache::Result::Miss) {
        ++stats_.misses;
        line = cache_.reserve(address, false).line;
        memory_.read(address, line_bytes_, MainMemory::For::Instruction, line, now);
    } else {
        ++stats_.merges;
    }
    waiting_[line].insert(unit);
}

void FetchUnit::fill(mem::LineId line, UnitSet& blocked) {
    cache_.fill(line);
    for (UnitSet* set : {&waiting_[line], &stuck_}) {
        set->for_each([&](UnitId u) {
            blocked.erase(u);
            --waiting_units_;
        });
        *set = UnitSet(blocked.words() * 64);
    }
}

std::span<const stats::Statistic<FetchStats>> FetchStats::statistics() {
    using S = FetchStats;
    static const stats::Statistic<S> table[] = {
        {"hits", &S::hits, "fetches", "fetches that found their instruction"},
        {"misses", &S::misses, "fetches", "fetches that sent a request to memory"},
        {"merges", &S::merges, "fetches", "fetches that joined a request on its way"},
    };
    return table;
}

std::span<const stats::Formula> FetchStats::formulas() {
    static const stats::Formula table[] = {
        {"hit_rate", "hits", "hits+misses+merges", "share of fetches that found their instruction"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_STATISTICS(heddle::sm::FetchStats, "icache", "instruction cache")
