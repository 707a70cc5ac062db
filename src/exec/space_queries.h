// Whether generic addresses lie in constant, in global or in the block's own shared memory (isspacep). Constant
// variables lie among global memory, so the allocations decide. An address of shared memory may name a block of the
// cluster. The windows of the other spaces are ranges of addresses (exec/ops/move.cpp).
#pragma once

#include "exec/launch_state.h"
#include "exec/memory_image.h"

namespace heddle::exec {

class SpaceQueries {
public:
    SpaceQueries(const LaunchState& state, const MemoryImage& image) : state_(state), image_(image) {}

    // isspacep.const, isspacep.global, isspacep.shared::cta: 1 or 0.
    void lies_in_space(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

private:
    [[nodiscard]] bool is_constant(Address address) const;
    // For a thread of the row.
    [[nodiscard]] bool is_own_shared(Address address, RowId row) const;
    [[nodiscard]] bool lies_in(ir::Space space, Address address, RowId row) const;

    const LaunchState& state_;
    const MemoryImage& image_;
};

} // namespace heddle::exec
