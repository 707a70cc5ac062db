// The blocks of an SM over time, and samples of what was resident and how far it had come.
//
// Samples cover the whole run however long it is: when there are too many, every other one is dropped and they are
// taken half as often from then on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace heddle::probe {

struct BlockSpan {
    Cycle start = 0, end = 0;    // resident in cycles from `start` up to `end` - 1
    std::uint64_t global_id = 0; // linear index in the grid
    std::uint32_t launch = 0;
    std::uint16_t slot = 0;
    bool ended = true; // else the run was stopped before
};

// Instructions x threads of warps (PRO III): home rows, whatever units their threads were in.
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
    std::uint32_t requests = 0;            // that memory has not answered
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
    // Keeps `limit` blocks, and samples that hold as many rows: each takes one, and one a block.
    Residency(std::size_t limit, Cycle interval, unsigned rows, unsigned slots)
        : limit_(limit), interval_(interval), due_(interval + 1), rows_(rows), slots_(slots) {}

    void begin_launch(std::uint32_t launch) {
        launch_ = launch;
    }
    // A block of `threads` threads comes to the home rows from `first_row` on, `width` threads a row.
    void started(unsigned slot, std::uint64_t global_id, RowId first_row, unsigned threads, unsigned width, Cycle now);
    // Threads of a row are gone.
    void exited(RowId row, unsigned threads) {
        rows_[row].threads -= threads;
    }
    // With the last of them, in cycle `now`, a block.
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
    // Cycles up to `clock` - 1 have been simulated; since the last sample that was due nothing has happened but in the
    // cycle before due(). `block_order`: global ids, the block whose units go first at the front; empty where blocks
    // have none. `requests`: open ones.
    void sample(Cycle clock, std::span<const std::uint64_t> block_order, unsigned requests) {
        while (due_ <= clock)
            take(due_ - 1, block_order, requests);
    }
    // The launch ends before cycle `now`: a last sample of it, and no block stays.
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
    [[nodiscard]] Cycle interval() const { // as it is in the end
        return interval_;
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
    Cycle due_;
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
