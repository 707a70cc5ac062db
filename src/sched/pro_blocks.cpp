#include "sched/pro_blocks.h"

#include <algorithm>

namespace heddle::sched {

std::span<const stats::Statistic<ProStats>> ProStats::statistics() {
    using S = ProStats;
    static const stats::Statistic<S> table[] = {
        {"sorts", &S::sorts, "sorts", "sorts of the resident blocks by progress, one every pro.threshold cycles"},
        {"new_orders", &S::new_orders, "sorts", "sorts that changed the order of the blocks (PRO Table IV)"},
        {"barrier_waits", &S::barrier_waits, "times",
         "entries of blocks into barrierWait, or in the slow phase into barrierWait1"},
        {"finish_waits", &S::finish_waits, "times", "entries of blocks into finishWait"},
        {"slow_phases", &S::slow_phases, "phases",
         "starts of the slow phase, when the last block has been assigned; counted on each SM"},
    };
    return table;
}

// Blocks a and b are in one state.
bool ProBlocks::precedes(std::uint16_t a, std::uint16_t b, const warp::View& view) const {
    const warp::BlockView &x = view.blocks[a], &y = view.blocks[b];
    const State state = blocks_[a].state;
    if (state == State::FinishWait && x.finished_warps != y.finished_warps) // III.C.2
        return x.finished_warps > y.finished_warps;
    const bool at_barrier =
        state == State::BarrierWait || state == State::BarrierWait1; // III.C.3; III.D: "the same way"
    if (at_barrier && x.waiting_warps != y.waiting_warps)
        return x.waiting_warps > y.waiting_warps;
    if (x.progress != y.progress) // III.C.1; III.D for finishNoWait
        return state == State::FinishNoWait ? x.progress < y.progress : x.progress > y.progress;
    return blocks_[a].global_id < blocks_[b].global_id;
}

void ProBlocks::place(std::uint16_t slot, State state, const warp::View& view) {
    if (state == blocks_[slot].state)
        return;
    stats.finish_waits += state == State::FinishWait ? 1 : 0;
    stats.barrier_waits += state == State::BarrierWait || state == State::BarrierWait1 ? 1 : 0;
    if (blocks_[slot].state != State::Absent)
        order_.erase(std::find(order_.begin(), order_.end(), slot));
    blocks_[slot].state = state;
    if (state == State::Absent)
        return;
    order_.insert(std::find_if(order_.begin(), order_.end(),
                               [&](std::uint16_t other) {
                                   const State its = blocks_[other].state;
                                   return its != state ? its > state : precedes(slot, other, view);
                               }),
                  slot);
}

// Insertion sort of the blocks of a state, which are adjacent in the order.
void ProBlocks::sort(State state, const warp::View& view) {
    for (std::size_t i = 1; i < order_.size(); ++i)
        for (std::size_t j = i; j != 0 && blocks_[order_[j]].state == state && blocks_[order_[j - 1]].state == state &&
                                precedes(order_[j], order_[j - 1], view);
             --j)
            std::swap(order_[j], order_[j - 1]);
}

void ProBlocks::start(std::uint16_t slot, const warp::View& view) {
    blocks_[slot] = {.global_id = view.blocks[slot].global_id};
    place(slot, state_without_barrier(blocks_[slot]), view);
}

void ProBlocks::finish(std::uint16_t slot, const warp::View& view) {
    place(slot, State::Absent, view);
    sort(State::FinishWait, view);
}

bool ProBlocks::update(std::uint16_t slot, BlockEvent event, const warp::View& view) {
    Block& block = blocks_[slot];
    const warp::BlockView& now = view.blocks[slot];
    const std::uint32_t waited = block.waiting;
    const std::uint32_t had_finished = block.finished;
    block.waiting = now.waiting_warps;
    block.finished = now.finished_warps;
    bool sort_warps = false;
    if (handling_.finish && block.finished != had_finished) { // insertFinishWarp
        sort_warps = had_finished == 0;
        if (had_finished == 0 && fast_)
            place(slot, State::FinishWait, view);
        sort(State::FinishWait, view);
    }
    if (!handling_.barrier)
        return sort_warps;
    if (waited == 0 && block.waiting != 0) { // insertBarrierWarp
        sort_warps = true;
        place(slot, barrier_state(), view);
    }
    if (waited != 0 && block.waiting == 0)
        place(slot, state_without_barrier(block), view);
    if (event == BlockEvent::AtBarrier)
        sort(barrier_state(), view);
    return sort_warps;
}

// Blocks that wait at a barrier in the slow phase keep their order and go first; the other blocks are merged (III.D).
void ProBlocks::set_phase(bool fast, const warp::View& view) {
    fast_ = fast;
    stats.slow_phases += fast ? 0 : 1;
    for (const std::uint16_t slot : order_) {
        Block& block = blocks_[slot];
        const bool at_barrier = block.state == State::BarrierWait || block.state == State::BarrierWait1;
        block.state = at_barrier ? barrier_state() : state_without_barrier(block);
    }
    for (std::size_t i = 1; i < order_.size(); ++i)
        for (std::size_t j = i; j != 0 && blocks_[order_[j]].state < blocks_[order_[j - 1]].state; --j)
            std::swap(order_[j], order_[j - 1]);
    for (const State state : {State::FinishWait, State::NoWait, State::FinishNoWait})
        sort(state, view);
}

void ProBlocks::sort(const warp::View& view) {
    if (order_.empty())
        return;
    old_order_ = order_;
    sort(fast_ ? State::NoWait : State::FinishNoWait, view);
    ++stats.sorts;
    stats.new_orders += order_ != old_order_ ? 1 : 0;
}

} // namespace heddle::sched

HEDDLE_STATISTICS(heddle::sched::ProStats, "pro", "order of thread blocks under pro")
