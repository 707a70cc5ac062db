#include "exec/step_execution.h"

namespace heddle::exec {

void StepExecution::run(std::span<const BoundStep> steps, std::span<const warp::Part> threads) const {
    for (const BoundStep& step : steps) {
        if (step.op.guard == ir::kNowhere && state_.halves() == 1)
            step.vector(step.op, state_.frames(), threads);
        else
            run_under_guard(step, threads);
    }
}

void StepExecution::run_under_guard(const BoundStep& step, std::span<const warp::Part> threads) const {
    state_.for_each_segment(threads, step.op, [&](const Segment& s) {
        const warp::Part part{static_cast<RowId>(s.row * state_.halves() + s.half), s.mask};
        step.vector(step.op, state_.frames(), {&part, 1});
    });
}

void StepExecution::defer(const warp::Group& group) {
    if (!state_.code().steps(group.pc).behind.empty())
        for (const warp::Part& part : parts_of(group))
            deferred_.push_back({group.pc, part});
}

void StepExecution::finish() {
    for (const warp::Waiting& threads : deferred_)
        behind(threads.pc, {&threads.part, 1});
    deferred_.clear();
}

} // namespace heddle::exec
