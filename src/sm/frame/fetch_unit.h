// Instruction fetch: a single-ported instruction cache in front of memory. A unit whose instruction is missing waits
// until the line has come; misses of one line merge.
#pragma once

#include <memory>
#include <vector>

#include "base/unit_set.h"
#include "mem/cache/cache.h"
#include "sm/frame/code_address.h"
#include "sm/frame/core_config.h"
#include "sm/frame/fetch_path.h"
#include "sm/frame/memory_port.h"
#include "stats/tree.h"

namespace heddle::sm {

class FetchUnit {
public:
    // `ideal`: every instruction is present, and the cache stays empty. Fetch unit `index` of the `count` of SM `sm`.
    FetchUnit(const ICacheConfig& config, bool ideal, unsigned units, MemoryPort& memory, unsigned sm = 0,
              unsigned index = 0, unsigned count = 1)
        : memory_(memory), cache_(config, sm * count + index), ideal_(ideal), index_(index), count_(count),
          line_bytes_(config.line), instruction_(config.instruction), awaited_(units), waiting_(units), stuck_(units),
          served_(units) {}

    // From now on lines come through a path, and not straight from memory.
    void go_through(std::unique_ptr<FetchPath> path) {
        path_ = std::move(path);
    }
    // True when the instruction is present. Otherwise the unit waits until fill() or retry() removes it from `blocked`,
    // or until go_elsewhere().
    [[gnu::always_inline]] bool fetch(UnitId unit, Pc pc, Cycle now) {
        const Address address = address_of(pc);
        const mem::CacheAccess access{.address = address, .pc = pc, .requester = unit, .kind = mem::AccessKind::Fetch};
        const bool there = cache_.hits_again(address) || hits(access, now);
        if (served_units_ != 0) [[unlikely]]
            return take_served(unit, address, there) || miss(access, now);
        return there || miss(access, now);
    }
    // A unit in `blocked` is at `pc` now, or is another unit with the number of the one that waits: it only waits on if
    // that line has its instruction.
    void go_elsewhere(UnitId unit, Pc pc, UnitSet& blocked);

    // The line of request `id` has come: removes the units that waited for it from `blocked`.
    void fill(std::uint32_t id, UnitSet& blocked);
    // With a path: the line of its request `id` has come.
    void arrived(std::uint32_t id, UnitSet& blocked, Cycle now);
    // Removes units from `blocked` whose line could not be requested: they may fetch again.
    void retry(UnitSet& blocked);

    // Drops all lines but those on their way.
    void flush() {
        cache_.flush([](Address /*a line of code is never dirty*/) {});
        if (path_)
            path_->flush();
    }

    [[nodiscard]] unsigned waiting_units() const {
        return waiting_units_;
    }
    void add_statistics(stats::Tree& tree) {
        tree.add_one_of("icache", cache_.stats());
        if (mem::PrefetchStats* const stats = cache_.prefetch_stats())
            tree.add_one_of("icache_prefetch", *stats);
        if (path_)
            path_->add_statistics(tree);
    }

private:
    [[gnu::always_inline]] bool hits(mem::CacheAccess access, Cycle now) {
        const bool there = cache_.hits(access);
        if (cache_.prefetches() && there) [[unlikely]]
            prefetch(access, true, now);
        return there;
    }
    // Notifies the prefetcher of a fetch (a hit, or a miss whose line is on its way), and sends its pending prefetches.
    [[gnu::noinline]] void prefetch(const mem::CacheAccess& access, bool hit, Cycle now);
    bool miss(mem::CacheAccess access, Cycle now);
    void fill_miss(mem::MissId miss, UnitSet& blocked);
    [[nodiscard]] bool is_in_path(const mem::CacheAccess& access, mem::MissId miss, Cycle now);
    void send(mem::CacheAccess access, mem::MissId miss, Cycle now);
    // A unit fetches: removes it from served_. True when the unit has its instruction.
    bool take_served(UnitId unit, Address address, bool there);
    [[nodiscard]] Address address_of(Pc pc) const {
        return kCodeBase + std::uint64_t{pc} * instruction_;
    }
    [[nodiscard]] Address line_of(Address address) const {
        return address & ~(line_bytes_ - 1);
    }

    MemoryPort& memory_;
    mem::Cache cache_;
    bool ideal_;             // tested only when an instruction is missing, which costs nothing in a hit
    unsigned index_, count_; // ids of requests are miss * count + index
    std::uint64_t line_bytes_;
    std::uint64_t instruction_;
    std::vector<Address> awaited_; // by unit in one of these sets: the line
    UnitSet waiting_;              // units whose line is on its way
    UnitSet stuck_;                // units whose line could not be requested: they try again after any fill
    // Units whose line has come and that have not fetched since. Such a unit has its instruction even when the line has
    // been replaced meanwhile: else units could replace each other's lines for ever (assumed).
    UnitSet served_;
    unsigned served_units_ = 0;
    unsigned waiting_units_ = 0;
    std::unique_ptr<FetchPath> path_; // null: the cache asks memory
};

} // namespace heddle::sm
