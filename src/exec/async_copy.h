// The part of an asynchronous copy (cp.async as one micro-op, native code) that is in shared memory. The data move at
// once; when a program may count on them is a matter of timing.
#pragma once

#include "exec/fault_report.h"
#include "exec/launch_state.h"
#include "warp/group.h"

namespace heddle::exec {

class AsyncCopies {
public:
    AsyncCopies(const LaunchState& state, const FaultReporter& faults) : state_(state), faults_(faults) {}

    // The elements that the threads have loaded go to shared memory. Throws Fault.
    void store(const warp::Group& group, const ir::MicroOp& op) const;

private:
    // Shows what has been stored to the checker.
    void show(Observer& observer, const warp::Group& group, const ir::MicroOp& op) const;
    // Of a copy by lane i.
    [[nodiscard]] std::byte* place(const warp::Group& group, const Segment& s, unsigned i, Address address,
                                   unsigned bytes) const;

    const LaunchState& state_;
    const FaultReporter& faults_;
};

} // namespace heddle::exec
