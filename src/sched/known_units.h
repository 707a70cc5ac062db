// Which units a scheduler with lists of its own has in them, where units come and go without a word.
#pragma once

#include <bit>

#include "warp/view.h"

namespace heddle::sched {

// A unit is known from the first pick at which it can issue until the first one at which it is no longer alive. One
// whose number has been taken again between two picks is not told from the one before it.
class KnownUnits {
public:
    explicit KnownUnits(unsigned units) : known_(units) {}

    // gone(unit) for those known ones that have ended, then fresh(unit) for those that are new.
    template <class Gone, class Fresh>
    void update(const UnitSet& can_issue, const warp::UnitTable& units, Gone&& gone, Fresh&& fresh) {
        for (unsigned i = 0; i < units.words; ++i) {
            std::uint64_t& known = known_.word(i);
            const std::uint64_t ended = known & ~units.alive.word(i);
            const std::uint64_t first_seen = can_issue.word(i) & ~(known & ~ended);
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
