// A cache: tags, miss status holding registers and what is counted of them. One model for instructions, data, constants
// and the slices of the last level; it has no time and sends nothing itself.
#pragma once

#include <memory>
#include <span>

#include "mem/cache/bypass.h"
#include "mem/cache/cache_config.h"
#include "mem/cache/mshr.h"
#include "mem/cache/prefetching.h"
#include "mem/cache/tags.h"
#include "stats/statistic.h"

namespace heddle::mem {

struct CacheStats {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t merges = 0;
    std::uint64_t mshrs_found_in_use = 0;
    std::uint64_t set_reserved = 0;
    std::uint64_t mshr_full = 0;
    std::uint64_t mshr_merge_full = 0;
    std::uint64_t port_full = 0;
    std::uint64_t fills = 0;
    std::uint64_t write_backs = 0;
    static std::span<const stats::Statistic<CacheStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

class Cache {
public:
    enum class Result : std::uint8_t {
        Hit,
        Merged,        // the line is on its way; fill() calls f for the waiter when it comes
        Miss,          // likewise, and the owner has to fetch the line
        SetReserved,   // to be tried again after the next fill: every way of the set is reserved,
        MshrFull,      // every MSHR entry is taken,
        MshrMergeFull, // or the line's entry holds as many accesses as it can
    };
    struct Answer {
        Result result;
        MissId miss = kNoMiss;
        Victim victim = {};     // of a Miss, or of a Merged that takes a way: a dirty line is to be written back
        SectorMask sectors = 0; // of a Miss in a cache with sectors: those to be fetched
    };

    // `number`: gives caches of one config different random numbers.
    explicit Cache(const CacheConfig& config, std::uint64_t number = 0);

    // Looks a line up; `waiter` is the owner's number of the access.
    Answer look_up(CacheAccess access, std::uint32_t waiter) {
        return look_up(tags_.find(access.address), access, waiter);
    }
    // As Tags::same_line_again(); counts the hit.
    [[nodiscard]] bool hits_again(Address address) {
        const bool again = tags_.same_line_again(address);
        stats_.hits += again ? 1 : 0;
        return again;
    }
    // Looks a line up without allocating: a hit counts as a use and makes the line dirty on a write.
    [[nodiscard, gnu::always_inline]] bool hits(CacheAccess access) {
        const LineId line = tags_.find(access.address);
        const bool hit =
            line != kNoLine && tags_.has(line, access) && tags_.use(line, access).result == Tags::Result::Hit;
        stats_.hits += hit ? 1 : 0;
        return hit;
    }
    // As hits(), for a line that is there; else nothing changes.
    [[nodiscard]] bool hits_if_there(CacheAccess access) {
        const LineId line = tags_.find(access.address);
        if (line == kNoLine || tags_.is_pending(line) || !tags_.has(line, access))
            return false;
        tags_.use(line, access);
        ++stats_.hits;
        return true;
    }
    // The line of a miss has come. Calls f(waiter) for each access that waited, in order; f may look up again. The
    // answer is a victim only where lines take their way when they come.
    template <class F>
    Victim fill(MissId miss, F&& f) {
        const Victim victim = put_in(miss);
        mshrs_.release(miss, f);
        return victim;
    }
    // Where lines are prefetched, the owner calls tell_prefetcher() for each demand access that has succeeded, and
    // send_prefetches() after that and after a fill.
    [[nodiscard]] bool prefetches() const {
        return prefetching_ != nullptr;
    }
    void tell_prefetcher(const CacheAccess& access, bool hit) {
        prefetching_->access(access, hit);
    }
    // Takes an MSHR entry and a way for each line that the prefetcher has requested, unless the line is there or on its
    // way, would take the last free entry or finds no free way, or may_send() returns false. Calls send(access, answer)
    // for the others, which are to be fetched as a miss is.
    template <class MaySend, class Send>
    void send_prefetches(MaySend&& may_send, Send&& send) {
        for (const CacheAccess& access : prefetching_->queue().asked())
            if (const Answer answer = prefetch(access, may_send()); answer.result == Result::Miss)
                send(access, answer);
        prefetching_->queue().clear();
    }
    // Null where lines are not prefetched.
    [[nodiscard]] PrefetchStats* prefetch_stats() {
        return prefetching_ ? &prefetching_->stats() : nullptr;
    }

    // From now on accesses may bypass the cache: the MSHR file, of a limited number of entries, is searched for lines
    // that have no way.
    void let_bypass() {
        searches_mshrs_ = bypasses_ = true;
    }
    [[nodiscard]] BypassStats& bypass_stats() {
        return bypass_stats_;
    }

