// The threads on an SM, for every core model: their blocks, formation, registers and barriers.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exec/executor.h"
#include "formation/formation.h"
#include "formation/guard.h"
#include "probe/sm_profile.h"
#include "probe/timeline.h"
#include "sched/scheduler.h"
#include "sm/frame/block_table.h"
#include "sm/frame/core.h"
#include "sm/frame/core_config.h"
#include "sm/frame/occupancy.h"
#include "sm/frame/sync_unit.h"

namespace heddle::sm {

class ThreadContexts {
public:
    // `sm`: the SM's number. `sms`: rows and blocks are those of so many SMs.
    ThreadContexts(const config::Machine& machine, std::string_view formation, unsigned sm, exec::Effects effects,
                   exec::MemoryImage& image, const ir::Program& program, unsigned sms = 1);

    // Empties the SM and makes room for blocks of a launch, which is valid until the next one. `sms`: whose room the
    // launch has. `at_least`: blocks that are resident at once even where memory and registers do not suffice.
    void make_room(const exec::Launch& launch, unsigned sms = 1, unsigned at_least = 0);
    // The threads of that launch get registers, memory and a formation, before its first block starts.
    void begin_threads();
    [[nodiscard]] bool can_accept() const {
        return blocks.can_accept();
    }
    unsigned start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now);

    // Executes a formed group. Fills the flight's op and outcome, and `access`; counts the instructions of its threads.
    void execute(warp::Flight& flight, Cycle now, exec::Access& access);
    // Checks a formation that came with a plug-in; null: the formation is heddle's own.
    [[nodiscard]] const formation::Guard* guard() const {
        return guard_ ? &*guard_ : nullptr;
    }
    // An issue slot has executed the instruction at `pc` with `lanes` lanes; of a bundle, that of its first thread.
    void count_slot(Pc pc, unsigned lanes) {
        count_slot(lanes);
        if (profile != nullptr) [[unlikely]]
            profile_slot(pc);
    }
    // Likewise, where there is no profile.
    void count_slot(unsigned lanes) {
        ++stats.warp_instructions;
        ++stats.active_lanes[lanes];
    }
    // The flight's outcome counts now: next PCs, exits, arrivals at barriers. True when a block has ended.
    bool commit(const warp::Flight& flight, Cycle now);

    // A thread on another SM has completed the barrier of the block's cluster.
    void cluster_met(unsigned slot);
    // Whether threads wait for a cluster, which threads on other SMs may complete.
    [[nodiscard]] bool waits_for_clusters() const {
        return sync.threads_at_cluster_barriers() != 0 && launch_->sms > 1;
    }

    // A change of a block in commit(), for a scheduler. The caller clears the list.
    struct Change {
        std::uint16_t block;
        sched::BlockEvent event;
    };
    std::vector<Change> changes;

    // Core::count_threads().
    void count_threads(ThreadsByPlace& at) const;
    // Throws: no thread can continue although threads are alive. The message lists the waiting threads.
    [[noreturn]] void report_deadlock(Cycle now) const;
    // Throws: a spin lock cannot be released because of the stack of its own warp.
    [[noreturn]] void report_livelock(const formation::Livelock& livelock) const;

    const CoreConfig config;
    const ir::Program& program;
    exec::Executor executor;
    std::unique_ptr<formation::Formation> formation;
    BlockTable blocks;
    SyncUnit sync;
    CoreStats stats;
    // Records blocks, issues and waits at barriers; null: nothing is recorded.
    probe::Timeline* timeline = nullptr;
    // Counts what each instruction does; null: nothing is counted.
    probe::SmProfile* profile = nullptr;

private:
    void count_branch(const warp::Flight& flight, Cycle now);
    bool commit_exits(const warp::Flight& flight, Cycle now);
    void note(unsigned block, sched::BlockEvent event);
    void release(std::span<const SyncUnit::Released> sets);
    // Out of line, so that cores without a timeline, a profile or a plug-in do not pay for them.
    [[gnu::noinline]] void record_start(unsigned slot, std::uint64_t global_id, Cycle now);
    [[gnu::noinline]] void record_issue(const warp::Flight& flight, Cycle now);
    [[gnu::noinline]] void record_waits(const warp::Flight& flight, Cycle now);
    [[gnu::noinline]] void observe_issue(const warp::Flight& flight, Cycle now);
    [[gnu::noinline]] void profile_slot(Pc pc);
    [[gnu::noinline]] void check(const warp::Group& group) const;
    void profile_issue(const warp::Flight& flight, Cycle now);
    [[gnu::noinline]] void profile_branch(const warp::Flight& flight, Cycle now);

    std::optional<formation::Guard> guard_; // of a formation that came with a plug-in
    const exec::Launch* launch_ = nullptr;
    const SharedRoom shared_;
};

} // namespace heddle::sm
