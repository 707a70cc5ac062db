// The thread-block scheduler: gives the blocks of a grid to the SMs in turn, in order of their linear index (x
// fastest). The blocks of a cluster start together; clusters are in order of their own linear index. Where a device has
// GPCs, a cluster lies in one of them, and GPCs have their turns.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sm/frame/core.h"

namespace heddle::gpu {

class BlockQueue {
public:
    // `group`: neighbouring SMs that have their turns as far apart as they can. `gpcs`: the SMs of each GPC, in which
    // clusters get neighbouring SMs; empty: clusters get any SMs, as blocks do. `by_gpc`: the SMs of a GPC have their
    // turns before those of the next.
    BlockQueue(const exec::Launch& launch, std::size_t sms, std::size_t group,
               const std::vector<std::vector<std::size_t>>& gpcs, bool by_gpc)
        : grid_(launch.grid), cluster_(launch.cluster), in_cluster_(launch.cluster.count()) {
        if (in_cluster_ != 1)
            for (const std::vector<std::size_t>& gpc : gpcs)
                parts_.emplace_back(gpc);
        if (!parts_.empty())
            return;
        std::vector<std::size_t> all;
        for (std::size_t gpc = 0; by_gpc && gpc < gpcs.size(); ++gpc)
            all.insert(all.end(), gpcs[gpc].begin(), gpcs[gpc].end());
        for (std::size_t in_group = 0; !by_gpc && in_group < group; ++in_group)
            for (std::size_t sm = in_group; sm < sms; sm += group)
                all.push_back(sm);
        parts_.emplace_back(std::move(all));
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
    // SMs that have turns.
    class Part {
    public:
        explicit Part(std::vector<std::size_t> sms) : sms_(std::move(sms)) {}
        [[nodiscard]] const std::vector<std::size_t>& sms() const {
            return sms_;
        }
        // The SM whose turn it is; the turn passes on.
        std::size_t take_turn() {
            const std::size_t sm = sms_[turn_];
            turn_ = turn_ + 1 == sms_.size() ? 0 : turn_ + 1;
            return sm;
        }

    private:
        std::vector<std::size_t> sms_;
        std::size_t turn_ = 0; // an index of sms_
    };

    void tell(std::span<const std::unique_ptr<sm::Core>> cores) const {
        for (const auto& core : cores)
            core->set_blocks_left(!empty());
    }

    void start_blocks(std::span<const std::unique_ptr<sm::Core>> cores, Cycle now) {
        for (std::size_t refused = 0; !empty() && refused < cores.size();) {
            sm::Core& core = *cores[parts_.front().take_turn()];
            if (!core.can_accept()) {
                ++refused;
                continue;
            }
            refused = 0;
            core.start_block(place_of(next_, grid_), next_, now);
            ++next_;
        }
    }

    // Starts the blocks of the next cluster. False: no part has room for all of them, and none has started.
    bool start_cluster(std::span<const std::unique_ptr<sm::Core>> cores, Cycle now) {
        for (std::size_t tried = 0; tried < parts_.size(); ++tried) {
            Part& part = parts_[next_part_];
            next_part_ = next_part_ + 1 == parts_.size() ? 0 : next_part_ + 1;
            if (start_cluster_in(part, cores, now))
                return true;
        }
        return false;
    }

    bool start_cluster_in(Part& part, std::span<const std::unique_ptr<sm::Core>> cores, Cycle now) {
        room_.resize(cores.size());
        std::uint64_t total = 0;
        for (const std::size_t sm : part.sms())
            total += room_[sm] = cores[sm]->room();
        if (total < in_cluster_)
            return false;
        const Dim3 clusters{grid_.x / cluster_.x, grid_.y / cluster_.y, grid_.z / cluster_.z};
        const Dim3 cluster = place_of(next_ / in_cluster_, clusters);
        for (std::uint64_t rank = 0; rank < in_cluster_;) {
            const std::size_t sm = part.take_turn();
            if (room_[sm] == 0)
                continue;
            --room_[sm];
            const Dim3 in = place_of(rank++, cluster_);
            const Dim3 block{cluster.x * cluster_.x + in.x, cluster.y * cluster_.y + in.y,
                             cluster.z * cluster_.z + in.z};
            cores[sm]->start_block(
                block, block.x + std::uint64_t{grid_.x} * (block.y + std::uint64_t{grid_.y} * block.z), now);
        }
        next_ += in_cluster_;
        return true;
    }

    static Dim3 place_of(std::uint64_t index, Dim3 size) {
        return {static_cast<std::uint32_t>(index % size.x), static_cast<std::uint32_t>(index / size.x % size.y),
                static_cast<std::uint32_t>(index / size.x / size.y)};
    }

    Dim3 grid_;
    Dim3 cluster_;
    std::uint64_t in_cluster_;   // blocks of a cluster
    std::uint64_t next_ = 0;     // blocks that have started
    bool told_ = false;          // the cores have been notified that no blocks are left
    std::vector<Part> parts_;    // one for all SMs, or the GPCs
    std::size_t next_part_ = 0;  // the part that gets the next cluster if it has room
    std::vector<unsigned> room_; // by SM: blocks, while a cluster is placed
};

} // namespace heddle::gpu
