// Issue where an instruction of a unit is several groups, or where a unit ends at issue (docs/scoreboard.md, "dwf and
// lwm").
//
//   lwm   an instruction of a large warp is several groups (sub-warps). The issue unit keeps the large warp and issues
//         a group a slot until the last; no other unit of the issue unit goes in between. The registers of all threads
//         were free when the large warp was picked, so its groups wait for their pipe only, or for interlocked threads.
//   dwf   a unit ends when it issues (issue.cpp). While the formation's tables are busy nothing is issued.
#pragma once

#include <cstdint>
#include <span>

#include "sm/sub_core/stall_account.h"
#include "sm/sub_core/unit_states.h"

namespace heddle::sm {

class SubGroups {
public:
    // All parts outlive it.
    SubGroups(Frame& frame, UnitStates& states, StallAccount& stalls, std::span<IssueUnit> issue_units)
        : frame_(frame), states_(states), stalls_(stalls), issue_units_(issue_units) {}

    // Whether the next group of the kept unit can issue at `now`: its pipe takes an instruction from cycle `open` on.
    // If not, the slot is empty with the pipe as its cause.
    [[nodiscard]] bool next_can_issue(IssueUnit& unit, WaitStates::State pipe, Cycle open, Cycle now);
    // A group of an instruction has been formed; the issue unit keeps its unit until the last group. False if the group
    // has no threads because all threads left are interlocked: then the slot is empty, and the issue unit examines its
    // units again when next PCs count.
    [[nodiscard]] bool keep_until_last(IssueUnit& unit, const warp::Group& group);
    // Where units end at issue: whether the formation's tables are busy with next PCs in this cycle. If they are, all
    // slots of the cycle are empty.
    [[nodiscard]] bool tables_are_busy();

private:
    // `pc`: the instruction that the slot is empty for.
    void stall(IssueUnit& unit, probe::Slot cause, Pc pc) {
        stalls_.set_cause(unit, cause, pc);
        stalls_.stall(unit, 1);
    }

    Frame& frame_;
    UnitStates& states_;
    StallAccount& stalls_;
    const std::span<IssueUnit> issue_units_;
};

} // namespace heddle::sm
