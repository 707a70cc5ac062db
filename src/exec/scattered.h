// Loads and stores of threads that lie in many rows, as under dynamic warp formation. Each row has few lanes, so the
// work for each row (load_store.h) would cost much for each thread. Here one pass handles the addresses of all
// threads side by side, and data are moved thread by thread.
#pragma once

#include <algorithm>

#include "exec/address_ranges.h"
#include "exec/executor.h"
#include "exec/global_memory.h"
#include "exec/launch_state.h"
#include "exec/row_vector.h"

namespace heddle::exec {

class ScatteredAccess {
public:
    ScatteredAccess(const LaunchState& state, GlobalMemory& global, AddressRanges& ranges)
        : state_(state), global_(global), ranges_(ranges) {}

    // The group has so few threads a row that execute() is faster than the work for each row; measured.
    [[nodiscard]] bool suits(const warp::Group& group) const {
        return group.parts > 1 && group.threads <= std::min(12U * (group.parts - 1U), kVectorLanes) &&
               state_.halves() == 1;
    }
    // Executes a Load or Store. False: some threads need separate handling, and neither memory nor registers have
    // changed.
    bool execute(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome, Access& access);

private:
    unsigned gather_addresses(const warp::Group& group, const ir::MicroOp& op, std::byte** frame_of, Address* address,
                              Access& access) const;
    void find_host(const LastRange& range, unsigned n, const Access& access, Address* host) const;
    void move_in_window(const ir::MicroOp& op, const Bound& b, const MovedThreads& threads, const GlobalRow& row);
    void enter(const LastRange& range, unsigned n, Access& access) const;

    const LaunchState& state_;
    GlobalMemory& global_;
    AddressRanges& ranges_;
    const RowVectorOps& rowops_ = row_vector_ops();
};

} // namespace heddle::exec
