// Matrices that the threads of a PTX warp hold together, or have in shared memory: products, loads, stores,
// transposition. Elements of threads that are not present are zeros.
#pragma once

#include <span>

#include "exec/fault_report.h"
#include "exec/launch_state.h"
#include "exec/row_vector.h"
#include "exec/warp_lanes.h"

namespace heddle::exec {

template <class T>
struct Operands; // matrix_product.h

class MatrixUnit {
public:
    MatrixUnit(const LaunchState& state, const FaultReporter& faults) : state_(state), faults_(faults), lanes_(state) {}

    // wmma.mma, mma and wgmma.mma_async at `pc`, for the threads of one warp: `of_warp` holds their segments.
    void multiply(Pc pc, const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    // ldmatrix, stmatrix and movmatrix, for the threads of one warp.
    void exchange(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    // The addresses of the pieces of a matrix that wmma.load and wmma.store access, thread by thread.
    void piece_address(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

private:
    // A product of numbers computed as T.
    template <class T>
    void multiply_as(Pc pc, const ir::MicroOp& op, const ir::Matrix& x, std::span<const Segment> of_warp) const;
    // A register of each thread; 0 for the threads in `missing`.
    template <class Word>
    void read_register(ir::Place place, std::span<const Segment> of_warp, std::uint32_t missing, Word* by_laneid) const;
    // The laneids of the threads whose predicate of the micro-op says that c is not added.
    [[nodiscard]] std::uint32_t without_addend(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    // The columns of the elements of a sparse matrix A.
    template <class T>
    void read_columns(const ir::MicroOp& op, const ir::Matrix& x, std::span<const Segment> of_warp,
                      Operands<T>& v) const;
    // The factors of wgmma that lie in shared memory.
    template <class T>
    void read_factors(Pc pc, const ir::MicroOp& op, const ir::Matrix& x, std::span<const Segment> of_warp,
                      Operands<T>& v) const;
    // A matrix descriptor, of the lowest thread that is present: that of the others is the same.
    [[nodiscard]] std::uint64_t descriptor(ir::Place place, std::span<const Segment> of_warp) const;
    // 16 bytes of shared memory, of the block of a segment. Throws a Fault.
    [[nodiscard]] const std::byte* shared_unit(Pc pc, const Segment& s, Address address) const;

    // Thread t gets the address that thread t mod (8 x registers) has.
    void share_row_addresses(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void hand_out(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void collect(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void transpose(const ir::MicroOp& op, std::span<const Segment> of_warp) const;

    const LaunchState& state_;
    const FaultReporter& faults_;
    WarpLanes lanes_;
    const RowVectorOps& rowops_ = row_vector_ops();
};

} // namespace heddle::exec
