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
#include "exec/step_execution.h"

namespace heddle::exec {

class StraightLines {
public:
    StraightLines(LaunchState& state, const StepExecution& steps) : state_(state), steps_(steps) {}

    // After LaunchState::begin().
    void begin() {
        const Launch& launch = state_.launch();
        ahead_.assign(launch.keeps_lines_whole && state_.halves() == 1 ? launch.rows : 0, 0);
    }
    // Executes the operation of a group, which has no guard, unless its line has been executed.
    void execute(const warp::Group& group) {
        const BoundProgram& code = state_.code();
        if (ahead_.empty())
            return compute(group.pc, parts_of(group));
        std::uint8_t& ahead = ahead_[group.part[0].row];
        if (ahead != 0) {
            --ahead;
            return;
        }
        const Pc end = group.pc + code.bound(group.pc).line;
        ahead = static_cast<std::uint8_t>(end - group.pc - 1);
        for (Pc pc = group.pc; pc != end; ++pc)
            compute(pc, parts_of(group));
    }

private:
    void compute(Pc pc, std::span<const warp::Part> threads) const {
        const Bound& bound = state_.code().bound(pc);
        if (bound.has_steps) [[unlikely]]
            steps_.before(pc, threads);
        bound.vector(state_.code().op(pc), state_.frames(), threads);
    }

    LaunchState& state_;
    const StepExecution& steps_;
    std::vector<std::uint8_t> ahead_; // by row: operations of its line that have been executed and not yet issued
};

} // namespace heddle::exec
