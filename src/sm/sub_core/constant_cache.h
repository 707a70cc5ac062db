// The constant cache of a sub-core, for operands c[bank][offset] (Huerta et al., MICRO 2025; Jia et al., arXiv
// 1804.06826). An instruction issues when its constant is there. What is missing comes from the instruction cache of
// the SM, which holds constants, too.
//
// Assumed: constants have addresses of their own, the same in each launch.
#pragma once

#include <utility>
#include <vector>

#include "base/unit_set.h"
#include "mem/cache/cache.h"
#include "sm/frame/instruction_l1.h"
#include "stats/tree.h"

namespace heddle::sm {

struct ConstantCacheConfig : mem::CacheConfig {
    static constexpr std::string_view kSection = "ccache_l0";
    static constexpr bool kOptional = true;
    std::uint64_t hold = 4;
    static std::span<const config::Parameter<ConstantCacheConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
};

class ConstantCache {
public:
    // Requests to `l1` have the numbers first, first + 1, ...: one for each entry for a miss. `number`: of the cache
    // in the device.
    ConstantCache(const ConstantCacheConfig& config, InstructionL1& l1, unsigned first, unsigned units, unsigned number)
        : l1_(l1), first_(first), units_(units), cache_(config, number), awaited_(units), refused_(units),
          served_(units) {}

    // Whether the constant of a unit's next instruction, at an address of constants, is there. Else the unit waits
    // until arrived() names it, and asks again.
    [[nodiscard]] bool has(UnitId unit, Address constant, Pc pc, Cycle now);
    // The line of a request has come. Calls f(unit) for each unit that waited for a line.
    template <class F>
    void arrived(std::uint32_t request, F&& f) {
        cache_.fill(request - first_, [&](std::uint32_t waiter) {
            served_.insert(static_cast<UnitId>(waiter));
            f(static_cast<UnitId>(waiter));
        });
        const UnitSet refused = std::exchange(refused_, UnitSet(units_));
        refused.for_each(f);
    }
    // A kernel begins: no unit waits, and no line is there but those on their way.
    void begin() {
        served_ = refused_ = UnitSet(units_);
        cache_.flush([](Address /*constants are never dirty*/) {});
    }
    void add_statistics(stats::Tree& tree) {
        tree.add_one_of("ccache_l0", cache_.stats());
    }

private:
    InstructionL1& l1_;
    const unsigned first_, units_;
    mem::Cache cache_;
    std::vector<Address> awaited_; // by unit: the constant that it waited for last
    UnitSet refused_;              // units whose line could not be asked for
    // Units whose line has come and that have not issued since. Such a unit has its constant even when the line has
    // been replaced meanwhile: else units could replace each other's lines for ever (assumed).
    UnitSet served_;
};

} // namespace heddle::sm
