#include "probe/unit_spans.h"

#include <algorithm>

namespace heddle::probe {

void UnitSpans::begin(Unit& unit, UnitId id, Activity activity, Cycle now) {
    unit.active = true;
    // A unit waits for its first instructions before its block is known.
    const std::uint64_t block = activity == Activity::Instructions ? kNoBlock : unit.block;
    unit.span = {.start = now, .block = block, .pc = unit.pc, .unit = id, .activity = activity};
}

void UnitSpans::close(Unit& unit, Cycle end) {
    unit.active = false;
    unit.span.end = std::max(end, unit.span.start);
    if (unit.span.end == unit.span.start || !range_.meets(unit.span.start, unit.span.end))
        return;
    if (spans_.size() < limit_)
        spans_.push_back(unit.span);
    else
        ++dropped_;
}

void UnitSpans::issued(UnitId id, std::uint64_t block, Pc pc, unsigned threads, Cycle now) {
    Unit& unit = now_[id];
    for (const Activity why : {Activity::Barrier, Activity::WarpSync, Activity::Instructions})
        goes_on(id, why, now);
    if (unit.runs() && (now - unit.last > gap_ || unit.block != block))
        close(unit, unit.last + 1);
    unit.block = block;
    unit.pc = pc;
    if (!unit.active)
        begin(unit, id, Activity::Running, now);
    ++unit.span.instructions;
    unit.span.threads += threads;
    unit.last = now;
}

void UnitSpans::waits(UnitId id, Activity why, Cycle now) {
    Unit& unit = now_[id];
    waiting_for(why).insert(id);
    unit.aside += why == Activity::Memory ? 1 : 0;
    if (unit.active && !unit.runs())
        return;
    if (unit.active) // what it waits for is the end of its last instruction
        close(unit, now - unit.last > gap_ ? unit.last + 1 : now);
    begin(unit, id, why, now);
}

void UnitSpans::goes_on(UnitId id, Activity why, Cycle now) {
    Unit& unit = now_[id];
    if (!waiting(why).contains(id) || (why == Activity::Memory && --unit.aside != 0))
        return;
    waiting_for(why).erase(id);
    if (!unit.active || unit.span.activity != why)
        return;
    close(unit, now);
    if (unit.aside != 0)
        begin(unit, id, Activity::Memory, now);
}

void UnitSpans::end(Cycle now) {
    for (Unit& unit : now_) {
        if (unit.active)
            close(unit, unit.runs() ? unit.last + 1 : now);
        unit.aside = 0;
    }
    for (UnitSet& set : waiting_)
        set = UnitSet(static_cast<unsigned>(now_.size()));
}

} // namespace heddle::probe
