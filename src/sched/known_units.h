// The units in the lists of a scheduler, for formations whose units come and go without a call to the scheduler.
#pragma once

#include <bit>

#include "warp/view.h"

namespace heddle::sched {

// A unit is known from the first update that sees it until the first update in which it is not alive. A unit whose
// number has been reused between two updates counts as the earlier unit and keeps its place (assumed).
class KnownUnits {
public:
    explicit KnownUnits(unsigned units) : known_(units) {}

    // Calls gone(unit) for each known unit that has ended, then fresh(unit) for each new unit among `seen`, all alive.
    template <class Gone, class Fresh>
    void update(const UnitSet& seen, const warp::UnitTable& units, Gone&& gone, Fresh&& fresh) {
        for (unsigned i = 0; i < units.words; ++i) {
            std::uint64_t& known = known_.word(i);
            const std::uint64_t ended = known & ~units.alive.word(i);
            const std::uint64_t first_seen = seen.word(i) & ~(known & ~ended);
            known = (known & ~ended) | first_seen;
            each(ended, i, gone);
            each(first_seen, i, fresh);
        }
    }

private:
    template <class F>
    static void each(std::uint64_t members, unsigned word, F&& f) {
        for (; members != 0; members &= members - 1)
            f(static_cast<UnitId>(word * 64 + static_cast<unsigned>(std::countr_zero(members))));
    }

    UnitSet known_;
};

} // namespace heddle::sched
