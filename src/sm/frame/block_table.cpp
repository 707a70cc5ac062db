#include "sm/frame/block_table.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

BlockTable::BlockTable(unsigned slots, unsigned rows, unsigned width)
    : width_(width), row_taken_(rows), live_of_row_(rows), parts_(slots), views_(slots) {}

void BlockTable::begin(unsigned threads_per_block, unsigned limit, bool swizzled) {
    swizzled_ = swizzled;
    threads_ = threads_per_block;
    rows_per_block_ = (threads_per_block + width_ - 1) / width_;
    limit_ = std::min(limit, static_cast<unsigned>(views_.size()));
    resident_ = live_warps_ = 0;
    std::fill(row_taken_.begin(), row_taken_.end(), false);
    std::fill(views_.begin(), views_.end(), warp::BlockView{});
}

unsigned BlockTable::find_rows() const {
    unsigned run = 0;
    for (unsigned r = 0; r < row_taken_.size(); ++r) {
        run = row_taken_[r] ? 0 : run + 1;
        if (run == rows_per_block_)
            return r + 1 - run;
    }
    return kNoSlot;
}

bool BlockTable::can_accept() const {
    return resident_ < limit_ && find_rows() != kNoSlot;
}

unsigned BlockTable::room() const {
    unsigned blocks = 0;
    unsigned run = 0;
    for (const bool taken : row_taken_) {
        run = taken ? 0 : run + 1;
        if (run == rows_per_block_) {
            ++blocks;
            run = 0;
        }
    }
    return std::min(blocks, limit_ - resident_);
}

unsigned BlockTable::start(std::uint64_t global_id) {
    const unsigned first = find_rows();
    const auto free = std::find_if(views_.begin(), views_.end(), [](const warp::BlockView& v) { return !v.resident; });
    assert(first != kNoSlot && free != views_.end());
    const auto slot = static_cast<unsigned>(free - views_.begin());
    *free = {.resident = true, .global_id = global_id, .live_threads = threads_, .warps = rows_per_block_};
    parts_[slot].clear();
    for (unsigned t = 0; t < threads_; t += width_) {
        const unsigned row = first + t / width_;
        row_taken_[row] = true;
        live_of_row_[row] = static_cast<std::uint8_t>(std::min(width_, threads_ - t));
        parts_[slot].push_back({static_cast<RowId>(row),
                                lanes_of_row(std::min(width_, threads_ - t), swizzled_ && is_swizzled(row, width_))});
    }
    ++resident_;
    live_warps_ += rows_per_block_;
    return slot;
}

bool BlockTable::exited(unsigned slot, RowId row, unsigned threads) {
    warp::BlockView& view = views_[slot];
    view.live_threads -= threads;
    view.finished_threads += threads;
    live_of_row_[row] = static_cast<std::uint8_t>(live_of_row_[row] - threads);
    const unsigned finished = live_of_row_[row] == 0 ? 1 : 0;
    view.finished_warps += finished;
    live_warps_ -= finished;
    if (view.live_threads != 0)
        return false;
    view.resident = false;
    for (const warp::Part& part : parts_[slot])
        row_taken_[part.row] = false;
    --resident_;
    return true;
}

} // namespace heddle::sm
