// The thread-block scheduler: gives the blocks of a grid to the SMs in turn, in order of their linear index (x
// fastest).
#pragma once

#include <memory>
#include <span>

#include "sm/frame/core.h"

namespace heddle::gpu {

class BlockQueue {
public:
    explicit BlockQueue(Dim3 grid) : grid_(grid) {}

    [[nodiscard]] bool empty() const {
        return next_ == grid_.count();
    }
    // Gives one block at a time to each SM that has room, until no SM has. True when a block has started. To be called
    // once before anything runs; then whenever blocks may have ended.
    bool fill(std::span<const std::unique_ptr<sm::Core>> cores, Cycle now) {
        if (told_ && empty())
            return false;
        const std::uint64_t before = next_;
        if (!told_) // cores learn first of a block, then that no more blocks are left
            tell(cores);
        told_ = true;
        for (std::size_t refused = 0; !empty() && refused < cores.size();) {
            sm::Core& core = *cores[turn_];
            turn_ = turn_ + 1 == cores.size() ? 0 : turn_ + 1;
            if (!core.can_accept()) {
                ++refused;
                continue;
            }
            refused = 0;
            const auto x = static_cast<std::uint32_t>(next_ % grid_.x);
            const auto y = static_cast<std::uint32_t>(next_ / grid_.x % grid_.y);
            const auto z = static_cast<std::uint32_t>(next_ / grid_.x / grid_.y);
            core.start_block({x, y, z}, next_++, now);
        }
        if (empty())
            tell(cores);
        return next_ != before;
    }

private:
    void tell(std::span<const std::unique_ptr<sm::Core>> cores) const {
        for (const auto& core : cores)
            core->set_blocks_left(!empty());
    }

    Dim3 grid_;
    std::uint64_t next_ = 0;
    bool told_ = false;    // the cores have been notified that no blocks are left
    std::size_t turn_ = 0; // the SM that gets the next block if it has room
};

} // namespace heddle::gpu
