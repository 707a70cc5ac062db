// The replacement contract: which line of a set makes room (docs/adding-a-replacement.md). A policy keeps state of its
// own for lines and sets, learns from hits, fills and evictions, and chooses the victim. Policies that go by the age of
// a line alone leave the choice to the cache, which stamps its lines in order of time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/registry.h"
#include "mem/cache/access.h"

namespace heddle::mem {

// The lines that a policy has to do with: `sets` is a power of two, `ways` 1 to 64.
struct ReplacementShape {
    unsigned sets = 0;
    unsigned ways = 0;
    std::uint64_t seed = 1; // for policies with random choices; another one for each cache
};

using WayMask = std::uint64_t; // bit w: way w of a set

class Replacement {
public:
    // Which line makes room.
    enum class Order : std::uint8_t {
        Use,     // the one that was used least recently; a line on its way is used by those that merge
        Arrival, // the one that took its way first
        Own,     // the one that victim() names
    };

    Replacement() = default;
    virtual ~Replacement() = default;
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    // Called once. For another order than Own the cache calls none of victim(), hit(), fill() and evict().
    [[nodiscard]] virtual Order order() const {
        return Order::Own;
    }
    // Called once. False: hit(), fill() and evict() are not called.
    [[nodiscard]] virtual bool learns() const {
        return true;
    }
    // Why it cannot serve caches of its shape; empty when it can. Called when a machine is read.
    [[nodiscard]] virtual std::string objection() const {
        return {};
    }

    // The way of `set` to evict, for `access` to get it. `candidates`: the ways that may go, never 0; a way that is
    // missing in it is on its way or locked. Not called while the set has an empty way: the first of those is taken.
    [[nodiscard]] virtual unsigned victim(unsigned set, WayMask candidates, const CacheAccess& access) = 0;
    // An access finds its line in a way. Not called for accesses that merge with a line on its way.
    virtual void hit(unsigned /*set*/, unsigned /*way*/, const CacheAccess& /*access*/) {}
    // A line takes a way, for `access`: when it misses, or where lines take their ways when they come, then.
    virtual void fill(unsigned /*set*/, unsigned /*way*/, const CacheAccess& /*access*/) {}
    // A line makes room. (Not called for a line that leaves for another reason: dropped by a store or by the end of a
    // kernel, or taken by another cache. Its way is filled anew.)
    virtual void evict(unsigned /*set*/, unsigned /*way*/) {}
};

// Policies by name. A policy's file ends with HEDDLE_REPLACEMENT(Class, "name", "meaning", "source"); its constructor
// takes the shape.
using Replacements = Registry<Replacement, const ReplacementShape&>;
[[nodiscard]] Replacements& replacements();

#define HEDDLE_REPLACEMENT(Class, ...) HEDDLE_REGISTERED(::heddle::mem::replacements(), Class, __VA_ARGS__)

} // namespace heddle::mem
