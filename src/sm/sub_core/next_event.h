// The next cycle in which anything happens in an SM of sub-cores. Each part keeps the cycle of its next event as one
// number.
#pragma once

#include <algorithm>
#include <span>

#include "base/latency_wheel.h"
#include "sm/frame/frame.h"
#include "sm/sub_core/memory_stage.h"
#include "sm/sub_core/unit_states.h"

namespace heddle::sm {

class NextEvent {
public:
    // All parts outlive the NextEvent.
    NextEvent(const Frame& frame, const LatencyWheel& wheel, const MemoryStage& memory, const UnitStates& states,
              std::span<const FrontEnd> fronts, std::span<const IssueUnit> issue_units)
        : frame_(frame), wheel_(wheel), memory_(memory), states_(states), fronts_(fronts), issue_units_(issue_units) {}

    // Whether anything happens in fetch, decode or issue at `now`. One result for all parts: it costs one branch, while
    // one branch for each part would often be predicted wrongly.
    [[nodiscard]] bool front_end_is_due(Cycle now) const {
        bool due = frame_.formation.wake <= now;
        for (const IssueUnit& unit : issue_units_)
            due |= unit.look_at() <= now;
        for (const FrontEnd& front : fronts_)
            due |= front.next(now) <= now;
        return due | states_.any_fresh();
    }
    // The first cycle from `now` on in which anything happens without an answer of memory. Ticks of schedulers do not
    // count: a tick has no effect before a unit can be picked.
    [[nodiscard]] Cycle inside(Cycle now) const {
        Cycle next = std::min({wheel_.next(), memory_.next(), frame_.formation.wake});
        for (const IssueUnit& unit : issue_units_)
            next = std::min(next, unit.look_at());
        for (const FrontEnd& front : fronts_)
            next = std::min(next, front.next(now));
        return states_.any_fresh() ? now : std::max(next, now);
    }

private:
    const Frame& frame_;
    const LatencyWheel& wheel_;
    const MemoryStage& memory_;
    const UnitStates& states_;
    const std::span<const FrontEnd> fronts_;
    const std::span<const IssueUnit> issue_units_;
};

} // namespace heddle::sm
