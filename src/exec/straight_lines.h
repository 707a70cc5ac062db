// Straight lines of operations on registers: the first operation that is executed executes the whole line, for all
// threads of its group, and the others find their results there. A row's registers come into the host's first-level
// cache once for the line, not once for each operation with the operations of other warps in between.
//
// Nothing sees the difference: a line accesses no memory, has no guards, and cannot fault; and only groups of the same
// threads execute its operations, in order (Launch::keeps_lines_whole). Other launches execute each operation by
// itself.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/launch_state.h"

namespace heddle::exec {

class StraightLines {
public:
    explicit StraightLines(LaunchState& state) : state_(state) {}

    // After LaunchState::begin().
    void begin() {
        const Launch& launch = state_.launch();
        ahead_.assign(launch.keeps_lines_whole && state_.halves() == 1 ? launch.rows : 0, 0);
    }
    // Executes the operation of a group, which has no guard, unless its line has been executed.
    void execute(const warp::Group& group) {
        const BoundProgram& code = state_.code();
        if (ahead_.empty())
            return code.compute(group.pc, state_.frames(), parts_of(group));
        std::uint8_t& ahead = ahead_[group.part[0].row];
        if (ahead != 0) {
            --ahead;
            return;
        }
        const Pc end = group.pc + code.bound(group.pc).line;
        ahead = static_cast<std::uint8_t>(end - group.pc - 1);
        for (Pc pc = group.pc; pc != end; ++pc)
            code.compute(pc, state_.frames(), parts_of(group));
    }

private:
    LaunchState& state_;
    std::vector<std::uint8_t> ahead_; // by row: operations of its line that have been executed and not yet issued
};

} // namespace heddle::exec
