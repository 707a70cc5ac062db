// The blocks that are resident on an SM, and their home rows.
#pragma once

#include <span>
#include <vector>

#include "base/types.h"
#include "warp/group.h"
#include "warp/view.h"

namespace heddle::sm {

class BlockTable {
public:
    static constexpr unsigned kNoSlot = ~0U;

    BlockTable(unsigned slots, unsigned rows, unsigned width);

    // Starts a launch. At most `limit` blocks are resident (by resources other than threads). `swizzled`: see
    // lanes_of_row().
    void begin(unsigned threads_per_block, unsigned limit, bool swizzled = false);
    [[nodiscard]] bool can_accept() const;
    [[nodiscard]] unsigned room() const; // blocks that can start now
    // Takes a slot and rows, which can_accept() has found. The rows' parts are threads_of(slot).
    unsigned start(std::uint64_t global_id);
    // Threads of a row of a block have ended. True when they were the last of the block: its slot and rows are then
    // free.
    bool exited(unsigned slot, RowId row, unsigned threads);

    [[nodiscard]] std::span<const warp::Part> threads_of(unsigned slot) const {
        return parts_[slot];
    }
    [[nodiscard]] RowId first_row(unsigned slot) const {
        return parts_[slot].front().row;
    }
    [[nodiscard]] unsigned resident() const {
        return resident_;
    }
    [[nodiscard]] unsigned live_warps() const { // rows of resident blocks with threads that have not ended
        return live_warps_;
    }
    [[nodiscard]] std::span<warp::BlockView> views() {
        return views_;
    }
    [[nodiscard]] std::span<const warp::BlockView> views() const {
        return views_;
    }

private:
    [[nodiscard]] unsigned find_rows() const; // first of enough adjacent free rows; kNoSlot: there are none

    unsigned width_;
    unsigned threads_ = 0;
    unsigned rows_per_block_ = 0;
    unsigned limit_ = 0;
    bool swizzled_ = false;
    unsigned resident_ = 0;
    unsigned live_warps_ = 0;
    std::vector<bool> row_taken_;
    std::vector<std::uint8_t> live_of_row_;
    std::vector<std::vector<warp::Part>> parts_;
    std::vector<warp::BlockView> views_;
};

} // namespace heddle::sm
