// Tags of a set-associative cache. The tag of a reserved line has the index of its MSHR entry, so that a merge needs no
// search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "base/line_vector.h"
#include "base/types.h"
#include "mem/cache/age_stamps.h"
#include "mem/cache/prefetching.h"
#include "mem/cache/replacement.h"
#include "mem/cache/set_index.h"
#include "mem/cache/tag_array.h"

namespace heddle::mem {

struct TagShape {
    std::uint64_t bytes = 0;
    std::uint64_t ways = 0;
    std::uint64_t line = 0; // bytes
    std::string replacement = "lru";
    SetHash hash = SetHash::Linear;
    std::uint64_t seed = 1;
    std::uint64_t sectors = 0; // of a line, up to 4; 0: lines come as a whole
};

using MissId = std::uint32_t; // an MSHR entry
inline constexpr MissId kNoMiss = ~MissId{0};

struct Victim { // what a reserved line put out
    bool dirty = false;
    Address address = 0;
    bool exclusive = false; // no other cache had it (coherent caches)
    SectorMask sectors = 0; // of a cache with sectors: those that are dirty
};

// What a coherent cache has of a line (docs/coherence.md). Other caches use neither these states nor locks.
enum class Mesi : std::uint8_t { Invalid, Shared, Exclusive, Modified };

class Tags {
    static_assert(std::endian::native == std::endian::little, "find() takes a set's marks from the lowest bits up");

public:
    enum class Result : std::uint8_t {
        Hit,
        Pending, // reserved, its data are on their way
        Miss,    // not there, and a way of its set can be reserved
        Full,    // not there, and every way of its set is reserved or locked
    };
    struct Found {
        Result result;
        LineId line;
    };

    // `prefetching`: counts the first uses of prefetched lines and the lines that leave unused; null for none.
    explicit Tags(const TagShape& shape, Prefetching* prefetching = nullptr);
    // An empty cache of another shape, in the memory of this one: kernels with different needs of shared memory that
    // alternate change the L1 of every SM at each launch.
    void reshape(const TagShape& shape);

    [[nodiscard]] unsigned line_shift() const {
        return index_.line_shift();
    }
    [[nodiscard]] unsigned sets() const {
        return index_.sets();
    }
    [[nodiscard]] unsigned set_of(Address address) const {
        return index_.set_of(address);
    }

    // Looks an address up for a read when it may be the line that was hit last: true when it is. That line is the most
    // recently used one already, so nothing changes.
    [[nodiscard]] bool same_line_again(Address address) const {
        return index_.line_number(address) == last_hit_;
    }
    // Looks an address up. A hit counts as a use of the line, and makes it dirty on a write; a write to a pending line
    // makes it dirty when it is filled.
    Found access(CacheAccess access) {
        return this->access(find(access.address), access);
    }
    // As access(access), for `line` = find(access.address).
    Found access(LineId line, CacheAccess access) {
        if (line != kNoLine) [[likely]]
            return use(line, access);
        return {has_free_way(first_way(access.address)) ? Result::Miss : Result::Full, kNoLine};
    }
    // A use of a line that is there or pending.
    [[gnu::always_inline]] Found use(LineId line, CacheAccess access) {
        if (renews_)
            stamps_.renew(line);
        if (access.writes)
            flags_[line] |= kDirty;
        const bool pending = (flags_[line] & kPending) != 0;
        last_hit_ = pending ? TagArray::kNone : tags_[line];
        if (watched_) [[unlikely]]
            pass_on_use(line, access, pending);
        return {pending ? Result::Pending : Result::Hit, line};
    }
    // Whether an access to a line finds all that it needs there: its sectors, in a cache that has them.
    [[nodiscard]] bool has(LineId line, CacheAccess access) const {
        return !has_sectors_ || missing(line, sectors_in(access.address)) == 0;
    }
    [[nodiscard]] bool has_sectors() const {
        return has_sectors_;
    }
    // In a cache with sectors:
    [[nodiscard, gnu::noinline]] SectorMask missing(LineId line, SectorMask wanted) const {
        return line == kNoLine ? wanted : static_cast<SectorMask>(wanted & ~sectors_[line].there);
    }
    // Sectors of a line have come, or are written. `whole`: all bytes of them are there now.
    void put(LineId line, SectorMask sectors, bool whole, bool writes);

    // Reserves a way for a line that access() found missing; `miss` is kept in its tag.
    LineId reserve(CacheAccess access, MissId miss, Victim& victim);
    [[nodiscard]] MissId miss_of(LineId line) const {
        return miss_[line];
    }
    // The data of a reserved line have come.
    void fill(LineId line);
    // A line that is there has been prefetched: its first use is counted.
    void mark_prefetched(LineId line) {
        flags_[line] |= kPrefetched;
    }
    // An access that is not a use() finds a line.
    void note_first_use(LineId line) {
        if ((flags_[line] & kPrefetched) == 0) [[likely]]
            return;
        flags_[line] &= static_cast<std::uint8_t>(~kPrefetched);
        prefetching_->used(false);
    }
    // Whether a way can be reserved for a line that is not there.
    [[nodiscard]] bool has_way_for(Address address) const {
        return has_free_way(first_way(address));
    }
    [[nodiscard]] bool is_there(Address address) const {
        const LineId line = find(address);
        return line != kNoLine && (flags_[line] & kValid) != 0;
    }
    // Drops a line that is there and not pending. True when it was dirty.
    bool drop(Address address);

