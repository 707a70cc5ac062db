// The prefetcher contract: which lines a cache fetches before an instruction accesses them
// (docs/adding-a-prefetcher.md). The cache calls its prefetcher for accesses and for lines that come; the prefetcher
// requests lines. The cache drops requests that it cannot send at once.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>

#include "base/registry.h"
#include "mem/cache/access.h"
#include "stats/statistic.h"

namespace heddle::mem {

// The cache of a prefetcher. `degree` and `distance` are the cache's settings prefetch_degree and
// prefetch_distance.
struct PrefetcherShape {
    unsigned line_shift = 0; // the line of an address: its bits from there up
    unsigned degree = 1;     // lines to request at once
    unsigned distance = 1;   // how far ahead the first of them lies
};

// Lines that a prefetcher requests, each by an address in it, in order of importance.
class PrefetchQueue {
public:
    static constexpr unsigned kMost = 16; // requests of one call; further ones are dropped

    // Requests the line of an address, with the PC and the requester of the access `after`.
    void ask(Address address, const CacheAccess& after) {
        if (count_ == kMost || address >= kEnd)
            return;
        asked_[count_++] = {
            .address = address, .pc = after.pc, .requester = after.requester, .kind = AccessKind::Prefetch};
    }
    [[nodiscard]] std::span<const CacheAccess> asked() const {
        return {asked_.data(), count_};
    }
    void clear() {
        count_ = 0;
    }

private:
    static constexpr Address kEnd = Address{1} << 48; // no line of memory lies there, nor below 0

    std::array<CacheAccess, kMost> asked_;
    unsigned count_ = 0;
};

class Prefetcher {
public:
    // The outcome of a demand access. An access that has to be tried again (no MSHR entry, no way, no room) counts when
    // it has succeeded.
    struct Found {
        bool hit = false;       // the line was there: else it is fetched now, or on its way
        bool first_use = false; // of a line that was prefetched: there, or still on its way
    };

    Prefetcher() = default;
    virtual ~Prefetcher() = default;
    Prefetcher(const Prefetcher&) = delete;
    Prefetcher& operator=(const Prefetcher&) = delete;

    // Called once. False: the prefetcher never requests a line, and the cache does not call it.
    [[nodiscard]] virtual bool asks() const {
        return true;
    }
    // A demand access has looked a line up. `access.first`: it is the first line of its instruction.
    virtual void access(const CacheAccess& access, Found found, PrefetchQueue& queue) = 0;
    // A line has come that `access` had missed, or that was prefetched (access.kind) and that no instruction has
    // accessed since.
    virtual void fill(const CacheAccess& /*access*/, PrefetchQueue& /*queue*/) {}
};

// Prefetchers by name. A prefetcher's file ends with HEDDLE_PREFETCHER(Class, "name", "meaning", "source"); its
// constructor takes the shape.
using Prefetchers = Registry<Prefetcher, const PrefetcherShape&>;
[[nodiscard]] Prefetchers& prefetchers();

#define HEDDLE_PREFETCHER(Class, ...) HEDDLE_REGISTERED(::heddle::mem::prefetchers(), Class, __VA_ARGS__)

// Outcomes of the requested lines. issued = useful + late + useless + lines that are in the cache or on their way and
// that no instruction has accessed yet.
struct PrefetchStats {
    std::uint64_t issued = 0;
    std::uint64_t useful = 0;
    std::uint64_t late = 0;
    std::uint64_t useless = 0;
    std::uint64_t dropped_there = 0;
    std::uint64_t dropped_mshr = 0;
    std::uint64_t dropped_way = 0;
    std::uint64_t dropped_port = 0;
    static std::span<const stats::Statistic<PrefetchStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

} // namespace heddle::mem
