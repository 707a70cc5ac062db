// Threads that wait for each other: barriers of a block and of a cluster, the rendezvous of a PTX warp or a warpgroup.
// Threads are counted, so the code is the same for every formation.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "exec/executor.h"
#include "sm/frame/block_table.h"
#include "sm/frame/cluster_barriers.h"
#include "warp/flight.h"

namespace heddle::sm {

class SyncUnit {
public:
    struct Released { // threads of one block that may continue
        std::uint16_t block;
        bool from_barrier; // else from a rendezvous of their PTX warp or warpgroup
        std::span<const warp::Part> threads;
    };

    SyncUnit(unsigned block_slots, unsigned rows, unsigned width);

    void begin_block(unsigned slot, std::span<const warp::Part> threads);
    // The outcome Barrier or WarpSync of a flight counts now. Returns the sets of threads that may continue, valid
    // until the next call.
    [[nodiscard]] std::span<const Released> arrive(const warp::Flight& flight, exec::Executor& executor,
                                                   BlockTable& blocks);
    // Threads of the block have exited: a barrier for all live threads may be complete now.
    [[nodiscard]] std::span<const Released> exited(unsigned slot, exec::Executor& executor, BlockTable& blocks);
    // Threads of a row will exit, of a block that is still resident, in a launch with clusters: the barrier of their
    // cluster may be complete without them.
    [[nodiscard]] std::span<const Released> exits_cluster(unsigned slot, warp::Part threads, exec::Executor& executor,
                                                          BlockTable& blocks);
    // A thread on another SM has completed the barrier of the block's cluster.
    [[nodiscard]] std::span<const Released> cluster_met(unsigned slot, BlockTable& blocks);

    [[nodiscard]] std::uint64_t threads_at_barriers() const {
        return at_barriers_;
    }
    // Of these threads, those that wait for their cluster.
    [[nodiscard]] std::uint64_t threads_at_cluster_barriers() const {
        return at_cluster_barriers_;
    }
    [[nodiscard]] std::uint64_t threads_at_rendezvous() const {
        return at_rendezvous_;
    }
    // The instruction at which threads wait at a barrier, or for the rest of their PTX warp or warpgroup: of several,
    // that of the first block slot, and there of those that wait longest. kNoPc: no threads wait.
    [[nodiscard]] Pc first_at_barrier() const;
    [[nodiscard]] Pc first_at_rendezvous() const;
    [[nodiscard]] std::uint64_t releases() const {
        return releases_;
    }
    // One line for every set of waiting threads: the threads, the place, the number that is expected.
    [[nodiscard]] std::string dump(const exec::Executor& executor, const ir::Program& program,
                                   const BlockTable& blocks) const;

private:
    static constexpr unsigned kBarriers = exec::Executor::kBarriers;
    using Wait = warp::Waiting;

    struct Barrier {
        unsigned arrived = 0;  // threads, including those of bar.arrive
        unsigned expected = 0; // 0: all live threads of the block
        bool reduces = false;
        std::vector<Wait> waiting;
    };
    struct Block {
        RowId first_row = 0;
        std::array<Barrier, kBarriers> barrier;
        std::vector<Wait> rendezvous;
    };

    void arrive_barrier(const warp::Flight& flight, exec::Executor& executor, BlockTable& blocks);
    void arrive_at_cluster(const warp::Flight& flight, exec::Executor& executor, BlockTable& blocks);
    static void observe_cluster(const warp::Flight& flight, RowId row, LaneMask lanes, exec::Observer& observer);
    void release_cluster(exec::Cluster& cluster, exec::Executor& executor, BlockTable& blocks);
    void release_block_of_cluster(unsigned slot, BlockTable& blocks);
    void arrive_rendezvous(const warp::Flight& flight, exec::Executor& executor);
    void count_waiting(warp::BlockView& view, RowId row, int threads);
    void release_if_complete(unsigned slot, Barrier& barrier, exec::Executor& executor, BlockTable& blocks);
    void start_releasing();
    [[nodiscard]] std::span<const Released> released();
    void release(unsigned slot, std::span<const Wait> waiting);
    void try_rendezvous(unsigned slot, Pc pc, unsigned ptx_warp, exec::Executor& executor);
    void try_members(unsigned slot, Pc pc, unsigned ptx_warp, exec::Executor& executor);
    // Threads that wait there may continue: one set.
    void leave_rendezvous(unsigned slot, std::span<const Wait> threads);
    [[nodiscard]] std::uint64_t waiting_of(unsigned slot) const;
    // The PTX warp, counted in the block, of the first thread of a part.
    [[nodiscard]] unsigned ptx_warp_of(const Block& block, const warp::Part& part) const;

    unsigned width_;
    std::vector<Block> blocks_;
    std::vector<std::uint8_t> waiting_of_row_; // threads at a barrier
    ClusterBarriers clusters_;
    // Released by the last call: a flat list, and the end of each set in it. Members, to keep their storage.
    std::vector<warp::Part> parts_;
    struct Set {
        std::uint16_t block;
        bool from_barrier;
        std::size_t end;
    };
    std::vector<Set> sets_;
    std::vector<Released> released_;
    std::vector<Wait> meeting_;             // at one rendezvous
    std::vector<warp::Part> parked_;        // their threads
    std::vector<Wait> tried_;               // of a block, after an exit
    std::uint64_t at_barriers_ = 0;         // of blocks or clusters
    std::uint64_t at_cluster_barriers_ = 0; // of them
    std::uint64_t at_rendezvous_ = 0;
    std::uint64_t releases_ = 0;
};

} // namespace heddle::sm
