// The distinct next PCs of one part of a group after a branch or an indirect jump.
#pragma once

#include <array>
#include <bit>

#include "base/types.h"
#include "formation/reconvergence_stack.h"

namespace heddle::formation {

using Side = SideOf<LaneMask>;

struct Sides {
    unsigned count = 0;
    // The taken side of a branch is first; sides of an indirect jump are in the order of their first lanes. Not
    // initialised, because Sides are made for each divergent branch.
    std::array<Side, kMaxWidth> side;

    void add(Point at, LaneMask lanes) {
        for (unsigned i = 0; i < count; ++i)
            if (side[i].at == at) {
                side[i].threads |= lanes;
                return;
            }
        side[count++] = {at, lanes};
    }
    [[nodiscard]] std::span<const Side> all() const {
        return {side.data(), count};
    }
};

// Sides of part `part` of a flight whose outcome is Branch or Indirect. `depth`: call depth of its threads.
[[nodiscard]] inline Sides sides_of(const warp::Flight& flight, unsigned part, std::uint16_t depth) {
    const warp::Outcome& o = flight.outcome;
    const LaneMask lanes = flight.group.part[part].lanes;
    const LaneMask taken = o.taken[part];
    const auto moved = static_cast<std::uint16_t>(depth + o.depth_change);
    Sides sides;
    if (o.kind == warp::Outcome::Kind::Branch) {
        if (taken != 0)
            sides.add({o.target, moved}, taken);
    } else {
        std::size_t thread = 0; // entries of `each` are numbered over the whole group
        for (unsigned p = 0; p < part; ++p)
            thread += count_lanes(flight.group.part[p].lanes);
        for (LaneMask left = lanes; left != 0; left &= left - 1, ++thread) {
            const LaneMask lane = left & (~left + 1);
            if ((lane & taken) != 0)
                sides.add({o.each[thread], moved}, lane);
        }
    }
    if (taken != lanes)
        sides.add({flight.group.pc + 1, depth}, lanes & ~taken);
    return sides;
}

} // namespace heddle::formation
