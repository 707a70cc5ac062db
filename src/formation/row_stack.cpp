#include "formation/row_stack.h"

#include <algorithm>

namespace heddle::formation {

RowMasks& CollectedSides::side_at(Point at, unsigned rows) {
    for (SideOf<RowMasks>& side : sides_)
        if (side.at == at)
            return side.threads;
    sides_.push_back({at, RowMasks(rows)});
    return sides_.back().threads;
}

void CollectedSides::add(const warp::Flight& flight, std::uint16_t depth, RowId first_row, unsigned rows) {
    const warp::Outcome& o = flight.outcome;
    const bool branch = o.kind == warp::Outcome::Kind::Branch;
    const Point behind{flight.group.pc + 1, depth};
    const auto moved = static_cast<std::uint16_t>(depth + o.depth_change);
    meet_ = reconvergence_of(flight, depth);
    if (branch) // the taken side is first, even if other threads are first
        static_cast<void>(side_at({o.target, moved}, rows));
    std::size_t thread = 0; // index in the group, for `each`
    for (unsigned p = 0; p < flight.group.parts; ++p) {
        const auto row = static_cast<unsigned>(flight.group.part[p].row - first_row);
        const LaneMask lanes = flight.group.part[p].lanes;
        if (branch) {
            side_at({o.target, moved}, rows)[row] |= o.taken[p];
            side_at(behind, rows)[row] |= lanes & ~o.taken[p];
            continue;
        }
        for (LaneMask left = lanes; left != 0; left &= left - 1, ++thread) {
            const LaneMask lane = left & (~left + 1);
            side_at((lane & o.taken[p]) != 0 ? Point{o.each[thread], moved} : behind, rows)[row] |= lane;
        }
    }
}

std::span<const SideOf<RowMasks>> CollectedSides::all() {
    std::erase_if(sides_, [](const SideOf<RowMasks>& side) { return none(side.threads); });
    return sides_;
}

void look_for_livelock(SpinWatch& watch, UnitId unit, Pc spinning, const RowStack& stack, RowId first_row) {
    std::vector<RowId> rows;
    for (unsigned r = 0; r < stack.running.threads.rows(); ++r)
        if (stack.running.threads[r] != 0)
            rows.push_back(static_cast<RowId>(first_row + r));
    if (!watch.repeats(first_row, unit, spinning, rows, stack.spun()))
        return;
    const RowStack::Entry& top = stack.waiting().back();
    RowMasks siblings = top.threads;
    siblings -= stack.running.threads;
    unsigned row = 0;
    while (row + 1 < siblings.rows() && siblings[row] == 0)
        ++row;
    throw Livelock(unit, spinning, top.at.pc, {static_cast<RowId>(first_row + row), siblings[row]}, stack.spun());
}

} // namespace heddle::formation
