#include "sm/frame/thread_contexts.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/readable_name.h"
#include "exec/observer.h"
#include "sm/frame/occupancy.h"

namespace heddle::sm {
namespace {

// The core of so many SMs together.
CoreConfig joined(CoreConfig core, unsigned sms) {
    core.threads *= sms;
    core.blocks *= sms;
    return core;
}
unsigned rows_of(const CoreConfig& config) {
    return static_cast<unsigned>(config.threads / config.width);
}

} // namespace

ThreadContexts::ThreadContexts(const config::Machine& machine, std::string_view formation_name, unsigned sm,
                               exec::Effects effects, exec::MemoryImage& image, const ir::Program& program,
                               unsigned sms)
    : config(machine.get<CoreConfig>()), program(program), executor(image, sm, effects),
      formation(joined(config, sms).make_formation(formation_name, machine)),
      blocks(static_cast<unsigned>(config.blocks * sms), rows_of(config) * sms, static_cast<unsigned>(config.width)),
      sync(static_cast<unsigned>(config.blocks * sms), rows_of(config) * sms, static_cast<unsigned>(config.width)),
      shared_(machine) {
    formation->read_registers_of(executor);
    const auto& entries = formation::formations().entries();
    if (const auto at = entries.find(formation_name); at != entries.end() && !at->second.plugin.empty())
        guard_.emplace("the formation '" + at->first + "' of " + place_of(at->second.plugin),
                       formation->units.capacity(), executor);
}

void ThreadContexts::make_room(const exec::Launch& launch, unsigned sms, unsigned at_least) {
    launch_ = &launch;
    blocks.begin(static_cast<unsigned>(launch.block.count()),
                 std::max(at_least, sms * occupancy(config, shared_, launch).blocks), formation->needs().swizzles);
}

void ThreadContexts::begin_threads() {
    exec::Launch here = *launch_;
    here.swizzled = formation->needs().swizzles;
    here.keeps_lines_whole = formation->needs().units_are_rows;
    executor.bind(program);
    executor.begin(here);
    formation->use(program);
    if (guard_)
        guard_->use(program);
}

unsigned ThreadContexts::start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    const unsigned slot = blocks.start(global_id);
    if (exec::Observer* const observer = executor.observer(); observer != nullptr) [[unlikely]]
        observer->set_time(now);
    executor.start_block(slot, ctaid, blocks.first_row(slot));
    sync.begin_block(slot, blocks.threads_of(slot));
    formation->launch(static_cast<std::uint16_t>(slot), blocks.threads_of(slot), launch_->kernel->entry);
    if (timeline != nullptr)
        record_start(slot, global_id, now);
    return slot;
}

void ThreadContexts::execute(warp::Flight& flight, Cycle now, exec::Access& access) {
    if (guard_) [[unlikely]]
        check(flight.group);
    flight.op = &program.ops[flight.group.pc];
    executor.execute(flight.group, now, flight.outcome, access);
    stats.thread_instructions += flight.outcome.executed + flight.group.extra_threads;
    blocks.views()[formation->units.block[flight.group.unit]].progress += flight.group.threads;
    if (timeline != nullptr || profile != nullptr) [[unlikely]]
        observe_issue(flight, now);
}

void ThreadContexts::check(const warp::Group& group) const {
    guard_->check(group);
}

// Counted at commit and not at execution, where every instruction would pay for the test.
void ThreadContexts::count_branch(const warp::Flight& flight, Cycle now) {
    if (!flight.op->is_conditional_branch())
        return;
    if (profile != nullptr) [[unlikely]]
        profile_branch(flight, now);
    ++stats.conditional_branches;
    stats.non_loop_branches += flight.op->loops ? 0 : 1;
    stats.divergent_branches += flight.outcome.executed != 0 && flight.outcome.executed != flight.group.threads;
}

bool ThreadContexts::commit(const warp::Flight& flight, Cycle now) {
    using Kind = warp::Outcome::Kind;
    formation->advance(flight, now);
    const Kind kind = flight.outcome.kind;
    if (kind == Kind::Next || kind == Kind::Memory) [[likely]]
        return false;
    if (profile != nullptr && formation->stall != 0) [[unlikely]]
        profile->set_tables(flight.group.pc);
    if (kind == Kind::Branch) {
        count_branch(flight, now);
        return false;
    }
    if (exec::Observer* const observer = executor.observer(); observer != nullptr) [[unlikely]]
        observer->set_time(now);
    bool ended = false;
    if (kind == Kind::Exit)
        ended = commit_exits(flight, now);
    if (kind == Kind::Barrier)
        for (unsigned p = 0; p < flight.group.parts; ++p)
            if (flight.outcome.taken[p] != 0)
                note(executor.block_slot(flight.group.part[p].row), sched::BlockEvent::AtBarrier);
    if (kind == Kind::Barrier || kind == Kind::WarpSync) {
        release(sync.arrive(flight, executor, blocks));
        stats.barriers = sync.releases();
    }
    if (timeline != nullptr)
        record_waits(flight, now);
    return ended;
}

