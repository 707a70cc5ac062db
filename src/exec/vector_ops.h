// Register-to-register operations over one row vector of 32 lanes, chosen once a micro-op.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ir/micro_op.h"

namespace heddle::exec {

// Lanes of one row's frame.
struct FrameLanes {
    std::byte* frame;
    std::uint32_t mask; // never 0; ~0u is the fast path
};

// Computes `op` for these lanes of the rows of one group; other lanes of the destination keep their values. `pool`: the
// kernel's constants. It and the frames are at least 64-byte aligned; frames have 64 readable bytes behind them.
using VectorOp = void (*)(const ir::MicroOp& op, std::span<const FrameLanes> rows, const std::byte* pool);

// The operation for a micro-op of kind Alu; null when this combination of opcode, type and modifiers has none.
// Chosen for the best instruction set of this processor (Highway's dynamic dispatch).
[[nodiscard]] VectorOp select_vector_op(const ir::MicroOp& op);

// Name of the instruction set that is in use: "AVX3", "AVX2", "SSE2".
[[nodiscard]] const char* vector_target();

// Resolves a place.
[[nodiscard]] inline const std::byte* source(ir::Place place, const std::byte* frame, const std::byte* pool) {
    return (place & ir::kPool) != 0 ? pool + (place & ~ir::kPool) : frame + place;
}

} // namespace heddle::exec
