// The threads that live on an SM, whatever its core model: their blocks, their formation, their registers, what they
// wait for.
#pragma once

#include <memory>
#include <vector>

#include "exec/executor.h"
#include "formation/formation.h"
#include "probe/timeline.h"
#include "sched/scheduler.h"
#include "sm/frame/block_table.h"
#include "sm/frame/core.h"
#include "sm/frame/core_config.h"
#include "sm/frame/sync_unit.h"

namespace heddle::sm {

class ThreadContexts {
public:
    // `sm`: the SM's number.
    ThreadContexts(const config::Machine& machine, std::string_view formation, unsigned sm, exec::Effects effects,
                   exec::MemoryImage& image, const ir::Program& program);

    void begin(const exec::Launch& launch);
    [[nodiscard]] bool can_accept() const {
        return blocks.can_accept();
    }
    unsigned start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now);

    // Executes a formed group; fills the flight's op and outcome, and `access`; counts its threads' instructions.
    void execute(warp::Flight& flight, Cycle now, exec::Access& access);
    // What has executed in one issue slot had so many lanes.
    void count_slot(unsigned lanes) {
        ++stats.warp_instructions;
        ++stats.active_lanes[lanes];
    }
    // The flight's outcome counts now: next PCs, exits, arrivals. True when a block has ended.
    bool commit(const warp::Flight& flight, Cycle now);

    // What commit() has done to blocks, for a scheduler; the caller clears it.
    struct Change {
        std::uint16_t block;
        sched::BlockEvent event;
    };
    std::vector<Change> changes;

    // Never returns: nothing can go on although threads are alive. Lists who waits where.
    [[noreturn]] void report_deadlock(Cycle now) const;
    // The same for a spin lock that its own warp's stack keeps from being released.
    [[noreturn]] void report_livelock(const formation::Livelock& livelock) const;

    const CoreConfig config;
    const ir::Program& program;
    exec::Executor executor;
    std::unique_ptr<formation::Formation> formation;
    BlockTable blocks;
    SyncUnit sync;
    CoreStats stats;
    // Blocks, issues and what units wait for at barriers are told to it from here; null: nobody records.
    probe::Timeline* timeline = nullptr;

private:
    void count_branch(const warp::Flight& flight);
    bool commit_exits(const warp::Flight& flight, Cycle now);
    void note(unsigned block, sched::BlockEvent event);
    void release(std::span<const SyncUnit::Released> sets);
    // Out of line: cores that are not recorded do not pay for them.
    [[gnu::noinline]] void record_start(unsigned slot, std::uint64_t global_id, Cycle now);
    [[gnu::noinline]] void record_issue(const warp::Flight& flight, Cycle now);
    [[gnu::noinline]] void record_waits(const warp::Flight& flight, Cycle now);

    const exec::Launch* launch_ = nullptr;
    std::uint64_t shared_bytes_;
};

} // namespace heddle::sm
