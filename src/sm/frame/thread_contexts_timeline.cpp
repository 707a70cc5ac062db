// The events of an SM's threads in a timeline, for every core model.
#include "sm/frame/thread_contexts.h"

namespace heddle::sm {

using probe::Activity;

void ThreadContexts::record_start(unsigned slot, std::uint64_t global_id, Cycle now) {
    timeline->residency.started(slot, global_id, blocks.first_row(slot), blocks.views()[slot].live_threads,
                                static_cast<unsigned>(config.width), now);
}

void ThreadContexts::record_issue(const warp::Flight& flight, Cycle now) {
    const warp::Group& group = flight.group;
    const std::uint64_t block = formation->traits().span_blocks
                                    ? probe::kNoBlock
                                    : timeline->residency.block_in(formation->units.block[group.unit]);
    timeline->units.issued(group.unit, block, group.pc, group.threads, now);
    timeline->residency.executed(unsigned{flight.outcome.executed} + group.extra_threads);
    for (unsigned p = 0; p < group.parts; ++p)
        timeline->residency.progressed(group.part[p].row, count_lanes(group.part[p].lanes));
}

// The flight's arrivals or exits have counted: its unit may wait now, other units may not wait any longer. Released
// threads may continue in another unit, and the last unit to arrive does not wait.
void ThreadContexts::record_waits(const warp::Flight& flight, Cycle now) {
    using Kind = warp::Outcome::Kind;
    const warp::UnitTable& units = formation->units;
    const UnitId unit = flight.group.unit;
    const auto stands = [&](UnitId u) { return units.alive.contains(u) && !units.eligible.contains(u); };
    for (const Activity why : {Activity::Barrier, Activity::WarpSync})
        timeline->units.waiting(why).for_each([&](UnitId u) {
            if (!stands(u))
                timeline->units.goes_on(u, why, now);
        });
    if (!stands(unit) || units.generation[unit] != flight.generation)
        return;
    if (flight.outcome.kind == Kind::Barrier)
        timeline->units.waits(unit, Activity::Barrier, now);
    else if (flight.outcome.kind == Kind::WarpSync)
        timeline->units.waits(unit, Activity::WarpSync, now);
}

} // namespace heddle::sm