    // The line of an address, there or pending; kNoLine when it is neither. Not a use.
    [[nodiscard]] LineId find(Address address) const {
        const Address tag = index_.line_number(address);
        if (tags_.is_last_found(tag))
            return tags_.last_found();
        return tags_.search(tag, static_cast<LineId>(first_way(address)), static_cast<LineId>(ways_));
    }
    [[nodiscard]] bool is_pending(LineId line) const {
        return (flags_[line] & kPending) != 0;
    }
    [[nodiscard]] Address address_of(LineId line) const {
        return index_.address_of(tags_[line]);
    }
    // The line that has to leave before that of an access can come; kNoLine when a way is empty or none is free. A
    // policy with random choices makes one.
    [[nodiscard]] LineId next_victim(CacheAccess access);
    // Takes out a line that is there: next_victim(), to make room,
    Victim evict(LineId line);
    // or for another reason.
    Victim take_out(LineId line);
    // A locked line is there and keeps its way.
    void lock(LineId line) {
        flags_[line] |= kLocked;
        stamps_.hold(line);
    }
    void unlock(LineId line) {
        flags_[line] &= static_cast<std::uint8_t>(~kLocked);
        stamps_.release(line);
    }
    [[nodiscard]] bool is_locked(LineId line) const {
        return (flags_[line] & kLocked) != 0;
    }
    [[nodiscard]] Mesi state(LineId line) const {
        const std::uint8_t flags = flags_[line];
        if ((flags & kValid) == 0)
            return Mesi::Invalid;
        if ((flags & kExclusive) == 0)
            return Mesi::Shared;
        return (flags & kDirty) != 0 ? Mesi::Modified : Mesi::Exclusive;
    }
    // Gives a line, there or pending, another state; it is not locked then.
    void set_state(LineId line, Mesi state);
    // `miss` is on its way for a line that is there; it stays locked, or loses its copy and is pending.
    void await(LineId line, MissId miss, bool copy);
    // Drops every line that is there, of those that begin at `from` or behind; calls written_back(address) for the
    // dirty ones, in order of set and way. Costs nothing where no line has come since the last time: most SMs execute
    // no block of a small launch.
    template <class F>
    void flush(F&& written_back, Address from = 0) {
        last_hit_ = TagArray::kNone;
        if (from >= end_)
            return;
        end_ = 0;
        for (std::size_t i = 0; i < flags_.size(); ++i) {
            if (flags_[i] == 0)
                continue;
            const Address begin = index_.address_of(tags_[i]);
            if ((flags_[i] & kPending) != 0 || ((flags_[i] & kValid) != 0 && begin < from)) {
                end_ = std::max(end_, begin + 1);
                continue;
            }
            if ((flags_[i] & kDirty) != 0)
                written_back(begin);
            forget(i);
        }
    }

    // Drops every line that is there, not locked and not dirty.
    void drop_clean();

private:
    enum Flag : std::uint8_t {
        kValid = 1,
        kPending = 2,
        kDirty = 4,
        kExclusive = 8,
        kLocked = 16,
        kPrefetched = 32, // and not used since
    };

    struct Sectors {
        SectorMask there = 0;
        SectorMask dirty = 0; // whole or in part
    };

    void forget(std::size_t line) {
        leave(line);
        if (has_sectors_)
            sectors_[line] = {};
        flags_[line] = 0;
        stamps_.clear(line);
        tags_.clear(line);
    }
    void leave(std::size_t line) {
        if ((flags_[line] & kPrefetched) != 0)
            prefetching_->left_unused();
    }
    [[nodiscard]] std::size_t way_for(std::size_t first, CacheAccess access);
    [[nodiscard]] std::size_t chosen_way(std::size_t first, CacheAccess access);
    // Passes a use to the sectors of the line, a hit to the policy and to the prefetching. They learn of all of them:
    // none counts as same_line_again().
    [[gnu::noinline]] void pass_on_use(LineId line, CacheAccess access, bool pending);
    [[nodiscard]] unsigned set_of_line(std::size_t line) const {
        return static_cast<unsigned>(line / ways_);
    }
    [[nodiscard]] unsigned way_of_line(std::size_t line) const {
        return static_cast<unsigned>(line % ways_);
    }
    [[nodiscard]] bool has_free_way(std::size_t first) const {
        return stamps_.any_free(first, ways_);
    }
    [[nodiscard]] std::size_t first_way(Address address) const {
        return set_of(address) * ways_;
    }

    SetIndex index_;
    std::size_t ways_;
    TagArray tags_; // line numbers
    AgeStamps stamps_;
    Address last_hit_ = TagArray::kNone; // line number of the last access when it was a hit
    Address end_ = 0;                    // no line begins here or behind, there or pending
    std::unique_ptr<Replacement> replacement_;
    Prefetching* prefetching_;
    bool renews_;  // a use renews a line's stamp
    bool chooses_; // the policy names victims
    bool learns_;  // and learns from hits, fills and evictions
    bool has_sectors_;
    bool watched_;                   // uses are passed on
    LineVector<std::uint8_t> flags_; // a set lies in as few lines of the host's cache as it can
    LineVector<MissId> miss_;
    LineVector<Sectors> sectors_; // empty: lines come as a whole
};

} // namespace heddle::mem
