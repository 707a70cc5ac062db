// Clusters: blocks that run at the same time, reach each other's shared memory and meet at a barrier (PTX ISA, "Cluster
// of Cooperative Thread Arrays"). The blocks of a cluster may be on one SM or on several.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/types.h"
#include "ir/cluster_address.h"

namespace heddle::exec {

inline constexpr unsigned kMostBlocksOfCluster = 16;
using ir::kOffsetInBlock;
using ir::kRankShift;

struct Cluster {
    struct Block {
        std::byte* shared = nullptr; // its shared memory; null: it has not started, or has ended
        unsigned sm = 0;
        unsigned slot = 0; // of its SM
    };
    std::uint64_t id = 0; // %clusterid, counted with x fastest
    std::array<Block, kMostBlocksOfCluster> block{};
    unsigned blocks = 0;
    std::uint64_t live = 0;    // threads that have not exited
    std::uint64_t arrived = 0; // live threads that have arrived at the barrier in its current phase
    std::uint64_t phase = 0;   // phases that are complete

    [[nodiscard]] bool is_complete() const {
        return arrived != 0 && arrived == live;
    }
    // All live threads have arrived: the next phase begins.
    void begin_phase() {
        arrived = 0;
        ++phase;
    }
};

// The clusters of a launch that have blocks on SMs. All SMs use one table, so they are not simulated on several threads
// of the host (gpu/gpu.h).
class ClusterTable {
public:
    // A block of cluster `id` starts with `threads` threads. The cluster lives until all its threads have exited.
    Cluster& start(std::uint64_t id, unsigned rank, Cluster::Block block, std::uint64_t threads) {
        Cluster& cluster = clusters_[id];
        cluster.id = id;
        cluster.block[rank] = block;
        ++cluster.blocks;
        cluster.live += threads;
        return cluster;
    }
    // `threads` threads of a cluster have exited.
    void exited(Cluster& cluster, std::uint64_t threads) {
        cluster.live -= threads;
        if (cluster.live == 0)
            clusters_.erase(cluster.id);
    }
    // The barrier of a cluster is complete, and an SM has released its threads: other SMs release theirs.
    void met(const Cluster& cluster, unsigned sm) {
        for (const Cluster::Block& block : cluster.block)
            if (block.shared != nullptr && block.sm != sm)
                to_release_.emplace_back(block.sm, block.slot);
    }
    // SM and slot of the blocks to release since the last call.
    [[nodiscard]] std::vector<std::pair<unsigned, unsigned>> take_releases() {
        return std::exchange(to_release_, {});
    }

private:
    std::unordered_map<std::uint64_t, Cluster> clusters_; // by id
    std::vector<std::pair<unsigned, unsigned>> to_release_;
};

} // namespace heddle::exec
