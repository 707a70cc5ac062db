// Tags of a set-associative cache. Who waits for a reserved line is found by the MSHR index in its tag, so that a merge
// needs no search.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "base/line_vector.h"
#include "base/types.h"
#include "mem/cache/prefetching.h"
#include "mem/cache/replacement.h"

namespace heddle::mem {

struct TagShape {
    std::uint64_t bytes = 0;
    std::uint64_t ways = 0;
    std::uint64_t line = 0; // bytes
    std::string replacement = "lru";
    bool hashed = false; // the set is the exclusive or of all groups of index bits above the line, not the lowest group
    std::uint64_t seed = 1;
};

using LineId = std::uint32_t; // set * ways + way
inline constexpr LineId kNoLine = ~LineId{0};
using MissId = std::uint32_t; // an MSHR entry
inline constexpr MissId kNoMiss = ~MissId{0};

struct Victim { // what a reserved line put out
    bool dirty = false;
    Address address = 0;
    bool exclusive = false; // no other cache had it (coherent caches)
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

    // `prefetching`: is told of the first uses of prefetched lines and of those that leave unused; null for none.
    explicit Tags(const TagShape& shape, Prefetching* prefetching = nullptr);

    [[nodiscard]] unsigned line_shift() const {
        return line_shift_;
    }
    [[nodiscard]] unsigned sets() const {
        return static_cast<unsigned>(set_mask_ + 1);
    }
    [[nodiscard]] unsigned set_of(Address address) const {
        Address number = address >> line_shift_;
        if (hashed_)
            for (Address rest = number >> set_bits_; rest != 0 && set_bits_ != 0; rest >>= set_bits_)
                number ^= rest;
        return static_cast<unsigned>(number & set_mask_);
    }

    // Looks an address up for a read when it may be the line that was hit last: true when it is. That line is the most
    // recently used one already, so nothing changes.
    [[nodiscard]] bool same_line_again(Address address) const {
        return (address >> line_shift_) == last_hit_;
    }
    // Looks an address up. A hit counts as a use of the line, and makes it dirty on a write; a write to a pending line
    // makes it dirty when it is filled.
    Found access(CacheAccess access) {
        return this->access(find(access.address), access);
    }
    // The same where find() is known.
    Found access(LineId line, CacheAccess access) {
        if (line != kNoLine) [[likely]]
            return use(line, access);
        return {has_free_way(first_way(access.address)) ? Result::Miss : Result::Full, kNoLine};
    }
    // A use of a line that is there or pending.
    Found use(LineId line, CacheAccess access) {
        if (renews_)
            renew(line);
        if (access.writes)
            flags_[line] |= kDirty;
        const bool pending = (flags_[line] & kPending) != 0;
        last_hit_ = pending ? kNone : tags_[line];
        if (watched_) [[unlikely]]
            tell_use(line, access, pending);
        return {pending ? Result::Pending : Result::Hit, line};
    }
    // Reserves a way for a line that access() found missing; `miss` is kept in its tag.
    LineId reserve(CacheAccess access, MissId miss, Victim& victim);
    [[nodiscard]] MissId miss_of(LineId line) const {
        return miss_[line];
    }
    // The data of a reserved line have come.
    void fill(LineId line);
    // A line that is there has been prefetched; the first use of it is told of.
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
    // Drops a line that is there and not pending; tells whether it was dirty.
    bool drop(Address address);

