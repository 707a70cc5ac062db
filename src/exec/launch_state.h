// The state of a launch on one SM: registers, shared and local memory, live threads, blocks. The parts of an executor
// read and change it; none of them copies it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "exec/bound_program.h"
#include "exec/call_stacks.h"
#include "exec/launch.h"
#include "exec/row_state.h"
#include "exec/segment.h"
#include "exec/storage.h"
#include "exec/vector_ops.h"
#include "warp/group.h"

namespace heddle::exec {

class Observer;

class LaunchState {
public:
    // Sizes registers, shared and local memory for a launch of a program that is bound. Throws UserError when the host
    // has no memory for them.
    void begin(const Launch& launch, const MemoryImage& image);
    // Puts a block into a block slot and into the rows from first_row on, with zeroed registers and memory
    // (Executor::start_block). `sm`: the SM's number.
    void start_block(unsigned slot, Dim3 ctaid, RowId first_row, unsigned sm = 0);

    // The program; it is bound before begin().
    [[nodiscard]] BoundProgram& code() {
        return code_;
    }
    [[nodiscard]] const BoundProgram& code() const {
        return code_;
    }
    [[nodiscard]] const std::byte* pool() const {
        return code_.pool();
    }
    [[nodiscard]] const Launch& launch() const {
        return launch_;
    }
    [[nodiscard]] CallStacks& calls() {
        return calls_;
    }
    [[nodiscard]] const CallStacks& calls() const {
        return calls_;
    }

    // Registers and memory
    [[nodiscard]] unsigned halves() const { // frames of a row
        return halves_;
    }
    [[nodiscard]] const Frames& frames() const {
        return frames_;
    }
    [[nodiscard]] std::byte* frame(RowId row, unsigned half) const {
        return frames_.base + (std::size_t{row} * halves_ + half) * frames_.stride;
    }
    [[nodiscard]] std::byte* shared_of(RowId row) const {
        return shared_.get() + kRowSlack + rows_[row].slot * shared_stride_;
    }
    // The shared memory of a block of the row's cluster; null: there is no such block, or it has ended.
    [[nodiscard]] std::byte* shared_of_rank(RowId row, unsigned rank) const {
        const Cluster* const of = cluster(rows_[row].slot);
        if (of == nullptr) // the row's block is a cluster of its own
            return rank == 0 ? shared_of(row) : nullptr;
        return rank < of->blocks ? of->block[rank].shared : nullptr;
    }
    [[nodiscard]] std::byte* local_of(RowId row, unsigned lane) const {
        return local_.get() + kRowSlack + (std::size_t{row} * launch_.width + lane) * local_stride_;
    }
    [[nodiscard]] std::uint32_t shared_bytes() const { // of a block, as far as its threads reach
        return shared_bytes_;
    }
    [[nodiscard]] std::size_t local_stride() const { // distance of the local memories of two lanes
        return local_stride_;
    }

    // Logs what threads do, for the checker; null: nothing is checked.
    void observe(Observer* observer) {
        observer_ = observer;
    }
    [[nodiscard]] Observer* observer() const {
        return observer_;
    }

    // Threads
    [[nodiscard]] std::span<const RowState> rows() const {
        return rows_;
    }
    [[nodiscard]] const RowState& row(RowId row) const {
        return rows_[row];
    }
    [[nodiscard]] Dim3 ctaid(RowId row) const { // of the row's block
        return ctaid_[rows_[row].slot];
    }
    [[nodiscard]] Cluster* cluster(unsigned slot) const { // of a block; null: the launch has no clusters
        return launch_.clusters == nullptr ? nullptr : cluster_[slot];
    }
    void end_threads(RowId row, LaneMask lanes) {
        rows_[row].live &= ~lanes;
    }
    [[nodiscard]] std::uint32_t thread_of(RowId row, unsigned lane) const {
        return rows_[row].first_thread + (lane ^ static_cast<unsigned>(rows_[row].swizzled));
    }
    // The lowest thread in the frame of a segment.
    [[nodiscard]] std::uint32_t first_thread(const Segment& s) const {
        return rows_[s.row].first_thread + s.lane(0);
    }

    // Predicates and guards, a bit for each lane of a frame
    [[nodiscard]] std::uint32_t predicate_bits(ir::Place place, const std::byte* frame) const {
        std::uint32_t bits;
        std::memcpy(&bits, source(place, frame, pool()), sizeof bits);
        return bits;
    }
    [[nodiscard]] std::uint32_t guard_bits(const ir::MicroOp& op, const std::byte* frame) const {
        if (op.guard == ir::kNowhere)
            return ~0U;
        const std::uint32_t bits = predicate_bits(op.guard, frame);
        return op.guard_negated ? ~bits : bits;
    }
    // Calls f(Segment) for each frame of the parts with a thread whose guard is true. Returns the number of threads.
    template <class F>
    std::uint16_t for_each_segment(std::span<const warp::Part> parts, const ir::MicroOp& op, F&& f) const;
    // Sets outcome.taken of the parts in use to the threads whose guard is true, and outcome.executed to their number.
    void take_by_guard(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

private:
    BoundProgram code_;
    Frames frames_{};
    unsigned halves_ = 1;
    std::uint32_t shared_bytes_ = 0;
    std::size_t shared_stride_ = 0;
    std::size_t local_stride_ = 0;
    std::vector<RowState> rows_;
    Storage registers_, shared_, local_;
    Launch launch_;
    std::vector<Dim3> ctaid_;       // by block slot
    std::vector<Cluster*> cluster_; // by block slot, in a launch with clusters
    CallStacks calls_;
    Observer* observer_ = nullptr;
};

template <class F>
std::uint16_t LaunchState::for_each_segment(std::span<const warp::Part> parts, const ir::MicroOp& op, F&& f) const {
    ThreadCount executed;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const warp::Part& part = parts[p];
        for (unsigned half = 0; half < halves_; ++half) {
            const auto lanes = static_cast<std::uint32_t>(part.lanes >> (half * kVectorLanes));
            std::byte* at = frame(part.row, half);
            const std::uint32_t mask = lanes == 0 ? 0 : lanes & guard_bits(op, at);
            if (mask == 0)
                continue;
            const Segment s{at, mask, part.row, static_cast<std::uint16_t>(half), static_cast<std::uint16_t>(p)};
            executed.add(s.lanes());
            f(s);
        }
    }
    return static_cast<std::uint16_t>(executed.total());
}

inline void LaunchState::take_by_guard(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const {
    if (halves_ == 1) { // branches are frequent: no segments are made of rows of one frame
        ThreadCount executed;
        for (unsigned p = 0; p < group.parts; ++p) {
            const warp::Part& part = group.part[p];
            outcome.taken[p] = part.lanes & guard_bits(op, frame(part.row, 0));
            executed.add(outcome.taken[p]);
        }
        outcome.executed = static_cast<std::uint16_t>(executed.total());
        return;
    }
    for (unsigned p = 0; p < group.parts; ++p)
        outcome.taken[p] = 0;
    outcome.executed =
        for_each_segment(parts_of(group), op, [&](const Segment& s) { outcome.taken[s.part] |= s.lanes(); });
}

} // namespace heddle::exec
