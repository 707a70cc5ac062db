// Notifies schedulers that keep lists of units that have become eligible, have grown, or are no longer eligible.
#pragma once

#include <bit>

#include "sched/scheduler.h"
#include "warp/unit_table.h"

namespace heddle::sm {

class EligibleEdges {
public:
    explicit EligibleEdges(unsigned units = 0) : were_(units) {}

    // Notifies of changes since the last call. scheduler_of(unit) is the scheduler to notify.
    template <class F>
    void tell(warp::UnitTable& units, F&& scheduler_of) {
        for (unsigned i = 0; i < units.words; ++i) {
            const std::uint64_t are = units.eligible.word(i), were = were_.word(i);
            const std::uint64_t grown = units.grown.word(i) & were & are;
            if (((are ^ were) | grown) == 0)
                continue; // a unit that grows while not eligible stays marked; it enters with its threads
            units.grown.word(i) = 0;
            each(i, were & ~are, [&](UnitId u) { scheduler_of(u).left(u); });
            each(i, grown, [&](UnitId u) { scheduler_of(u).grew(u, units.threads[u]); });
            were_.word(i) = are;
            each(i, are & ~were, [&](UnitId u) { scheduler_of(u).entered(u, units.pc[u], units.threads[u]); });
        }
    }
    // The unit has been picked, and is no longer eligible.
    void take(UnitId unit, sched::Scheduler& scheduler) {
        scheduler.left(unit);
        were_.erase(unit);
    }

private:
    template <class F>
    static void each(unsigned word, std::uint64_t bits, F&& f) {
        for (; bits != 0; bits &= bits - 1)
            f(static_cast<UnitId>(word * 64 + static_cast<unsigned>(std::countr_zero(bits))));
    }

    UnitSet were_;
};

} // namespace heddle::sm
