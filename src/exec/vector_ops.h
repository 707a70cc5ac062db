// Register-to-register operations over one row vector of 32 lanes, chosen once for each micro-op.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ir/micro_op.h"
#include "warp/group.h"

namespace heddle::exec {

// The addresses of an SM's rows. Frames are at least 64-byte aligned and have 64 readable bytes behind them; `pool`,
// the kernel's constants, has the alignment of frames.
struct Frames {
    std::byte* base;
    std::size_t stride;
    const std::byte* pool;

    [[nodiscard]] std::byte* of(RowId frame) const {
        return base + frame * stride;
    }
};

// Computes `op` for the lanes of the parts (each has 1 to 32 lanes; 32 are the fast path); other lanes of the
// destination keep their values. A part's row is the number of a frame.
using VectorOp = void (*)(const ir::MicroOp& op, const Frames& frames, std::span<const warp::Part> parts);

// The operation for a micro-op of kind Alu; null when this combination of opcode, type and modifiers has none.
// Chosen for the best instruction set of this processor (Highway's dynamic dispatch).
[[nodiscard]] VectorOp select_vector_op(const ir::MicroOp& op);

// Name of the instruction set that is in use: "AVX3", "AVX2", "SSE2".
[[nodiscard]] const char* vector_target();

// The address of a place: in the frame, or in the pool of constants.
[[nodiscard]] inline const std::byte* source(ir::Place place, const std::byte* frame, const std::byte* pool) {
    return (place & ir::kPool) != 0 ? pool + (place & ~ir::kPool) : frame + place;
}

} // namespace heddle::exec
