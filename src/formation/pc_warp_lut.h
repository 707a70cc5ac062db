// The PC-warp LUT of dynamic warp formation (DWF07 4.2, Figure 11b): the warp of the pool that threads with a next PC
// join. Set-associative, indexed by the low bits of the PC, with LRU replacement (both assumed).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/types.h"
#include "base/unit_set.h"

namespace heddle::formation {

class PcWarpLut {
public:
    // An entry is free when its warp has issued. It keeps its PC and OCC until it is used again, so that the loss by
    // the issue can be counted.
    struct alignas(32) Entry {
        Pc pc = kNoPc;
        UnitId warp = kNoUnit;  // IDX; kNoUnit: the warp has issued
        LaneMask occupied = 0;  // OCC: the lanes of the warp that are taken
        std::uint64_t used = 0; // time of the last use, for LRU
    };

    // Both are powers of two. `entries` 0: one entry for each PC.
    PcWarpLut(unsigned entries, unsigned ways)
        : unlimited_(entries == 0), ways_(unlimited_ ? 1 : ways), sets_(std::max(1U, entries / ways_)),
          entries_(unlimited_ ? 0 : sets_ * ways_) {}

    // The entry of a PC, null when there is none.
    [[nodiscard]] Entry* find(Pc pc) {
        for (Entry& entry : set_of(pc))
            if (entry.pc == pc)
                return &entry;
        return nullptr;
    }
    // The entry for a PC without one, before it is changed: a free one if there is one. `open`: warps that have not
    // issued.
    [[nodiscard]] Entry& victim(Pc pc, const UnitSet& open) {
        const std::span<Entry> set = set_of(pc);
        return *std::min_element(set.begin(), set.end(), [&](const Entry& a, const Entry& b) {
            const bool a_live = is_live(a, open);
            return a_live != is_live(b, open) ? !a_live : a.used < b.used;
        });
    }
    void touch(Entry& entry) {
        entry.used = ++uses_;
    }
    [[nodiscard]] unsigned index_of(const Entry& entry) const {
        return static_cast<unsigned>(&entry - entries_.data());
    }
    // The warp issues. `index`: the entry that named it when it was made.
    void issued(UnitId warp, unsigned index) {
        if (entries_[index].warp == warp)
            entries_[index].warp = kNoUnit;
    }
    // Whether threads may still join the entry's warp.
    [[nodiscard]] static bool is_live(const Entry& entry, const UnitSet& open) {
        return entry.warp != kNoUnit && open.contains(entry.warp);
    }

private:
    [[nodiscard]] std::span<Entry> set_of(Pc pc) {
        if (!unlimited_)
            return {entries_.data() + std::size_t{pc & (sets_ - 1)} * ways_, ways_};
        if (pc >= entries_.size())
            entries_.resize(pc + std::size_t{1});
        return {entries_.data() + pc, 1};
    }

    const bool unlimited_;
    const unsigned ways_;
    const unsigned sets_;
    std::vector<Entry> entries_;
    std::uint64_t uses_ = 0;
};

} // namespace heddle::formation
