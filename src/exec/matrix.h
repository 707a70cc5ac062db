// Matrices that the threads of a PTX warp hold together: products, loads, transposition. Elements of threads that are
// not present are zeros.
#pragma once

#include <span>

#include "exec/launch_state.h"
#include "exec/row_vector.h"
#include "exec/warp_lanes.h"

namespace heddle::exec {

class MatrixUnit {
public:
    explicit MatrixUnit(const LaunchState& state) : state_(state), lanes_(state) {}

    // wmma.mma and mma, for the threads of one warp: `of_warp` holds their segments.
    void multiply(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    // ldmatrix and movmatrix, for the threads of one warp.
    void exchange(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    // The addresses of the pieces of a matrix that wmma.load and wmma.store access, thread by thread.
    void piece_address(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

private:
    // Thread t gets the address that thread t mod (8 x matrices) has.
    void share_row_addresses(const ir::MicroOp& op, std::span<const Segment> of_warp) const;

    const LaunchState& state_;
    WarpLanes lanes_;
    const RowVectorOps& rowops_ = row_vector_ops();
};

} // namespace heddle::exec
