// The blocks of an SM over time, and samples of the resident threads and their progress.
//
// Samples cover the whole run. When there are too many, every second sample is dropped, and the interval between
// samples doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "probe/cycle_range.h"

namespace heddle::probe {

struct BlockSpan {
    Cycle start = 0, end = 0;    // resident in cycles from `start` up to `end` - 1
    std::uint64_t global_id = 0; // linear index in the grid
    std::uint32_t launch = 0;
    std::uint16_t slot = 0;
    bool ended = true; // else the run was stopped before
};

// Instructions x threads of warps (PRO III). A warp is a home row, with threads in any units.
struct Progress {
    std::uint64_t least = 0, most = 0, sum = 0; // of warps with live threads; 0 where there are none

    [[nodiscard]] double mean(std::uint32_t warps) const {
        return warps == 0 ? 0 : static_cast<double>(sum) / warps;
    }
};

// The state at the end of cycle `at`.
struct Sample {
    Cycle at = 0;
    std::uint64_t thread_instructions = 0; // since recording began
    std::uint32_t threads = 0, warps = 0;  // alive
    std::uint32_t requests = 0;            // requests that memory has not answered
    std::uint32_t first_block = 0, blocks = 0;
    Progress progress = {};
};

// A resident block of a sample.
struct SampledBlock {
    static constexpr std::uint32_t kUnranked = ~std::uint32_t{0};
    std::uint64_t global_id = 0;
    std::uint64_t progress = 0;     // of all its warps
    std::uint32_t rank = kUnranked; // 0: its units go first (PRO Table IV)
    Progress warps = {};
};

class Residency {
public:
    // Keeps `limit` blocks, and samples with `limit` rows in all: a sample takes one row and one row for each block.
    // Those of other cycles than `range` are not kept.
    Residency(std::size_t limit, Cycle interval, unsigned rows, unsigned slots, CycleRange range = {})
        : limit_(limit), interval_(interval), range_(range), due_(interval + 1), rows_(rows), slots_(slots) {}

    void begin_launch(std::uint32_t launch) {
        launch_ = launch;
    }
    // A block of `threads` threads comes to the home rows from `first_row` on, `width` threads a row.
    void started(unsigned slot, std::uint64_t global_id, RowId first_row, unsigned threads, unsigned width, Cycle now);
    // Threads of a row have exited.
    void exited(RowId row, unsigned threads) {
        rows_[row].threads -= threads;
    }
    // The last thread of a block has exited in cycle `now`.
    void ended(unsigned slot, Cycle now) {
        end(slot, now + 1, true);
    }
    // Threads of a row have executed an instruction.
    void progressed(RowId row, unsigned threads) {
        rows_[row].progress += threads;
    }
    void executed(unsigned thread_instructions) {
        thread_instructions_ += thread_instructions;
    }
    [[nodiscard]] std::uint64_t block_in(unsigned slot) const {
        return slots_[slot].span.global_id;
    }

    // The next sample can be taken when the cycle before this one has been simulated.
    [[nodiscard]] Cycle due() const {
        return due_;
    }
    // Cycles up to `clock` - 1 have been simulated. Since the last due sample only the cycle before due() had events.
    // `block_order`: global ids, the block whose units go first at the front; empty where blocks have no order.
    // `requests`: open requests.
    void sample(Cycle clock, std::span<const std::uint64_t> block_order, unsigned requests) {
        while (due_ <= clock)
            take(due_ - 1, block_order, requests);
    }
    // The launch ends before cycle `now`: takes its last sample; no block stays resident.
    void end_launch(Cycle now, std::span<const std::uint64_t> block_order, unsigned requests);

    [[nodiscard]] std::span<const BlockSpan> blocks() const { // in the order in which they ended
        return blocks_;
    }
    [[nodiscard]] std::uint64_t dropped_blocks() const {
        return dropped_;
    }
    [[nodiscard]] std::span<const Sample> samples() const {
        return samples_;
    }
    [[nodiscard]] std::span<const SampledBlock> blocks_of(const Sample& sample) const { // by slot
        return std::span(sampled_).subspan(sample.first_block, sample.blocks);
    }
    [[nodiscard]] Cycle interval() const { // at the end of the run
        return interval_;
    }
    // From where the first sample counts: up to cycle `at` - 1, `thread_instructions` had been executed.
    struct Start {
        Cycle at = 0;
        std::uint64_t thread_instructions = 0;
    };
    [[nodiscard]] Start start() const {
        return start_;
    }

private:
    struct Row {
        std::uint64_t progress = 0;
        std::uint32_t threads = 0; // alive
    };
    struct Slot {
        bool resident = false;
        BlockSpan span;
        RowId first_row = 0;
        std::uint16_t rows = 0;
    };

    void end(unsigned slot, Cycle end, bool ended);
    void take(Cycle at, std::span<const std::uint64_t> block_order, unsigned requests);
    SampledBlock sample_block(const Slot& slot, Sample& sample) const;
    void thin_out();

    std::size_t limit_;
    Cycle interval_;
    CycleRange range_;
    Cycle due_;
    Start start_;
    std::uint32_t launch_ = 0;
    std::uint64_t thread_instructions_ = 0;
    std::vector<Row> rows_;
    std::vector<Slot> slots_;
    std::vector<BlockSpan> blocks_;
    std::uint64_t dropped_ = 0;
    std::vector<Sample> samples_;
    std::vector<SampledBlock> sampled_;
};

} // namespace heddle::probe
