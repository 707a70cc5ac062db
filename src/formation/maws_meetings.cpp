#include "formation/maws_meetings.h"

#include "formation/formation.h"
#include "formation/sides.h"

namespace heddle::formation {
namespace {

using Kind = warp::Outcome::Kind;

// A conditional branch whose threads go to its reconvergence point or to one other place.
bool leaves_only(const ir::MicroOp& op, Point at) {
    return op.kind == ir::Kind::Branch && op.guard != ir::kNowhere && op.reconvergence != kNoPc &&
           (op.target == op.reconvergence || at.pc + 1 == op.reconvergence);
}

bool stands_at_meeting_point(const SplitWarp& w, Point at) {
    return !w.stack.empty() && at == w.stack.running.reconvergence;
}

} // namespace

bool MawsMeetings::may_pass(const SplitWarp& w, Point at) const {
    const ir::MicroOp& op = ops_[at.pc];
    const Point meet{op.reconvergence, at.depth};
    return op.kind != ir::Kind::Indirect && config_.loop_bypass && !w.stack.empty() &&
           w.stack.running.reconvergence == meet && leaves_only(op, at);
}

bool MawsMeetings::take(SplitWarp& w, UnitId u, const warp::Flight& flight) {
    WarpSplit& s = splits_[u];
    switch (flight.outcome.kind) {
    case Kind::Branch:
    case Kind::Indirect:
        return branch(w, u, flight);
    case Kind::Exit:
        return leave(w, u, flight.outcome.taken[0]);
    case Kind::Barrier:
    case Kind::WarpSync:
        w.waiting |= flight.outcome.taken[0];
        break;
    case Kind::Memory:
    case Kind::Next:
        break;
    }
    ++s.at.pc;
    return true;
}

bool MawsMeetings::branch(SplitWarp& w, UnitId u, const warp::Flight& flight) {
    WarpSplit& s = splits_[u];
    const Sides sides = sides_of(flight, 0, s.at.depth);
    const Point meet = reconvergence_of(flight, s.at.depth);
    const ir::MicroOp& op = *flight.op;
    const bool known = !w.stack.empty() && meet == w.stack.running.reconvergence;
    if (known && leaves_only(op, s.at)) { // threads that leave wait in the stack's next entry
        for (const Side& side : sides.all())
            if (side.at == meet && sides.count > 1) {
                s.part.lanes &= ~side.threads;
                w.stack.running.threads &= ~side.threads;
            } else {
                s.at = side.at;
            }
        return true;
    }
    const bool enters = config_.loop_bypass && config_.loop_push == "first" && leaves_only(op, s.at);
    if (sides.count == 1 && (!enters || sides.side[0].at == meet)) {
        s.at = sides.side[0].at;
        return true;
    }
    w.stack.running.at = s.at;
    w.stack.diverge(sides.all(), meet);
    restart(w, u);
    return false;
}

bool MawsMeetings::leave(SplitWarp& w, UnitId u, LaneMask gone) {
    WarpSplit& s = splits_[u];
    const bool others = w.stack.leave(gone);
    s.part.lanes &= ~gone;
    if (s.part.lanes != 0) {
        ++s.at.pc;
        return true;
    }
    if (others)
        restart(w, u);
    else
        splits_.end(u);
    return false;
}

void MawsMeetings::arrive(SplitWarp& w, UnitId u) {
    const WarpSplit& s = splits_[u];
    if (stands_at_meeting_point(w, s.at) && (s.part.lanes & w.waiting) == 0)
        return meet(w, u);
    // A warp-split that waits at the meeting point meets the others at the end of its wait.
    if (!stands_at_meeting_point(w, s.at) && s.part.lanes != w.stack.running.threads && is_meeting(s.at)) {
        if (may_pass(w, s.at))
            ++stats_.bypassed;
        else
            park(w, u);
    }
    splits_.show(u);
}

// The warp-split has reached the reconvergence point of the stack's top.
void MawsMeetings::meet(SplitWarp& w, UnitId u) {
    auto& running = w.stack.running;
    if (running.threads != splits_[u].part.lanes) {
        running.threads &= ~splits_[u].part.lanes;
        ++stats_.met;
        splits_.end(u);
        return;
    }
    running.at = running.reconvergence;
    restart(w, u);
}

// Other threads run now. The last warp-split of the threads that ran before continues with them.
void MawsMeetings::restart(SplitWarp& w, UnitId u) {
    w.stack.reconverge(w.waiting);
    splits_.restart(u);
    splits_.show(u);
}

// The warp-split waits before a branch. It merges with warp-splits that wait there; the last one does not wait.
void MawsMeetings::park(SplitWarp& w, UnitId u) {
    WarpSplit& s = splits_[u];
    for (const UnitId other : w.splits)
        if (other != u && splits_[other].parked && splits_[other].at == s.at) {
            ++stats_.merges_at_branch;
            splits_.merge(other, u);
            break;
        }
    s.parked = s.part.lanes != w.stack.running.threads;
    stats_.parked += s.parked ? 1 : 0;
}

void MawsMeetings::end_of_flight(SplitWarp& w, const warp::Flight& flight, SpinWatch& watch) {
    if (w.splits.size() == 1 && splits_[w.splits.front()].parked) { // the other warp-splits have left
        splits_[w.splits.front()].parked = false;
        splits_.show(w.splits.front());
    }
    give_way(w);
    splits_.rank(w);
    if (w.stack.empty())
        return;
    const auto& top = w.stack.waiting().back();
    const LaneMask siblings = top.threads & ~w.stack.running.threads;
    if (siblings == 0 || !w.stack.spins(ir::stores(flight.op->kind)))
        return;
    const UnitId u = w.splits.front();
    const RowId row = splits_[u].part.row;
    if (watch.repeats(row, u, splits_[u].at.pc, {&row, 1}, w.stack.spun()))
        throw Livelock(u, splits_[u].at.pc, top.at.pc, {row, siblings}, w.stack.spun());
}

void MawsMeetings::release(std::span<const warp::Part> threads) {
    for (const warp::Part& part : threads)
        splits_.warp(part.row).waiting &= ~part.lanes;
    for (const warp::Part& part : threads) {
        SplitWarp& w = splits_.warp(part.row);
        merge_released(w, part.lanes);
        meet_released(w);
        give_way(w);
    }
}

// The wait of these threads is over: their warp-splits at one place merge.
void MawsMeetings::merge_released(SplitWarp& w, LaneMask released) {
    for (std::size_t i = 0; i < w.splits.size(); ++i) {
        const UnitId u = w.splits[i];
        if ((splits_[u].part.lanes & released) == 0)
            continue;
        for (std::size_t j = w.splits.size(); --j > i;) {
            const UnitId other = w.splits[j];
            if ((splits_[other].part.lanes & released) != 0 && splits_[other].at == splits_[u].at) {
                ++stats_.merges_at_barrier;
                splits_.merge(other, u);
            }
        }
        splits_[u].parked &= splits_[u].part.lanes != w.stack.running.threads;
        splits_.show(u);
    }
    if (!w.splits.empty())
        splits_.boost(w);
}

// The wait of warp-splits at the reconvergence point is over.
void MawsMeetings::meet_released(SplitWarp& w) {
    for (std::size_t i = 0; i < w.splits.size();)
        if (const UnitId u = w.splits[i];
            stands_at_meeting_point(w, splits_[u].at) && (splits_[u].part.lanes & w.waiting) == 0) {
            meet(w, u);
            i = 0;
        } else {
            ++i;
        }
}

// Threads may wait for others that the stack keeps back. All running threads must be at one place or, where a row has
// several PTX warps, wait for each other: a warp-split of one of these before a branch for one of another, which waits
// for the rest of its PTX warp. Then their places are sides of the stack until they meet.
void MawsMeetings::give_way(SplitWarp& w) {
    if (w.stack.empty() || (w.waiting & w.stack.running.threads) == 0)
        return;
    Sides places;
    for (const UnitId u : w.splits) {
        const WarpSplit& s = splits_[u];
        if ((s.part.lanes & w.waiting) == 0 && (one_ptx_warp_ || !s.parked))
            return;
        places.add(s.at, s.part.lanes);
    }
    if (places.count > 1 && one_ptx_warp_)
        return;
    const UnitId u = w.splits.front();
    w.stack.running.at = splits_[u].at;
    while (w.splits.size() > 1) {
        ++stats_.merges_at_barrier;
        splits_.merge(w.splits.back(), u);
    }
    splits_[u].parked = false;
    if (places.count > 1)
        w.stack.diverge(places.all(), kNoPoint);
    const bool other_side = (w.waiting & w.stack.running.threads) != 0 && right_of_way_.give_way(w.stack, w.waiting);
    if (other_side || places.count > 1)
        restart(w, u);
    else
        splits_.describe(u);
}

} // namespace heddle::formation
