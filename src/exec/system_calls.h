// Calls that the device's runtime serves: printf, assert, and the errors of free. They take the time of one
// instruction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exec/executor.h"
#include "exec/fault_report.h"
#include "exec/launch_state.h"
#include "exec/memory_image.h"

namespace heddle::exec {

class SystemCalls {
public:
    SystemCalls(const LaunchState& state, const MemoryImage& image, const FaultReporter& faults)
        : state_(state), image_(image), faults_(faults) {}

    // Executes a System instruction, as Executor::execute() says. Throws Fault.
    void execute(const warp::Group& group, const ir::MicroOp& op, Cycle now, warp::Outcome& outcome);
    // The output since the last call, in order.
    [[nodiscard]] std::vector<Printed> take_printed();

private:
    void print(const ir::SystemCall& call, Pc pc, RowId row, unsigned lane, Cycle now);
    [[noreturn]] void assert_fail(const ir::SystemCall& call, Pc pc, RowId row, unsigned lane) const;
    [[noreturn]] void bad_free(const ir::SystemCall& call, Pc pc, RowId row, unsigned lane) const;
    // The bytes behind a generic address of a thread; null where there are none.
    [[nodiscard]] const std::byte* generic(RowId row, unsigned lane, Address address, std::uint64_t bytes) const;
    // The zero-terminated text at a generic address. Throws Fault.
    [[nodiscard]] std::string text_at(Address address, Pc pc, RowId row, unsigned lane) const;

    const LaunchState& state_;
    const MemoryImage& image_;
    const FaultReporter& faults_;
    std::vector<Printed> printed_;
};

} // namespace heddle::exec
