// A cache: tags, miss status holding registers and what is counted of them. One model for instructions, data, constants
// and the slices of the last level; it knows no time and sends nothing itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/parameter.h"
#include "mem/cache/mshr.h"
#include "mem/cache/tags.h"
#include "stats/statistic.h"

namespace heddle::mem {

struct CacheConfig {
    std::uint64_t size = 0; // bytes
    std::uint64_t ways = 4;
    std::uint64_t line = 128; // bytes
    std::string replacement = "lru";
    std::string index = "linear";
    std::string allocate = "miss";
    std::uint64_t mshrs = 0;
    std::uint64_t merges = 0;
    std::uint64_t latency = 1;
    // What does not fit together, in the names of `section`.
    [[nodiscard]] std::vector<std::string> shape_problems(std::string_view section) const;
};

// The descriptors of these settings for a section S whose struct is a CacheConfig.
template <class S>
std::vector<config::Parameter<S>> cache_parameters(std::string_view size_range) {
    return {
        {"size", &S::size, "bytes", size_range, "capacity", "LWM11 Table 1"},
        {"ways", &S::ways, "ways", "1..64", "associativity", "LWM11 Table 1; instruction cache assumed"},
        {"line", &S::line, "bytes", "power of two 16..1024", "line size", "LWM11 Table 1; instruction cache assumed"},
        {"replacement", &S::replacement, "", "replacement", "which line of a set makes room", "assumed"},
        {"index", &S::index, "", "linear|hashed",
         "how an address finds its set: the bits above the line, or the exclusive or of all groups of that many bits",
         "assumed"},
        {"allocate", &S::allocate, "", "miss|fill",
         "when a line takes its way: when it misses, so that a set may be full of lines on their way, or when it comes",
         "assumed"},
        {"mshrs", &S::mshrs, "entries", "0..4096", "lines on their way at once; 0: as many as miss", "assumed"},
        {"merges", &S::merges, "accesses", "0..4096",
         "accesses that may wait for one line, the first included; 0: as many as come", "assumed"},
        {"latency", &S::latency, "cycles", "1..10000", "from a look-up to its data on a hit; look-ups are pipelined",
         "LWM11 Table 1"},
    };
}

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
        Merged,        // the line is on its way; the waiter is told when it comes
        Miss,          // likewise, and the owner has to fetch the line
        SetReserved,   // to be tried again after the next fill: every way of the set is reserved,
        MshrFull,      // every MSHR entry is taken,
        MshrMergeFull, // or the line's entry holds as many accesses as it can
    };
    struct Answer {
        Result result;
        MissId miss = kNoMiss;
        Victim victim = {}; // of a Miss: a dirty line is to be written back
    };

    // `number`: tells caches of one config apart where they draw lots.
    explicit Cache(const CacheConfig& config, std::uint64_t number = 0);

    // Looks a line up; `waiter` is the owner's word for who asks.
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
    [[nodiscard]] bool hits(CacheAccess access) {
        const LineId line = tags_.find(access.address);
        const bool hit = line != kNoLine && tags_.use(line, access).result == Tags::Result::Hit;
        stats_.hits += hit ? 1 : 0;
        return hit;
    }
    // The same for a line that is there; else nothing changes.
    [[nodiscard]] bool hits_if_there(CacheAccess access) {
        const LineId line = tags_.find(access.address);
        if (line == kNoLine || tags_.is_pending(line))
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
    // A line that needs no fetching is written whole.
    Answer write_line(CacheAccess access);
    // Drops a line that is there; tells whether it was dirty. A line on its way stays.
    bool drop(Address address) {
        return tags_.drop(address);
    }
    // What the owner of an inclusive cache needs, whose lines leave only when it has dealt with the copies above.
    [[nodiscard]] LineId find(Address address) const {
        return tags_.find(address);
    }
    // The line that has to leave before a look-up can send for its own; kNoLine when none has to, and when the look-up
    // would be put off in any case.
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
    void flush(F&& written_back) {
        tags_.flush(written_back);
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
    Answer merge(MissId miss, bool write, std::uint32_t waiter);

    Tags tags_;
    MshrFile mshrs_;
    CacheStats stats_;

private:
    Victim put_in(MissId miss);
    Answer miss(CacheAccess access, std::uint32_t waiter);

    bool allocates_on_fill_;
};

} // namespace heddle::mem
