// Instruction fetch: a single-ported instruction cache in front of memory. A unit whose instruction is missing stands
// back until the line has come; misses of one line merge.
#pragma once

#include <vector>

#include "base/unit_set.h"
#include "mem/cache/cache.h"
#include "sm/frame/core_config.h"
#include "sm/frame/memory_port.h"
#include "stats/tree.h"

namespace heddle::sm {

class FetchUnit {
public:
    // `ideal`: every instruction is there, and the cache stays empty. Number `index` of the SM's `count` fetch units.
    FetchUnit(const ICacheConfig& config, bool ideal, unsigned units, MemoryPort& memory, unsigned index = 0,
              unsigned count = 1)
        : memory_(memory), cache_(config), ideal_(ideal), index_(index), count_(count), line_bytes_(config.line),
          instruction_(config.instruction), stuck_(units), served_(units) {}

    // True when the instruction is there. Otherwise the unit waits until fill() or retry() gives it back.
    bool fetch(UnitId unit, Pc pc, Cycle now) {
        const Address address = kCodeBase + std::uint64_t{pc} * instruction_;
        const mem::CacheAccess access{.address = address, .pc = pc, .requester = unit, .kind = mem::AccessKind::Fetch};
        const bool there = cache_.hits_again(address) || hits(access, now);
        if (served_units_ != 0) [[unlikely]]
            return take_served(unit, there) || miss(access, now);
        return there || miss(access, now);
    }

    // A line has come, by the id of its request: `blocked` loses the units that waited for it.
    void fill(std::uint32_t id, UnitSet& blocked);
    // Units that could not even wait for their line may try again.
    void retry(UnitSet& blocked);

    [[nodiscard]] unsigned waiting_units() const {
        return waiting_units_;
    }
    void add_statistics(stats::Tree& tree) {
        tree.add_one_of("icache", cache_.stats());
        if (mem::PrefetchStats* const stats = cache_.prefetch_stats())
            tree.add_one_of("icache_prefetch", *stats);
    }

private:
    // Code lies in a part of memory of its own, so that it shares rows with no data.
    static constexpr Address kCodeBase = 0x0400'0000'0000;

    bool hits(mem::CacheAccess access, Cycle now) {
        const bool there = cache_.hits(access);
        if (cache_.prefetches() && there) [[unlikely]]
            prefetch(access, true, now);
        return there;
    }
    // Tells the prefetcher of a fetch that hits, or whose line is on its way, and sends for what it has asked for by
    // now.
    [[gnu::noinline]] void prefetch(const mem::CacheAccess& access, bool hit, Cycle now);
    bool miss(mem::CacheAccess access, Cycle now);
    void send(mem::CacheAccess access, mem::MissId miss, Cycle now);
    // The unit fetches: it is served no more. True when it has its instruction.
    bool take_served(UnitId unit, bool there);

    MemoryPort& memory_;
    mem::Cache cache_;
    bool ideal_;             // asked for only when an instruction is missing: other cores do not pay for it
    unsigned index_, count_; // ids of requests are miss * count + index
    std::uint64_t line_bytes_;
    std::uint64_t instruction_;
    UnitSet stuck_;  // their line could not be sent for: they try again after any fill
    UnitSet served_; // their line has come and they have not fetched since. They have their instruction, even when
                     // others claim the line's place first: else units might take it from each other for ever (assumed)
    unsigned served_units_ = 0;
    unsigned waiting_units_ = 0;
};

} // namespace heddle::sm
