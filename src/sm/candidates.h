// The units that a core with one instruction stream may pick from.
#pragma once

#include "warp/unit_table.h"

namespace heddle::sm {

// Fills `out` with the eligible units that are not `blocked`; of these only the boosted ones, if there are any. False
// when there is none.
inline bool find_candidates(const warp::UnitTable& units, const UnitSet& blocked, UnitSet& out) {
    if (units.words == 1) [[likely]] { // a core of up to 64 units
        const std::uint64_t w = units.eligible.word(0) & units.alive.word(0) & ~blocked.word(0);
        const std::uint64_t first = w & units.boosted.word(0);
        out.word(0) = first != 0 ? first : w;
        return w != 0;
    }
    bool any = false;
    bool boosted = false;
    for (unsigned i = 0; i < units.words; ++i) {
        const std::uint64_t w = units.eligible.word(i) & units.alive.word(i) & ~blocked.word(i);
        out.word(i) = w;
        any |= w != 0;
        boosted |= (w & units.boosted.word(i)) != 0;
    }
    if (boosted)
        for (unsigned i = 0; i < units.words; ++i)
            out.word(i) &= units.boosted.word(i);
    return any;
}

} // namespace heddle::sm
