// Which units a scheduler with lists of its own has in them, where units come and go without a word.
#pragma once

#include <bit>

#include "warp/view.h"

namespace heddle::sched {

// A unit is known from the first update in which it is seen until the first one in which it is no longer alive. One
// whose number has been taken again in between is not told from the one before it, and has its place (assumed).
class KnownUnits {
public:
    explicit KnownUnits(unsigned units) : known_(units) {}

    // gone(unit) for those known ones that have ended, then fresh(unit) for the new ones of those seen, all alive.
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
