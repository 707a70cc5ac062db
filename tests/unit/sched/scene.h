// Units and their states as a core would show them to a scheduler.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "sched/scheduler.h"

namespace heddle::sched::test {

struct Scene {
    explicit Scene(unsigned count) : count(count), units(count), can(count), long_wait(count), at_barrier(count) {
        for (UnitId u = 0; u < count; ++u) {
            units.alive.insert(u);
            units.threads[u] = 32;
        }
    }

    unsigned count;
    warp::UnitTable units;
    UnitSet can, long_wait, at_barrier;
    warp::View view{.units = units,
                    .long_wait = long_wait,
                    .at_barrier = at_barrier,
                    .progress = {},
                    .blocks = {},
                    .blocks_left = false,
                    .program = nullptr};
    Cycle now = 0;

    [[nodiscard]] std::unique_ptr<Scheduler> make(const std::string& name,
                                                  const std::vector<std::string>& settings = {}) const {
        return make(name, settings, {.units = count});
    }
    [[nodiscard]] std::unique_ptr<Scheduler> make(const std::string& name, const std::vector<std::string>& settings,
                                                  const Share& share) const {
        return schedulers().make(name, share, config::Machine::defaults(settings));
    }
    UnitId pick(Scheduler& scheduler, const UnitSet& ready) {
        return scheduler.pick(ready, view, ++now);
    }
    // What is picked in the next cycle when just these can go.
    UnitId pick(Scheduler& scheduler, std::initializer_list<UnitId> ready) {
        can = set(ready);
        units.eligible = can;
        return scheduler.pick(can, view, ++now);
    }
    [[nodiscard]] UnitSet set(std::initializer_list<UnitId> members) const {
        UnitSet out(count);
        for (const UnitId u : members)
            out.insert(u);
        return out;
    }
};

} // namespace heddle::sched::test
