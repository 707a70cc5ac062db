// The thread-block scheduler: gives the blocks of a grid to the SMs in turn, in order of their linear index (x
// fastest). The blocks of a cluster start together; clusters are in order of their own linear index.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sm/frame/core.h"

namespace heddle::gpu {

class BlockQueue {
public:
    // `group`: neighbouring SMs that have their turns as far apart as they can.
    BlockQueue(const exec::Launch& launch, std::size_t sms, std::size_t group)
        : grid_(launch.grid), cluster_(launch.cluster), in_cluster_(launch.cluster.count()) {
        for (std::size_t in_group = 0; in_group < group; ++in_group)
            for (std::size_t sm = in_group; sm < sms; sm += group)
                order_.push_back(sm);
    }

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
        if (in_cluster_ == 1)
            start_blocks(cores, now);
        else
            while (!empty() && start_cluster(cores, now)) {
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

    void start_blocks(std::span<const std::unique_ptr<sm::Core>> cores, Cycle now) {
        for (std::size_t refused = 0; !empty() && refused < cores.size();) {
            sm::Core& core = take_turn(cores);
            if (!core.can_accept()) {
                ++refused;
                continue;
            }
            refused = 0;
            core.start_block(place_of(next_, grid_), next_, now);
            ++next_;
        }
    }

    // Starts the blocks of the next cluster. False: not all of them fit, and none has started.
    bool start_cluster(std::span<const std::unique_ptr<sm::Core>> cores, Cycle now) {
        std::vector<unsigned> room;
        std::uint64_t total = 0;
        for (const auto& core : cores)
            total += room.emplace_back(core->room());
        if (total < in_cluster_)
            return false;
        const Dim3 clusters{grid_.x / cluster_.x, grid_.y / cluster_.y, grid_.z / cluster_.z};
        const Dim3 cluster = place_of(next_ / in_cluster_, clusters);
        for (std::uint64_t rank = 0; rank < in_cluster_;) {
            const std::size_t at = order_[turn_];
            sm::Core& core = take_turn(cores);
            if (room[at] == 0)
                continue;
            --room[at];
            const Dim3 in = place_of(rank++, cluster_);
            const Dim3 block{cluster.x * cluster_.x + in.x, cluster.y * cluster_.y + in.y,
                             cluster.z * cluster_.z + in.z};
            core.start_block(block, block.x + std::uint64_t{grid_.x} * (block.y + std::uint64_t{grid_.y} * block.z),
                             now);
        }
        next_ += in_cluster_;
        return true;
    }

    sm::Core& take_turn(std::span<const std::unique_ptr<sm::Core>> cores) {
        sm::Core& core = *cores[order_[turn_]];
        turn_ = turn_ + 1 == cores.size() ? 0 : turn_ + 1;
        return core;
    }

    static Dim3 place_of(std::uint64_t index, Dim3 size) {
        return {static_cast<std::uint32_t>(index % size.x), static_cast<std::uint32_t>(index / size.x % size.y),
                static_cast<std::uint32_t>(index / size.x / size.y)};
    }

    Dim3 grid_;
    Dim3 cluster_;
    std::uint64_t in_cluster_;       // blocks of a cluster
    std::uint64_t next_ = 0;         // blocks that have started
    bool told_ = false;              // the cores have been notified that no blocks are left
    std::vector<std::size_t> order_; // of the SMs
    std::size_t turn_ = 0;           // in that order: the SM that gets the next block if it has room
};

} // namespace heddle::gpu
