#include "sm/frame/sync_unit.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "exec/observer.h"

namespace heddle::sm {
namespace {

std::string awaited_at_rendezvous(const warp::Waiting& w, const exec::Executor& executor) {
    if (executor.warps_that_meet(w.pc) != 1)
        return "the other threads of their warpgroup";
    const std::set<std::uint32_t> masks = executor.member_masks({&w, 1});
    if (masks.empty())
        return "the other threads of their warp";
    return fmt::format("the rest of member mask 0x{:08x}", fmt::join(masks, ", 0x"));
}

} // namespace

SyncUnit::SyncUnit(unsigned block_slots, unsigned rows, unsigned width)
    : width_(width), blocks_(block_slots), waiting_of_row_(rows), clusters_(block_slots, rows) {}

void SyncUnit::begin_block(unsigned slot, std::span<const warp::Part> threads) {
    blocks_[slot].first_row = threads.front().row;
    for (const Wait& w : clusters_.waiting(slot)) // left from a launch that was stopped
        waiting_of_row_[w.part.row] = 0;
    clusters_.begin_block(slot, threads);
    for (Barrier& b : blocks_[slot].barrier) {
        b.arrived = 0;
        b.expected = 0;
        b.reduces = false;
        for (const Wait& w : b.waiting) // left from a launch that was stopped
            waiting_of_row_[w.part.row] = 0;
        b.waiting.clear();
    }
    blocks_[slot].rendezvous.clear();
}

void SyncUnit::start_releasing() {
    parts_.clear();
    sets_.clear();
    released_.clear();
}

void SyncUnit::release(unsigned slot, std::span<const Wait> waiting) {
    for (const Wait& w : waiting)
        parts_.push_back(w.part);
    sets_.push_back({static_cast<std::uint16_t>(slot), true, parts_.size()});
}

std::span<const SyncUnit::Released> SyncUnit::released() {
    std::size_t begin = 0;
    for (const Set& set : sets_) {
        released_.push_back({set.block, set.from_barrier, std::span(parts_).subspan(begin, set.end - begin)});
        begin = set.end;
    }
    return released_;
}

std::span<const SyncUnit::Released> SyncUnit::arrive(const warp::Flight& flight, exec::Executor& executor,
                                                     BlockTable& blocks) {
    start_releasing();
    const ir::Sub how = flight.op->sub;
    if (how == ir::Sub::BarClusterArrive || how == ir::Sub::BarClusterWait)
        arrive_at_cluster(flight, executor, blocks);
    else if (flight.outcome.kind == warp::Outcome::Kind::Barrier)
        arrive_barrier(flight, executor, blocks);
    else
        arrive_rendezvous(flight, executor);
    return released();
}

std::span<const SyncUnit::Released> SyncUnit::exited(unsigned slot, exec::Executor& executor, BlockTable& blocks) {
    start_releasing();
    if (waiting_of(slot) == 0)
        return {};
    for (Barrier& b : blocks_[slot].barrier)
        if (b.expected == 0)
            release_if_complete(slot, b, executor, blocks);
    tried_ = blocks_[slot].rendezvous;
    for (const Wait& w : tried_)
        try_rendezvous(slot, w.pc, ptx_warp_of(blocks_[slot], w.part), executor);
    return released();
}

void SyncUnit::arrive_barrier(const warp::Flight& flight, exec::Executor& executor, BlockTable& blocks) {
    const exec::Executor::BarrierUse use = executor.barrier_use(flight.group);
    for (unsigned p = 0; p < flight.group.parts; ++p) {
        const warp::Part& part = flight.group.part[p];
        const LaneMask arriving = executor.guard(flight.group.pc, part.row, part.lanes);
        if (arriving == 0)
            continue;
        const unsigned slot = executor.block_slot(part.row);
        Barrier& barrier = blocks_[slot].barrier[use.number];
        if (exec::Observer* const observer = executor.observer(); observer != nullptr) [[unlikely]]
            observer->arrives(flight.group.pc, part.row, arriving, flight.outcome.taken[p], use.number, use.threads);
        barrier.expected = use.threads;
        barrier.arrived += count_lanes(arriving);
        barrier.reduces |= use.reduces;
        if (const LaneMask waits = flight.outcome.taken[p]; waits != 0) {
            barrier.waiting.push_back({flight.group.pc, {part.row, waits}});
            at_barriers_ += count_lanes(waits);
            count_waiting(blocks.views()[slot], part.row, static_cast<int>(count_lanes(waits)));
        }
        release_if_complete(slot, barrier, executor, blocks);
    }
}

void SyncUnit::arrive_at_cluster(const warp::Flight& flight, exec::Executor& executor, BlockTable& blocks) {
    for (unsigned p = 0; p < flight.group.parts; ++p) {
        const warp::Part& part = flight.group.part[p];
        const LaneMask lanes = executor.guard(flight.group.pc, part.row, part.lanes);
        if (lanes == 0)
            continue;
        const unsigned slot = executor.block_slot(part.row);
        exec::Cluster& cluster = *executor.cluster(slot);
        if (executor.observer() != nullptr) [[unlikely]]
            observe_cluster(flight, part.row, lanes, *executor.observer());
        if (flight.op->sub == ir::Sub::BarClusterArrive) {
            clusters_.arrive(cluster, part.row, lanes);
            if (cluster.is_complete())
                release_cluster(cluster, executor, blocks);
            continue;
        }
        const LaneMask waits = clusters_.wait(cluster, slot, flight.group.pc, part.row, lanes);
        if (waits != 0) {
            at_barriers_ += count_lanes(waits);
            at_cluster_barriers_ += count_lanes(waits);
            count_waiting(blocks.views()[slot], part.row, static_cast<int>(count_lanes(waits)));
        }
        if (waits != lanes) { // their phase is complete
            parts_.push_back({part.row, lanes & ~waits});
            sets_.push_back({static_cast<std::uint16_t>(slot), true, parts_.size()});
        }
    }
}

void SyncUnit::observe_cluster(const warp::Flight& flight, RowId row, LaneMask lanes, exec::Observer& observer) {
    if (flight.op->sub == ir::Sub::BarClusterArrive)
        observer.arrives_at_cluster(row, lanes);
    else
        observer.waits_for_cluster(flight.group.pc, row, lanes);
}

// All live threads of the cluster have arrived.
void SyncUnit::release_cluster(exec::Cluster& cluster, exec::Executor& executor, BlockTable& blocks) {
    cluster.begin_phase();
    if (exec::Observer* const observer = executor.observer(); observer != nullptr) [[unlikely]]
        observer->completes_cluster(cluster.id);
    for (unsigned slot = 0; slot < blocks_.size(); ++slot)
        if (blocks.views()[slot].resident && executor.cluster(slot) == &cluster)
            release_block_of_cluster(slot, blocks);
    executor.clusters()->met(cluster, executor.sm());
    ++releases_;
}

void SyncUnit::release_block_of_cluster(unsigned slot, BlockTable& blocks) {
    const std::vector<Wait> waiting = clusters_.complete(slot);
    for (const Wait& w : waiting) {
        at_barriers_ -= count_lanes(w.part.lanes);
        at_cluster_barriers_ -= count_lanes(w.part.lanes);
        count_waiting(blocks.views()[slot], w.part.row, -static_cast<int>(count_lanes(w.part.lanes)));
    }
    if (!waiting.empty())
        release(slot, waiting);
}

std::span<const SyncUnit::Released> SyncUnit::cluster_met(unsigned slot, BlockTable& blocks) {
    start_releasing();
    release_block_of_cluster(slot, blocks);
    return released();
}

std::span<const SyncUnit::Released> SyncUnit::exits_cluster(unsigned slot, warp::Part threads, exec::Executor& executor,
                                                            BlockTable& blocks) {
    start_releasing();
    exec::Cluster& cluster = *executor.cluster(slot);
    const unsigned count = count_lanes(threads.lanes);
    clusters_.exit(cluster, threads.row, threads.lanes);
    if (blocks.views()[slot].live_threads == count)
        for (exec::Cluster::Block& block : cluster.block)
            if (block.sm == executor.sm() && block.slot == slot)
                block.shared = nullptr;
    const bool last = cluster.live == count;
    executor.clusters()->exited(cluster, count);
    if (!last && cluster.is_complete())
        release_cluster(cluster, executor, blocks);
    return released();
}

// `threads` threads of a row come to a barrier, or leave one (negative).
void SyncUnit::count_waiting(warp::BlockView& view, RowId row, int threads) {
    const bool waited = waiting_of_row_[row] != 0;
    waiting_of_row_[row] = static_cast<std::uint8_t>(waiting_of_row_[row] + threads);
    const bool waits = waiting_of_row_[row] != 0;
    view.waiting_threads += static_cast<std::uint32_t>(threads);
    view.waiting_warps += static_cast<std::uint32_t>(waits) - static_cast<std::uint32_t>(waited);
}

void SyncUnit::release_if_complete(unsigned slot, Barrier& barrier, exec::Executor& executor, BlockTable& blocks) {
    warp::BlockView& view = blocks.views()[slot];
    const unsigned expected = barrier.expected != 0 ? barrier.expected : view.live_threads;
    if (barrier.arrived == 0 || barrier.arrived < expected)
        return;
    for (const Wait& w : barrier.waiting) {
        at_barriers_ -= count_lanes(w.part.lanes);
        count_waiting(view, w.part.row, -static_cast<int>(count_lanes(w.part.lanes)));
    }
    if (exec::Observer* const observer = executor.observer(); observer != nullptr) [[unlikely]]
        observer->completes(blocks_[slot].first_row, static_cast<unsigned>(&barrier - blocks_[slot].barrier.data()));
    if (barrier.reduces)
        executor.execute_barrier_reduction(barrier.waiting);
    release(slot, barrier.waiting);
    barrier.arrived = 0;
    barrier.reduces = false;
    barrier.waiting.clear();
    ++releases_;
}

unsigned SyncUnit::ptx_warp_of(const Block& block, const warp::Part& part) const {
    const unsigned row = static_cast<unsigned>(part.row - block.first_row);
    return (row * width_ + static_cast<unsigned>(std::countr_zero(part.lanes))) / kPtxWarp;
}

void SyncUnit::arrive_rendezvous(const warp::Flight& flight, exec::Executor& executor) {
    for (unsigned p = 0; p < flight.group.parts; ++p) {
        const RowId row = flight.group.part[p].row;
        const unsigned slot = executor.block_slot(row);
        Block& block = blocks_[slot];
        // A row wider than a PTX warp holds several PTX warps.
        for (LaneMask left = flight.outcome.taken[p]; left != 0;) {
            const unsigned first = static_cast<unsigned>(std::countr_zero(left)) / kPtxWarp * kPtxWarp;
            const LaneMask lanes = left & (first_lanes(kPtxWarp) << first);
            left &= ~lanes;
            const Wait wait{flight.group.pc, {row, lanes}};
            block.rendezvous.push_back(wait);
            at_rendezvous_ += count_lanes(lanes);
            try_rendezvous(slot, wait.pc, ptx_warp_of(block, wait.part), executor);
        }
    }
}

void SyncUnit::try_rendezvous(unsigned slot, Pc pc, unsigned ptx_warp, exec::Executor& executor) {
    Block& block = blocks_[slot];
    const unsigned together = executor.warps_that_meet(pc);
    meeting_.clear();
    parked_.clear();
    for (const Wait& w : block.rendezvous)
        if (w.pc == pc && ptx_warp_of(block, w.part) / together == ptx_warp / together) {
            meeting_.push_back(w);
            parked_.push_back(w.part);
        }
    if (parked_.empty())
        return;
    if (!executor.rendezvous_complete(pc, parked_))
        return try_members(slot, pc, ptx_warp, executor);
    executor.execute_rendezvous(pc, parked_);
    leave_rendezvous(slot, meeting_);
}

// The threads of each mask, of those at the instruction and at others at which they can meet.
void SyncUnit::try_members(unsigned slot, Pc pc, unsigned ptx_warp, exec::Executor& executor) {
    const Block& block = blocks_[slot];
    for (;;) {
        meeting_.clear();
        for (const Wait& w : block.rendezvous)
            if (ptx_warp_of(block, w.part) == ptx_warp && executor.can_meet(pc, w.pc))
                meeting_.push_back(w);
        if (meeting_.empty() || !executor.meet_by_mask(meeting_))
            return;
        leave_rendezvous(slot, meeting_);
    }
}

void SyncUnit::leave_rendezvous(unsigned slot, std::span<const Wait> threads) {
    auto& waiting = blocks_[slot].rendezvous;
    for (const Wait& t : threads) {
        at_rendezvous_ -= count_lanes(t.part.lanes);
        parts_.push_back(t.part);
        for (Wait& w : waiting)
            if (w.pc == t.pc && w.part.row == t.part.row)
                w.part.lanes &= ~t.part.lanes;
    }
    std::erase_if(waiting, [](const Wait& w) { return w.part.lanes == 0; });
    sets_.push_back({static_cast<std::uint16_t>(slot), false, parts_.size()});
}

std::uint64_t SyncUnit::waiting_of(unsigned slot) const {
    std::uint64_t n = blocks_[slot].rendezvous.size();
    for (const Barrier& b : blocks_[slot].barrier)
        n += b.arrived;
    return n;
}

Pc SyncUnit::first_at_barrier() const {
    for (unsigned slot = 0; slot < blocks_.size(); ++slot) {
        for (const Barrier& barrier : blocks_[slot].barrier)
            if (!barrier.waiting.empty())
                return barrier.waiting.front().pc;
        if (!clusters_.waiting(slot).empty())
            return clusters_.waiting(slot).front().pc;
    }
    return kNoPc;
}

Pc SyncUnit::first_at_rendezvous() const {
    for (const Block& block : blocks_)
        if (!block.rendezvous.empty())
            return block.rendezvous.front().pc;
    return kNoPc;
}

std::string SyncUnit::dump(const exec::Executor& executor, const ir::Program& program, const BlockTable& blocks) const {
    std::string out;
    const auto line = [&](const Wait& w, std::string_view what) {
        out += fmt::format("  {} threads from {} on wait at {} for {}\n", count_lanes(w.part.lanes),
                           executor.describe_thread(w.part.row, static_cast<unsigned>(std::countr_zero(w.part.lanes))),
                           program.describe(w.pc), what);
    };
    for (unsigned slot = 0; slot < blocks_.size(); ++slot) {
        const warp::BlockView& view = blocks.views()[slot];
        if (!view.resident)
            continue;
        for (unsigned n = 0; n < kBarriers; ++n) {
            const Barrier& b = blocks_[slot].barrier[n];
            const unsigned expected = b.expected != 0 ? b.expected : view.live_threads;
            for (const Wait& w : b.waiting)
                line(w, fmt::format("barrier {}, at which {} of {} threads have arrived", n, b.arrived, expected));
        }
        for (const Wait& w : clusters_.waiting(slot)) {
            const exec::Cluster& cluster = *executor.cluster(slot);
            line(w, fmt::format("the barrier of their cluster, at which {} of {} threads have arrived", cluster.arrived,
                                cluster.live));
        }
        for (const Wait& w : blocks_[slot].rendezvous)
            line(w, awaited_at_rendezvous(w, executor));
    }
    return out;
}

} // namespace heddle::sm
