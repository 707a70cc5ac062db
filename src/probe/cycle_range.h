// The cycles of a run whose events a timeline keeps.
#pragma once

#include <algorithm>

#include "base/types.h"

namespace heddle::probe {

struct CycleRange {
    Cycle from = 0, to = kNever; // cycles from `from` up to `to` - 1

    // Whether an event of the cycles from `start` up to `end` - 1, or of cycle `start` alone, is in it in part.
    [[nodiscard]] bool meets(Cycle start, Cycle end) const {
        return start < to && std::max(end, start + 1) > from;
    }
    [[nodiscard]] bool is_whole_run() const {
        return from == 0 && to == kNever;
    }
};

} // namespace heddle::probe
