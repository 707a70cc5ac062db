#include "sm/load_store/tma_unit.h"

namespace heddle::sm {

std::span<const config::Parameter<TmaConfig>> TmaConfig::parameters() {
    using C = TmaConfig;
    static const config::Parameter<C> table[] = {
        {"bytes", &C::bytes, "bytes a cycle", "0..1024",
         "that bulk copies of an SM request; 0: they are accesses of the load/store unit", "measured on an H200: 104"},
        {"requests", &C::requests, "lines", "1..65536", "of bulk copies that may be on their way to an SM",
         "FlashGPU-Sim: 384"},
        {"issue", &C::issue, "cycles", "1..255",
         "from the issue of a bulk copy in native code until the next instruction of its warp may issue",
         "measured on an H200: 60"},
        {"latency", &C::latency, "cycles", "0..1000",
         "from the arrival of the last line of a bulk copy until it counts for its barrier object", "assumed: 0"},
    };
    return table;
}

std::span<const stats::Statistic<TmaStats>> TmaStats::statistics() {
    using S = TmaStats;
    static const stats::Statistic<S> table[] = {
        {"copies", &S::copies, "instructions", "bulk copies from global to shared memory"},
        {"lines", &S::lines, "lines", "lines that they requested"},
        {"full", &S::full, "attempts", "requests that had to be repeated because memory took none"},
    };
    return table;
}

void TmaUnit::step(Cycle now) {
    if (copies_.empty()) // those of the last step were of a launch that was stopped
        return;
    if (!memory_.has_room()) {
        refused_ = true;
        ++stats_.full;
        return;
    }
    Copy& copy = copies_.front();
    const mem::CacheAccess access{.address = mem::with_sectors(copy.lines.front() * line_, sectors_), .pc = copy.pc};
    memory_.read(access, line_, mem::Requester::Copy, copy.flight, now);
    ++on_way_;
    ++stats_.lines;
    const bool was_busy = free_ > (now - 1) * config_.bytes; // then what is left of the last cycle counts
    free_ = (was_busy ? free_ : now * config_.bytes) + line_;
    copy.lines = copy.lines.subspan(1);
    if (copy.lines.empty())
        copies_.pop();
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::TmaConfig, "the unit of bulk copies (TMA)")
HEDDLE_STATISTICS(heddle::sm::TmaStats, "tma", "bulk copies that the TMA unit makes")
