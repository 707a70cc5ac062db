// Special registers: values that depend on the thread, its block, the launch or the cycle.
#pragma once

#include <cstdint>

#include "exec/launch_state.h"
#include "exec/row_vector.h"

namespace heddle::exec {

// A register that has one value for all threads of a block.
[[nodiscard]] std::uint64_t block_value(ir::SpecialRegister r, const Launch& launch, std::uint32_t sm, Dim3 ctaid,
                                        Cycle now);

class SpecialRegisters {
public:
    // `sm`: the SM's number, %smid.
    SpecialRegisters(const LaunchState& state, std::uint32_t sm) : state_(state), sm_(sm) {}

    // Executes a move from a special register.
    void read(const warp::Group& group, const ir::MicroOp& op, Cycle now, warp::Outcome& outcome) const;

private:
    // Values by lane, from the table over the threads of a block.
    void write_column(const Segment& s, const ir::MicroOp& op, ThreadTable::Column column) const;
    void write_row(const Segment& s, const ir::MicroOp& op, const std::uint32_t* values) const;

    const LaunchState& state_;
    const std::uint32_t sm_;
    const RowVectorOps& rowops_ = row_vector_ops();
};

} // namespace heddle::exec