    // A line that needs no fetching is written whole.
    Answer write_line(CacheAccess access);
    // In a cache with sectors: writes bytes of some sectors, all of them if `whole`. Nothing is fetched: what is left
    // of a sector comes when it is read. The answer is always a Hit.
    Answer write_sectors(CacheAccess access, bool whole);
    // Puts in a line, or sectors of it, that has come in another way than by a miss. Does nothing when no way is free.
    Victim put_copy(CacheAccess access);
    // Bytes of some sectors of a line; of none: of a whole line.
    [[nodiscard]] std::uint64_t bytes_of(SectorMask sectors) const {
        const std::uint64_t line = std::uint64_t{1} << tags_.line_shift();
        return sectors == 0 ? line : line / shape_.sectors * static_cast<unsigned>(std::popcount(sectors));
    }
    // Gives an empty cache another number of ways, up to that of its config.
    void resize(std::uint64_t ways);
    // Drops a line that is there. True when it was dirty. A line on its way stays.
    bool drop(Address address) {
        return tags_.drop(address);
    }
    // For the owner of an inclusive cache, whose lines leave only after their copies in the level above.
    [[nodiscard]] LineId find(Address address) const {
        return tags_.find(address);
    }
    [[nodiscard]] bool is_there(Address address) const { // and not on its way
        return tags_.is_there(address);
    }
    // The line that has to leave before a look-up can fetch its own line; kNoLine when none has to, and when the
    // look-up has to be tried again in any case.
    [[nodiscard]] LineId must_leave(CacheAccess access) {
        return tags_.find(access.address) != kNoLine || mshrs_.full() ? kNoLine : tags_.next_victim(access);
    }
    Victim evict(LineId line) {
        const Victim victim = tags_.evict(line);
        stats_.write_backs += victim.dirty ? 1 : 0;
        return victim;
    }
    void lock(LineId line) {
        tags_.lock(line);
    }
    void unlock(LineId line) {
        tags_.unlock(line);
    }
    [[nodiscard]] bool is_locked(LineId line) const {
        return tags_.is_locked(line);
    }
    [[nodiscard]] Address address_of(LineId line) const { // its first byte
        return tags_.address_of(line);
    }

    template <class F>
    void flush(F&& written_back, Address from = 0) {
        tags_.flush(written_back, from);
    }

    // Lines on their way come all the same.
    void drop_clean() {
        tags_.drop_clean();
    }

    [[nodiscard]] Address line_of(MissId miss) const { // its first byte
        return mshrs_.line_of(miss) << tags_.line_shift();
    }
    [[nodiscard]] unsigned line_shift() const {
        return tags_.line_shift();
    }
    [[nodiscard]] unsigned set_of(Address address) const {
        return tags_.set_of(address);
    }
    [[nodiscard]] unsigned lines_on_their_way() const {
        return mshrs_.in_use();
    }
    [[nodiscard]] CacheStats& stats() {
        return stats_;
    }

protected: // for CoherentCache
    [[gnu::noinline]] Answer look_up(LineId line, CacheAccess access, std::uint32_t waiter);
    Answer merge(MissId miss, CacheAccess access, std::uint32_t waiter);
    // Whether a line is on its way for the prefetcher only. (A prefetch of another cache has a waiter.)
    [[nodiscard]] bool is_prefetch(MissId miss) {
        return mshrs_.access(miss).kind == AccessKind::Prefetch && !mshrs_.is_waited_for(miss);
    }
    // A line has come to its way, in a cache that prefetches.
    [[gnu::noinline]] void tell_fill(MissId miss);

    std::unique_ptr<Prefetching> prefetching_;
    Tags tags_;
    MshrFile mshrs_;
    CacheStats stats_;

private:
    Answer look_up_sectors(LineId line, CacheAccess access, std::uint32_t waiter);
    Victim put_in_sectors(MissId miss);
    Victim put_in(MissId miss);
    Answer miss(CacheAccess access, std::uint32_t waiter);
    Answer miss_or_bypass(CacheAccess access, std::uint32_t waiter, bool way_free);
    Answer keep(MissId bypass, CacheAccess access, std::uint32_t waiter, bool way_free);
    Answer overwrite(MissId miss, CacheAccess access);
    // The first access that joins a prefetch.
    [[gnu::noinline]] void join_prefetch(MissId miss, CacheAccess access);
    [[gnu::noinline]] Answer prefetch(CacheAccess access, bool may_send);

    BypassStats bypass_stats_;
    bool allocates_on_fill_;
    bool searches_mshrs_; // lines on their way may have no tag
    bool bypasses_ = false;
    TagShape shape_;
};

} // namespace heddle::mem
