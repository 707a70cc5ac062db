// Common parts of formations with a stack over several rows (lwm, tbc).
#pragma once

#include <vector>

#include "formation/formation.h"
#include "formation/reconvergence_stack.h"

namespace heddle::formation {

using RowStack = ReconvergenceStack<RowMasks>;

// The sides of an instruction that several groups execute one after the other, complete with the last group.
class CollectedSides {
public:
    [[nodiscard]] bool empty() const {
        return sides_.empty();
    }
    void clear() {
        sides_.clear();
    }
    // Adds a group of `rows` rows from `first_row` on, whose outcome is Branch or Indirect. `depth`: the call depth of
    // its threads.
    void add(const warp::Flight& flight, std::uint16_t depth, RowId first_row, unsigned rows);
    // The sides with threads; of a branch, the taken one first. Valid until the next call.
    [[nodiscard]] std::span<const SideOf<RowMasks>> all();
    // The point where the sides meet again.
    [[nodiscard]] Point meet() const {
        return meet_;
    }

private:
    [[nodiscard]] RowMasks& side_at(Point at, unsigned rows);

    std::vector<SideOf<RowMasks>> sides_;
    Point meet_ = kNoPoint;
};

// Throws Livelock when the state of the stack's running threads repeats. `unit`, at `spinning`, makes no progress, and
// threads of its stack, whose rows begin at `first_row`, wait for it.
void look_for_livelock(SpinWatch& watch, UnitId unit, Pc spinning, const RowStack& stack, RowId first_row);

} // namespace heddle::formation
