// Loads, stores and atomics: addresses, the check that an access is allowed, the data, and the entries for the timing
// side.
#pragma once

#include "exec/address_ranges.h"
#include "exec/executor.h"
#include "exec/fault_report.h"
#include "exec/global_memory.h"
#include "exec/launch_state.h"
#include "exec/overruns.h"
#include "exec/row_vector.h"
#include "exec/scattered.h"

namespace heddle::exec {

class LoadStore {
public:
    LoadStore(const LaunchState& state, GlobalMemory& global, const FaultReporter& faults)
        : state_(state), global_(global), faults_(faults), ranges_(state, global.image),
          scattered_(state, global, ranges_) {}
    LoadStore(const LoadStore&) = delete;
    LoadStore& operator=(const LoadStore&) = delete;

    // At the begin of a launch.
    void begin() {
        ranges_.begin();
    }
    // The accesses of the launch that have passed though no allocation holds them.
    [[nodiscard]] std::vector<Overrun> take_overruns() {
        return overruns_.take();
    }
    // Arrivals of copies (ir::kWithCopy) are kept from now on until they are taken, and change nothing.
    void keep_copy_arrivals() {
        keeps_arrivals_ = true;
    }
    [[nodiscard]] std::vector<CopyArrival>& copy_arrivals() {
        return arrivals_;
    }
    // Executes a Load, Store or Atomic, as Executor::execute() says. Throws Fault.
    void execute(const warp::Group& group, const ir::MicroOp& op, Cycle now, warp::Outcome& outcome, Access& access);

private:
    // The access of the lanes of a segment. Most often they lie in the range of the micro-op's last access.
    void access_segment(const ir::MicroOp& op, Pc pc, const Segment& s, Access& access);
    // Lanes in several allocations or spaces, or with a forbidden access.
    void access_mixed(const ir::MicroOp& op, Pc pc, const Segment& s, Address* address, Access& access);
    // The memory of a lane that no range holds. Throws the Fault of the segment's first lane with a forbidden access.
    Target overrun(const ir::MicroOp& op, Pc pc, const Segment& s, unsigned i, Address* address);
    // Moves the data of lanes with checked addresses: whole-row copies where the data of the lanes lie side by side or
    // are the same, else lane by lane.
    void move(const ir::MicroOp& op, const Bound& b, const Segment& s, const HostRow& host, const AddressScan& scan);
    // Moves the data lane by lane, or keeps arrivals.
    void move_lanes(const ir::MicroOp& op, const Bound& b, const Segment& s, const HostRow& host, std::uint32_t mask) {
        if (op.has(ir::kWithCopy) && keeps_arrivals_) [[unlikely]]
            return keep_arrivals(op, s, host, mask);
        b.move(op, s.frame, state_.pool(), host, mask);
    }
    [[gnu::noinline]] void keep_arrivals(const ir::MicroOp& op, const Segment& s, const HostRow& host,
                                         std::uint32_t mask);
    // As move(), for lanes in global memory of one of several SMs. `address`: device addresses by lane; `allocation`
    // as in GlobalRow.
    void move_in_window(const ir::MicroOp& op, const Bound& b, const Segment& s, const HostRow& host,
                        const AddressScan& scan, const Address* address, Address allocation);

    const LaunchState& state_;
    GlobalMemory& global_;
    const FaultReporter& faults_;
    const RowVectorOps& rowops_ = row_vector_ops();
    AddressRanges ranges_;
    ScatteredAccess scattered_;
    Overruns overruns_;
    bool keeps_arrivals_ = false;
    std::vector<CopyArrival> arrivals_;
};

} // namespace heddle::exec