    // The line of an address, there or pending; kNoLine when it is neither. Not a use. Eight ways are compared at once,
    // by a mark of their tag; who has the mark nearly always is the one. A comparison may take in ways of other sets.
    [[nodiscard]] LineId find(Address address) const {
        const Address tag = address >> line_shift_;
        if (tags_[found_] == tag)
            return found_;
        constexpr std::uint64_t kLow = 0x0101010101010101U;
        const auto first = static_cast<LineId>(first_way(address));
        const std::uint64_t pattern = kLow * mark_of(tag);
        for (LineId way = 0; way < static_cast<LineId>(ways_); way += kCompared) {
            std::uint64_t marks;
            std::memcpy(&marks, marks_.data() + first + way, sizeof marks);
            const std::uint64_t other = marks ^ pattern;
            // Bytes that are 0, and perhaps some behind them that are 1
            for (std::uint64_t alike = (other - kLow) & ~other & (kLow << 7); alike != 0; alike &= alike - 1) {
                const LineId line = first + way + static_cast<LineId>(std::countr_zero(alike)) / 8;
                if (tags_[line] == tag)
                    return found_ = line;
            }
        }
        return kNoLine;
    }
    [[nodiscard]] bool is_pending(LineId line) const {
        return (flags_[line] & kPending) != 0;
    }
    [[nodiscard]] Address address_of(LineId line) const {
        return tags_[line] << line_shift_;
    }
    // The line that has to leave before that of an access can come; kNoLine when a way is empty or none is free. Where
    // the policy draws lots this draws one.
    [[nodiscard]] LineId next_victim(CacheAccess access);
    // Takes out a line that is there: next_victim(), to make room,
    Victim evict(LineId line);
    // or for another reason.
    Victim take_out(LineId line);
    // A locked line is there and keeps its way.
    void lock(LineId line) {
        flags_[line] |= kLocked;
        stamps_[line] |= kHeld;
    }
    void unlock(LineId line) {
        flags_[line] &= static_cast<std::uint8_t>(~kLocked);
        stamps_[line] &= ~kHeld;
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
    // Drops every line that is there; calls written_back(address) for the dirty ones, in order of set and way.
    template <class F>
    void flush(F&& written_back) {
        last_hit_ = kNone;
        for (std::size_t i = 0; i < flags_.size(); ++i) {
            if ((flags_[i] & kPending) != 0)
                continue;
            if ((flags_[i] & kDirty) != 0)
                written_back(tags_[i] << line_shift_);
            forget(i);
        }
    }

private:
    enum Flag : std::uint8_t {
        kValid = 1,
        kPending = 2,
        kDirty = 4,
        kExclusive = 8,
        kLocked = 16,
        kPrefetched = 32, // and not used since
    };

    // A stamp: from the top, whether the line is held, which is to say pending or locked and keeps its way; when it was
    // used, 0 for an empty one; its way. So the least stamp of a set is that of the way for a new line.
    static constexpr std::uint64_t kHeld = std::uint64_t{1} << 63;
    static constexpr std::uint64_t kWay = 63;
    static constexpr std::uint64_t kUse = kWay + 1;

    static std::uint8_t mark_of(Address tag) { // the tags of a set have regular bits: multiplied, all of them matter
        return static_cast<std::uint8_t>((tag * 0x9e3779b97f4a7c15U) >> 56);
    }
    void renew(std::size_t line) {
        stamps_[line] = (stamps_[line] & (kHeld | kWay)) | (clock_ += kUse);
    }
    void forget(std::size_t line) {
        leave(line);
        flags_[line] = 0;
        stamps_[line] &= kWay;
        tags_[line] = kNone;
    }
    void leave(std::size_t line) {
        if ((flags_[line] & kPrefetched) != 0)
            prefetching_->left_unused();
    }
    [[nodiscard]] std::size_t way_for(std::size_t first, CacheAccess access);
    [[nodiscard]] std::size_t chosen_way(std::size_t first, CacheAccess access);
    // Tells the policy and the prefetcher of a hit. They are told of all: none counts as same_line_again().
    [[gnu::noinline]] void tell_use(LineId line, CacheAccess access, bool pending);
    [[nodiscard]] unsigned set_of_line(std::size_t line) const {
        return static_cast<unsigned>(line / ways_);
    }
    [[nodiscard]] unsigned way_of_line(std::size_t line) const {
        return static_cast<unsigned>(line % ways_);
    }
    [[nodiscard]] bool has_free_way(std::size_t first) const {
        bool any = false; // which of them are free is anybody's guess: no branch a way
        for (std::size_t i = first; i < first + ways_; ++i)
            any |= stamps_[i] < kHeld;
        return any;
    }
    [[nodiscard]] std::size_t first_way(Address address) const {
        return set_of(address) * ways_;
    }

    unsigned line_shift_;
    std::uint64_t set_mask_;
    unsigned set_bits_;
    bool hashed_;
    std::size_t ways_;
    std::uint64_t clock_ = 0; // of the last use, in stamps
    static constexpr Address kNone = ~Address{0};
    Address last_hit_ = kNone; // line number of the last access when it was a hit
    mutable LineId found_ = 0; // by the last find(): an access and what comes of it look for one line several times
    std::unique_ptr<Replacement> replacement_;
    Prefetching* prefetching_;
    bool renews_;                    // a use renews a line's stamp
    bool chooses_;                   // the policy names victims
    bool learns_;                    // and is told what becomes of lines
    bool watched_;                   // uses are told of
    LineVector<std::uint8_t> flags_; // a set lies in as few lines of the host's cache as it can
    LineVector<std::uint64_t> stamps_;
    LineVector<MissId> miss_;
    static constexpr LineId kCompared = 8; // ways at a time; behind the last set are as many that are empty
    LineVector<Address> tags_;             // kNone: empty
    LineVector<std::uint8_t> marks_;
};

} // namespace heddle::mem
