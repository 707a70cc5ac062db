// What formations share whose stack is over several rows (lwm, tbc).
#pragma once

#include <vector>

#include "formation/formation.h"
#include "formation/reconvergence_stack.h"

namespace heddle::formation {

using RowStack = ReconvergenceStack<RowMasks>;

// Who goes where at an instruction that several groups execute one after the other, until the last of them has.
class CollectedSides {
public:
    [[nodiscard]] bool empty() const {
        return sides_.empty();
    }
    void clear() {
        sides_.clear();
    }
    // A group of rows from `first_row` on, of `rows`, whose outcome is Branch or Indirect. `depth`: call depth of its
    // threads.
    void add(const warp::Flight& flight, std::uint16_t depth, RowId first_row, unsigned rows);
    // The sides that have threads, a branch's taken one first. Valid until the next call.
    [[nodiscard]] std::span<const SideOf<RowMasks>> all();
    // Where they meet again.
    [[nodiscard]] Point meet() const {
        return meet_;
    }

private:
    [[nodiscard]] RowMasks& side_at(Point at, unsigned rows);

    std::vector<SideOf<RowMasks>> sides_;
    Point meet_ = kNoPoint;
};

// Throws Livelock when the state of the stack's running threads repeats: `unit`, at `spinning`, makes no headway, and
// threads of its stack, whose rows begin at `first_row`, wait for it.
void look_for_livelock(SpinWatch& watch, UnitId unit, Pc spinning, const RowStack& stack, RowId first_row);

} // namespace heddle::formation