void ThreadContexts::release(std::span<const SyncUnit::Released> sets) {
    for (const SyncUnit::Released& set : sets) {
        formation->resume(set.block, set.threads);
        if (set.from_barrier)
            note(set.block, sched::BlockEvent::BarrierReleased);
    }
}

void ThreadContexts::cluster_met(unsigned slot) {
    release(sync.cluster_met(slot, blocks));
}

void ThreadContexts::note(unsigned block, sched::BlockEvent event) {
    changes.push_back({static_cast<std::uint16_t>(block), event});
}

bool ThreadContexts::commit_exits(const warp::Flight& flight, Cycle now) {
    bool ended = false;
    for (unsigned p = 0; p < flight.group.parts; ++p) {
        const LaneMask gone = flight.outcome.taken[p];
        if (gone == 0)
            continue;
        const RowId row = flight.group.part[p].row;
        const unsigned slot = executor.block_slot(row);
        if (executor.clusters() != nullptr)
            release(sync.exits_cluster(slot, {row, gone}, executor, blocks));
        if (timeline != nullptr)
            timeline->residency.exited(row, count_lanes(gone));
        if (profile != nullptr)
            profile->met(kNoPc, row, gone, now);
        if (blocks.exited(slot, row, count_lanes(gone))) {
            ended = true;
            if (timeline != nullptr)
                timeline->residency.ended(slot, now);
            ++stats.blocks;
            note(slot, sched::BlockEvent::Finished);
        } else {
            note(slot, sched::BlockEvent::Exited);
            release(sync.exited(slot, executor, blocks));
        }
    }
    return ended;
}

void ThreadContexts::count_threads(ThreadsByPlace& at) const {
    formation->units.alive.for_each([&](UnitId u) {
        for (const warp::Part& part : formation->members(u))
            if (part.lanes != 0)
                at[formation->units.pc[u]] += count_lanes(part.lanes);
    });
}

void ThreadContexts::report_deadlock(Cycle now) const {
    std::string who = sync.dump(executor, program, blocks);
    formation->units.alive.for_each([&](UnitId u) {
        const Pc pc = formation->units.pc[u];
        for (const warp::Part& part : formation->members(u))
            if (part.lanes != 0)
                who +=
                    fmt::format("  unit {} ({} threads from {} on) stands at {}\n", u, count_lanes(part.lanes),
                                executor.describe_thread(part.row, static_cast<unsigned>(std::countr_zero(part.lanes))),
                                program.describe(pc));
    });
    const bool at_barrier = sync.first_at_barrier() != kNoPc;
    std::string rule = at_barrier
                           ? "Every live thread of a block must reach the same barrier"
                           : "Every live thread of a member mask must execute the same operation with the same mask, "
                             "and every live thread of a warpgroup the same operation";
    if (at_barrier && !formation->needs().convergence_barriers)
        rule += fmt::format("; under formation '{}' one in divergent code can not complete", config.formation);
    throw exec::Fault(exec::Fault::Kind::Stuck,
                      fmt::format("deadlock in kernel '{}' at cycle {}: no thread can go on\n{}{}.",
                                  readable_name(launch_->kernel->name), now, who, rule));
}

void ThreadContexts::report_livelock(const formation::Livelock& livelock) const {
    const auto lane = [](LaneMask lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); };
    const warp::Part running = formation->members(livelock.unit).front();
    throw exec::Fault(
        exec::Fault::Kind::Stuck,
        fmt::format("livelock in kernel '{}': {} threads from {} on have spun for {} instructions at\n  {}\n"
                    "while {} threads of their warp wait for them at\n  {}\n"
                    "A lock must not be spun on by threads of the warp that holds it: under formation '{}' the holder "
                    "runs only "
                    "when the others have left the loop. (Their registers were the same, round after round; "
                    "stack.spin_limit sets after how many instructions that is looked for.)",
                    readable_name(launch_->kernel->name), count_lanes(running.lanes),
                    executor.describe_thread(running.row, lane(running.lanes)), livelock.instructions,
                    program.describe(livelock.spinning), count_lanes(livelock.siblings.lanes),
                    program.describe(livelock.waiting), config.formation));
}

} // namespace heddle::sm
