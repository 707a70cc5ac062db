// Instructions that set the next PC of threads or end threads: branches, calls, returns, exits, traps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/fault_report.h"
#include "exec/launch_state.h"

namespace heddle::exec {

// Each call executes an instruction of its kind, as Executor::execute() says.
class ControlFlow {
public:
    ControlFlow(LaunchState& state, const FaultReporter& faults) : state_(state), faults_(faults) {}

    void branch(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    // Throws Fault when calls nest too deep.
    void call(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    void ret(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    void exit(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    // Throws Fault when a thread has a true guard.
    void trap(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

private:
    void mark_divergence(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;
    void push_call(const ir::Call& site, std::uint32_t index, Pc pc, const Segment& s, unsigned i);
    void pop_call(const Segment& s, unsigned i);
    // Whether the threads are in a called function. All threads at one instruction are in one function.
    [[nodiscard]] bool in_called_function(const warp::Group& group) const;

    LaunchState& state_;
    const FaultReporter& faults_;
    std::vector<std::byte> results_; // of a return, while registers and memory of the caller are restored
};

} // namespace heddle::exec
