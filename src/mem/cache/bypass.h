// The bypass contract: which loads do not take a line of the first-level data cache (docs/adding-a-prefetcher.md,
// Bypassing). Such a load hits when its line is there; else the line is fetched, and its data go to the threads only.
#pragma once

#include <memory>

#include "base/registry.h"
#include "mem/cache/access.h"
#include "stats/statistic.h"

namespace heddle::mem {

struct BypassShape {
    double rate = 0; // dcache.bypass_rate
    std::uint64_t seed = 1;
};

class Bypass {
public:
    Bypass() = default;
    virtual ~Bypass() = default;
    Bypass(const Bypass&) = delete;
    Bypass& operator=(const Bypass&) = delete;

    // Called once. False: no access bypasses, and the cache does not call the policy.
    [[nodiscard]] virtual bool decides() const {
        return true;
    }
    // Whether a load bypasses. Called before its line is looked up, and again when the look-up has to be tried again.
    [[nodiscard]] virtual bool bypasses(const CacheAccess& load) = 0;
};

// Policies by name. A policy's file ends with HEDDLE_BYPASS(Class, "name", "meaning", "source"); its constructor takes
// the shape.
using Bypasses = Registry<Bypass, const BypassShape&>;
[[nodiscard]] Bypasses& bypasses();

#define HEDDLE_BYPASS(Class, ...) HEDDLE_REGISTERED(::heddle::mem::bypasses(), Class, __VA_ARGS__)

struct BypassStats {
    std::uint64_t accesses = 0;
    std::uint64_t bypasses = 0;
    std::uint64_t merges = 0;
    std::uint64_t kept = 0;
    static std::span<const stats::Statistic<BypassStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

} // namespace heddle::mem
