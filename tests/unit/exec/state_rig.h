// A bench for the parts of an executor: a launch of a kernel of hand-made micro-ops, without an Executor.
#pragma once

#include <cstring>

#include "exec/frame.h"
#include "exec/launch_state.h"
#include "rig.h"

namespace heddle::exec::test {

class StateRig : public Rig {
protected:
    // Starts the kernel with one block, or `blocks` of them side by side in x.
    void start_state(Rows shape, Dim3 block, unsigned blocks = 1) {
        kernel().end = static_cast<Pc>(program.ops.size());
        swizzled = shape.swizzled;
        launch = {};
        launch.program = &program;
        launch.kernel = &kernel();
        launch.grid = {blocks, 1, 1};
        launch.block = block;
        launch.parameters = parameters;
        launch.width = shape.width;
        rows_a_block = static_cast<unsigned>((block.count() + shape.width - 1) / shape.width);
        launch.rows = rows_a_block * blocks;
        launch.block_slots = blocks;
        launch.swizzled = shape.swizzled;
        launch.keeps_lines_whole = keeps_lines_whole;
        state.code().bind(program);
        state.begin(launch, image);
        for (unsigned b = 0; b < blocks; ++b)
            state.start_block(b, {b, 0, 0}, static_cast<RowId>(b * rows_a_block));
    }
    std::vector<Segment> segments_of(const Group& g, const MicroOp& op) {
        std::vector<Segment> all;
        state.for_each_segment(parts_of(g), op, [&](const Segment& s) { all.push_back(s); });
        return all;
    }
    void put32(Place at, unsigned thread, std::uint32_t value) {
        std::memcpy(frame_of_thread(thread) + at + std::size_t{lane_of(thread, 0) % 32} * 4, &value, sizeof value);
    }
    std::uint32_t take32(Place at, unsigned thread) {
        std::uint32_t value;
        std::memcpy(&value, frame_of_thread(thread) + at + std::size_t{lane_of(thread, 0) % 32} * 4, sizeof value);
        return value;
    }
    void put_guard(Place at, unsigned thread, bool value) {
        const std::uint32_t bit = 1U << (lane_of(thread, 0) % 32);
        write_predicate(frame_of_thread(thread), at, value ? bit : 0, bit);
    }

    LaunchState state;
    bool keeps_lines_whole = false;

private:
    std::byte* frame_of_thread(unsigned thread) {
        return state.frame(row_of(thread, 0), lane_of(thread, 0) / 32);
    }
};

} // namespace heddle::exec::test
