// The scheduler contract: which ready unit goes next. A scheduler sees a View, not the core.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/registry.h"
#include "base/types.h"
#include "base/unit_set.h"
#include "config/parameter.h"
#include "cost/hardware_cost.h"
#include "stats/tree.h"
#include "warp/view.h"

namespace heddle::sched {

// An event of a block's threads; view.blocks already shows it.
enum class BlockEvent : std::uint8_t {
    Started,
    AtBarrier,       // some threads came to a barrier and wait
    BarrierReleased, // threads that waited at a barrier may go on
    Exited,          // some threads have exited, others live
    Finished,        // the last thread has exited
};

// The units that a scheduler picks from. In a core with several schedulers each scheduler has a share of the units.
struct Share {
    unsigned units = 0; // of the core: ids below
    unsigned index = 0; // of the scheduler
    unsigned count = 1; // of the core's schedulers
    unsigned block_slots = 0;

    [[nodiscard]] bool has(UnitId unit) const {
        return unit % count == index;
    }
    // The number of units in the share; unit u is number u / count of the share.
    [[nodiscard]] unsigned size() const {
        return units > index ? (units - index - 1) / count + 1 : 0;
    }
    [[nodiscard]] UnitSet own() const {
        UnitSet out(units);
        for (unsigned u = index; u < units; u += count)
            out.insert(static_cast<UnitId>(u));
        return out;
    }
};

class Scheduler {
public:
    Scheduler() = default;
    virtual ~Scheduler() = default;
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    // `can_issue` is never empty: units with a structural hazard or a busy port are masked out. The answer is a member
    // of `can_issue`, or kNoUnit when the scheduler leaves the slot empty. Then pick() is called again in the next
    // cycle. A scheduler must not leave slots empty for ever: the units that it prefers may wait for units in
    // `can_issue`.
    [[nodiscard]] virtual UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle now) = 0;

    // The units of the share that the scheduler considers, kept up to date: the cause of an empty slot is the cause of
    // these units. Null: all units of the share.
    [[nodiscard]] virtual const UnitSet* considered() const {
        return nullptr;
    }

    // Why the scheduler has no meaning over such units; empty when it has. Such a pair is refused when the machine is
    // read.
    [[nodiscard]] virtual std::string objection(const warp::UnitTraits& /*units*/) const {
        return {};
    }

    // Changes of the scheduler's own units, for schedulers with keeps_lists(). A unit enters when it becomes eligible,
    // grows when threads join the eligible unit, and leaves when it is fetched or is no longer eligible.
    [[nodiscard]] virtual bool keeps_lists() const {
        return false;
    }
    virtual void entered(UnitId /*unit*/, Pc /*pc*/, unsigned /*threads*/) {}
    virtual void grew(UnitId /*unit*/, unsigned /*threads, all of them*/) {}
    virtual void left(UnitId /*unit*/) {}
    virtual void long_wait(UnitId /*unit*/, bool /*waits*/) {}
    // Called for all blocks of the SM, also for blocks whose units belong to other schedulers.
    virtual void block_event(std::uint16_t /*block*/, BlockEvent /*event*/, const warp::View& /*view*/, Cycle /*now*/) {
    }
    // The cycle of the next tick(). The scheduler changes it only in tick() and block_event(), so that a core can keep
    // a copy. tick() is called before picks; it is called late when no unit of the SM could be picked since.
    Cycle wake = kNever;
    virtual void tick(const warp::View& /*view*/, Cycle /*now*/) {}

    // Global ids of the SM's blocks, the block whose units go first at the front; empty for a scheduler that ranks no
    // blocks.
    [[nodiscard]] virtual std::vector<std::uint64_t> block_order(const warp::View& /*view*/) const {
        return {};
    }
    // The scheduler's state at the end of a cycle, for a trace: "first:2". Empty: nothing to show.
    [[nodiscard]] virtual std::string trace() const {
        return {};
    }
    // Adds the scheduler's section to the tree, if it has counters; the section is the sum over the SMs.
    virtual void add_statistics(stats::Tree& /*tree*/) {}
    // The hardware structures of the schedulers of one SM.
    [[nodiscard]] virtual std::vector<cost::HardwareCost> hardware_cost() const {
        return {};
    }
};

// Schedulers by name. A scheduler's file ends with HEDDLE_SCHEDULER(Class, "name", "meaning", "source"); its
// constructor takes (const Share&, const config::Machine&).
using Schedulers = Registry<Scheduler, const Share&, const config::Machine&>;
[[nodiscard]] Schedulers& schedulers();

#define HEDDLE_SCHEDULER(Class, ...) HEDDLE_REGISTERED(::heddle::sched::schedulers(), Class, __VA_ARGS__)

} // namespace heddle::sched
