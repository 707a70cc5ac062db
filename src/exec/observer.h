// Logs what the threads of an SM do, for the checker: groups of lanes become threads of the grid. There is one
// only while something is checked, so none of it is on the path of an ordinary run.
#pragma once

#include <span>

#include "check/event_log.h"
#include "exec/launch_state.h"
#include "exec/warp_lanes.h"
#include "warp/group.h"

namespace heddle::exec {

struct Access;

class Observer {
public:
    Observer(const LaunchState& state, check::EventLog& log) : state_(state), log_(log), lanes_(state) {}

    // What follows happens in this cycle.
    void set_time(Cycle now) {
        log_.set_time(now);
    }
    void starts_block(Dim3 ctaid);
    // Before a WarpSync instruction, which may overwrite its masks: the threads of `parts` with a true guard.
    void note_members(Pc pc, std::span<const warp::Part> parts);
    // They have met; else they wait for others.
    void members_meet();
    // After an instruction of another kind.
    void executed(const warp::Group& group, const warp::Outcome& outcome, const Access& access);
    // After an asynchronous copy that is one micro-op: its part in shared memory, as a store and its accesses.
    void copied(const warp::Group& group, const ir::MicroOp& store, const Access& written);
    // A bulk copy of a thread reads or writes a range. `value`: what it writes; null: not known.
    void accesses_range(Pc pc, RowId row, unsigned lane, check::Space space, check::How how, Address begin,
                        std::uint64_t bytes, const std::byte* value = nullptr);
    // The address of a byte in the shared memory of the row's block, or of another block of its cluster.
    [[nodiscard]] Address shared_address(RowId row, std::uint32_t offset) const;
    [[nodiscard]] Address shared_address(RowId row, unsigned rank, std::uint32_t offset) const;

    // Threads of a block come to a barrier; those in `waits` stay.
    void arrives(Pc pc, RowId row, LaneMask lanes, LaneMask waits, unsigned number, unsigned expected);
    // The threads that wait at a barrier of a row's block go on.
    void completes(RowId row, unsigned number);
    void arrives_at_cluster(RowId row, LaneMask lanes);
    void waits_for_cluster(Pc pc, RowId row, LaneMask lanes);
    void completes_cluster(std::uint64_t cluster);

private:
    [[nodiscard]] check::ThreadId thread(RowId row, unsigned lane) const;
    [[nodiscard]] std::uint32_t block(RowId row) const;
    void add_threads(RowId row, LaneMask lanes);
    [[nodiscard]] Pc first_of_instruction(Pc pc) const;
    void add_access(const warp::Group& group, const ir::MicroOp& op, const Access& access, check::Space space,
                    std::uint64_t entries);
    void add_values(const ir::MicroOp& op, const Access& access, std::uint64_t entries);
    void add_event(check::Event::Kind kind, const warp::Group& group);

    const LaunchState& state_;
    check::EventLog& log_;
    WarpLanes lanes_;
    struct Member {
        check::ThreadId thread;
        std::uint32_t mask;
    };
    std::vector<Member> members_; // of the instruction that executes
    Pc members_pc_ = 0;
};

} // namespace heddle::exec
