#include "sm/functional.h"

namespace heddle::sm {

Functional::Functional(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program)
    : residents_(machine, "pdom", 0, exec::Effects::Immediate, image, program) {
    flight_.id = 0;
}

Cycle Functional::run(Cycle now, Cycle until) {
    formation::Formation& formation = *residents_.formation;
    warp::UnitTable& units = formation.units;
    // A unit runs for a while before the next: others may wait for what it does, or it for what they do.
    constexpr unsigned kTurn = 1000;
    try {
        while (now < until) {
            last_ = units.eligible.next_after(last_);
            if (last_ == kNoUnit)
                residents_.report_deadlock(now);
            const UnitId unit = last_;
            for (unsigned n = 0; n < kTurn && now < until && units.eligible.contains(unit); ++n, ++now) {
                units.eligible.erase(unit);
                formation.form(unit, residents_.program.ops[units.pc[unit]], residents_.executor, flight_.group);
                residents_.execute(flight_, now, access_);
                residents_.count_slot(flight_.group.threads);
                formation.returned(flight_, now);
                const bool ended = residents_.settle(flight_, now);
                residents_.changes.clear();
                if (ended)
                    return now + 1;
            }
        }
    } catch (const formation::Livelock& livelock) {
        residents_.report_livelock(livelock);
    }
    return now;
}

} // namespace heddle::sm
