// The scheduler contract: which ready unit goes next. A scheduler sees a View and no core.
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

// What becomes of a block's threads, told when view.blocks has it.
enum class BlockEvent : std::uint8_t {
    Started,
    AtBarrier,       // some came to a barrier and wait
    BarrierReleased, // those that waited at a barrier may go on
    Exited,          // some are gone, others live
    Finished,        // the last is gone
};

// The units that a scheduler picks from: where a core has several schedulers, each has its share of them.
struct Share {
    unsigned units = 0; // of the core: ids below
    unsigned index = 0; // of the scheduler
    unsigned count = 1; // of the core's schedulers
    unsigned block_slots = 0;

    [[nodiscard]] bool has(UnitId unit) const {
        return unit % count == index;
    }
    // How many units it has; the unit u is number u / count of them.
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

    // `can_issue` is never empty: hazards and ports are masked out. The answer is a member of it; or kNoUnit, when the
    // scheduler leaves the slot empty although they can (it is asked again in the next cycle, and must not do so for
    // ever: what it waits for may wait for them).
    [[nodiscard]] virtual UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle now) = 0;

    // Those of its units that it looks at, kept up to date: why they cannot go is why a slot is empty. Null: all of
    // them.
    [[nodiscard]] virtual const UnitSet* considered() const {
        return nullptr;
    }

    // Why it has no meaning over such units; empty when it has. Such a pair is refused when the machine is read.
    [[nodiscard]] virtual std::string objection(const warp::UnitTraits& /*units*/) const {
        return {};
    }

    // Edges, for schedulers that keep lists, of their own units. A unit enters when it becomes eligible, grows when
    // threads join it there, and leaves when it is fetched or is no longer eligible; told only to schedulers that
    // keeps_lists().
    [[nodiscard]] virtual bool keeps_lists() const {
        return false;
    }
    virtual void entered(UnitId /*unit*/, Pc /*pc*/, unsigned /*threads*/) {}
    virtual void grew(UnitId /*unit*/, unsigned /*threads, all of them*/) {}
    virtual void left(UnitId /*unit*/) {}
    virtual void long_wait(UnitId /*unit*/, bool /*waits*/) {}
    // Told of all blocks of the SM, whoever has their units.
    virtual void block_event(std::uint16_t /*block*/, BlockEvent /*event*/, const warp::View& /*view*/, Cycle /*now*/) {
    }
    // When tick() is next due; kept by the scheduler, which changes it in tick() and block_event() only, so that a core
    // need not ask. It is called before picks, and late
    // where no unit of the SM could be picked since: nothing has happened then.
    Cycle wake = kNever;
    virtual void tick(const warp::View& /*view*/, Cycle /*now*/) {}

    // Global ids of the SM's blocks, the one whose units go first at the front; empty when it ranks no blocks.
    [[nodiscard]] virtual std::vector<std::uint64_t> block_order(const warp::View& /*view*/) const {
        return {};
    }
    // What a trace shows of its state at the end of a cycle: "first:2". Empty: nothing.
    [[nodiscard]] virtual std::string trace() const {
        return {};
    }
    // Adds its section to the tree, if it counts anything; it is the sum over the SMs.
    virtual void add_statistics(stats::Tree& /*tree*/) {}
    // The structures that it and its like need, of one SM.
    [[nodiscard]] virtual std::vector<cost::HardwareCost> hardware_cost() const {
        return {};
    }
};

// Schedulers by name. A scheduler's file ends with HEDDLE_SCHEDULER(Class, "name", "meaning", "source"); its
// constructor takes (const Share&, const config::Machine&).
using Schedulers = Registry<Scheduler, const Share&, const config::Machine&>;
[[nodiscard]] Schedulers& schedulers();

#define HEDDLE_SCHEDULER(Class, name, meaning, source)                                                                 \
    const ::heddle::Registrar heddle_register_##Class(                                                                 \
        ::heddle::sched::schedulers(),                                                                                 \
        {name, meaning, source,                                                                                        \
         [](const ::heddle::sched::Share& share, const ::heddle::config::Machine& machine)                             \
             -> std::unique_ptr<::heddle::sched::Scheduler> { return std::make_unique<Class>(share, machine); }})

} // namespace heddle::sched
