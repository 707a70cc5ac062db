// The scheduler contract: which ready unit goes next. A scheduler sees a View and no core.
#pragma once

#include <memory>

#include "base/registry.h"
#include "base/types.h"
#include "base/unit_set.h"
#include "config/parameter.h"
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

class Scheduler {
public:
    Scheduler() = default;
    virtual ~Scheduler() = default;
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    // `can_issue` is never empty: hazards and ports are masked out. The answer is a member of it.
    [[nodiscard]] virtual UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle now) = 0;

    // Edges, for schedulers that keep lists. A unit enters when it becomes eligible and leaves when it is picked; both
    // are told only to schedulers that keep_lists().
    [[nodiscard]] virtual bool keeps_lists() const {
        return false;
    }
    virtual void entered(UnitId /*unit*/, unsigned /*threads*/) {}
    virtual void left(UnitId /*unit*/) {}
    virtual void long_wait(UnitId /*unit*/, bool /*waits*/) {}
    virtual void block_event(std::uint16_t /*block*/, BlockEvent /*event*/) {}
    // When tick() is next due; kept by the scheduler, so that a core need not ask.
    Cycle wake = kNever;
    virtual void tick(Cycle /*now*/) {}
};

// Schedulers by name. A scheduler's file ends with HEDDLE_SCHEDULER(Class, "name", "meaning", "source"); its
// constructor takes (unsigned units, const config::Machine&).
using Schedulers = Registry<Scheduler, unsigned, const config::Machine&>;
[[nodiscard]] Schedulers& schedulers();

#define HEDDLE_SCHEDULER(Class, name, meaning, source)                                                                 \
    const ::heddle::Registrar heddle_register_##Class(                                                                 \
        ::heddle::sched::schedulers(),                                                                                 \
        {name, meaning, source,                                                                                        \
         [](unsigned units, const ::heddle::config::Machine& machine) -> std::unique_ptr<::heddle::sched::Scheduler> { \
             return std::make_unique<Class>(units, machine);                                                           \
         }})

} // namespace heddle::sched
