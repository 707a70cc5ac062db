// Lists of units, linked through arrays by unit: nothing is allocated when a unit is put in or taken out.
#pragma once

#include <vector>

#include "base/types.h"
#include "base/unit_set.h"

namespace heddle::sched {

// A unit is in at most one list of a UnitLinks.
class UnitLinks {
public:
    struct List {
        UnitId first = kNoUnit;
        UnitId last = kNoUnit;
    };

    explicit UnitLinks(unsigned units) : next_(units, kNoUnit), previous_(units, kNoUnit) {}

    void append(List& list, UnitId unit) {
        next_[unit] = kNoUnit;
        previous_[unit] = list.last;
        (list.last != kNoUnit ? next_[list.last] : list.first) = unit;
        list.last = unit;
    }
    void remove(List& list, UnitId unit) {
        const UnitId next = next_[unit], previous = previous_[unit];
        (previous != kNoUnit ? next_[previous] : list.first) = next;
        (next != kNoUnit ? previous_[next] : list.last) = previous;
    }
    [[nodiscard]] UnitId next(UnitId unit) const {
        return next_[unit];
    }
    // kNoUnit when there is none.
    [[nodiscard]] UnitId first_of(const List& list, const UnitSet& members) const {
        UnitId unit = list.first;
        while (unit != kNoUnit && !members.contains(unit))
            unit = next_[unit];
        return unit;
    }

private:
    std::vector<UnitId> next_, previous_;
};

} // namespace heddle::sched
