// Barriers of a block: the threads that wait, the barrier that they wait at, and reductions over these threads.
#pragma once

#include <span>

#include "exec/executor.h"
#include "exec/fault_report.h"
#include "exec/launch_state.h"
#include "exec/row_vector.h"

namespace heddle::exec {

// execute(), use() and reduce() do the work of Executor::execute(), barrier_use() and execute_barrier_reduction().
class Barriers {
public:
    Barriers(const LaunchState& state, const FaultReporter& faults) : state_(state), faults_(faults) {}

    void execute(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;
    // Throws Fault for a barrier that does not exist.
    [[nodiscard]] Executor::BarrierUse use(const warp::Group& group) const;
    void reduce(std::span<const warp::Waiting> waiting) const;

private:
    // The use by the first lane of a segment.
    [[nodiscard]] Executor::BarrierUse use_of(const ir::MicroOp& op, Pc pc, const Segment& s) const;

    const LaunchState& state_;
    const FaultReporter& faults_;
    const RowVectorOps& rowops_ = row_vector_ops();
};

} // namespace heddle::exec
