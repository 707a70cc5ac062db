// The texts of faults: the error of a thread, and its place.
#pragma once

#include <string>

#include "exec/fault.h"
#include "exec/launch_state.h"
#include "exec/memory_image.h"

namespace heddle::exec {

class FaultReporter {
public:
    FaultReporter(const LaunchState& state, const MemoryImage& image) : state_(state), image_(image) {}

    // "block (1,0,0) thread (33,0,0)".
    [[nodiscard]] std::string describe_thread(RowId row, unsigned lane) const;
    // Throws a Fault of one thread. The report has `what`, `more` where it is not empty, the kernel, the place of the
    // instruction, its PTX and the thread, a line each.
    [[noreturn]] void fault(Fault::Kind kind, Pc pc, RowId row, unsigned lane, const std::string& what,
                            const std::string& more = {}) const;
    // That report.
    [[nodiscard]] std::string whole_report(Pc pc, RowId row, unsigned lane, const std::string& what,
                                           const std::string& more) const;
    // A line of it: the memory around a global address that no allocation holds.
    [[nodiscard]] std::string surroundings(Address address, unsigned bytes) const;
    // The report of an access that passes.
    [[nodiscard]] std::string overrun(const ir::MicroOp& op, Pc pc, RowId row, unsigned lane, Address address) const;
    // Throws the Fault of the first lane in the segment whose address (by lane) the memory access `op` must not use.
    [[noreturn]] void memory_fault(const ir::MicroOp& op, Pc pc, const Segment& s, const Address* address) const;

private:
    // The error of an access; empty when there is none. `more`: the memory around the address.
    [[nodiscard]] std::string address_error(const ir::MicroOp& op, RowId row, unsigned bytes, Address address,
                                            std::string& more) const;
    // The same for an address of shared memory that names a block of the cluster (ir/cluster_address.h).
    [[nodiscard]] std::string cluster_error(const ir::MicroOp& op, RowId row, unsigned bytes, Address address) const;
    [[nodiscard]] std::string near_null(Address address) const;

    const LaunchState& state_;
    const MemoryImage& image_;
};

} // namespace heddle::exec
