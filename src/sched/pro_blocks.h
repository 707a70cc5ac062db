// The thread blocks of an SM under PRO: their states (PRO III.B, Figure 3) and the order of their warps.
//
// Rules where the paper is silent:
//
// - A block that comes into a state takes its place there by the state's rule, before the first block that it precedes;
//   the other blocks keep their places until their state is sorted (assumed).
// - A block with warps that wait and warps that have finished is in the state that came last (Algorithm 1, lines 7 and
//   21, do not test the state): the first warp to finish moves a block from barrierWait to finishWait, the first one at
//   a barrier moves it from finishWait to barrierWait. A barrier waits only for unfinished warps. When these continue,
//   the block is in finishWait again, or in finishNoWait in the slow phase.
// - Ties that no rule decides go to the lower index in the grid (said for noWait in III.C.1, else assumed).
#pragma once

#include <span>
#include <vector>

#include "sched/scheduler.h"
#include "stats/statistic.h"

namespace heddle::sched {

struct ProStats {
    std::uint64_t sorts = 0, new_orders = 0, barrier_waits = 0, finish_waits = 0, slow_phases = 0;
    static std::span<const stats::Statistic<ProStats>> statistics();
};

class ProBlocks {
public:
    // In the order of the blocks' warps. The states of the slow phase are separate.
    enum class State : std::uint8_t { FinishWait, BarrierWait, NoWait, BarrierWait1, FinishNoWait, Absent };

    struct Handling { // which states are used
        bool barrier = true;
        bool finish = true;
    };

    ProBlocks(unsigned slots, Handling handling) : handling_(handling), blocks_(slots) {
        order_.reserve(slots);
        old_order_.reserve(slots);
    }

    void start(std::uint16_t slot, const warp::View& view);
    void finish(std::uint16_t slot, const warp::View& view);
    // Warps have come to a barrier, have left it or have finished. True when the block's warps are to be sorted by
    // rising progress.
    [[nodiscard]] bool update(std::uint16_t slot, BlockEvent event, const warp::View& view);
    // fastTBPhase while blocks wait to be assigned, slowTBPhase from the last one's assignment on (PRO III).
    void set_phase(bool fast, const warp::View& view);
    [[nodiscard]] bool is_fast() const {
        return fast_;
    }
    // sortTBs, every THRESHOLD: sorts the blocks in noWait, in the slow phase those in finishNoWait.
    void sort(const warp::View& view);

    [[nodiscard]] std::span<const std::uint16_t> order() const { // slots; the first block's warps go first
        return order_;
    }
    [[nodiscard]] State state(std::uint16_t slot) const {
        return blocks_[slot].state;
    }
    [[nodiscard]] std::uint64_t global_id(std::uint16_t slot) const {
        return blocks_[slot].global_id;
    }

    ProStats stats;

private:
    struct Block {
        State state = State::Absent;
        std::uint64_t global_id = 0;
        std::uint32_t waiting = 0, finished = 0; // warps, at the last event
    };

    [[nodiscard]] State barrier_state() const {
        return fast_ ? State::BarrierWait : State::BarrierWait1;
    }
    // The state of a block that waits at no barrier.
    [[nodiscard]] State state_without_barrier(const Block& block) const {
        if (!fast_)
            return State::FinishNoWait;
        return handling_.finish && block.finished != 0 ? State::FinishWait : State::NoWait;
    }
    [[nodiscard]] bool precedes(std::uint16_t a, std::uint16_t b, const warp::View& view) const;
    void place(std::uint16_t slot, State state, const warp::View& view);
    void sort(State state, const warp::View& view);

    const Handling handling_;
    bool fast_ = false; // until a kernel's first block comes
    std::vector<Block> blocks_;
    std::vector<std::uint16_t> order_;
    std::vector<std::uint16_t> old_order_;
};

} // namespace heddle::sched
