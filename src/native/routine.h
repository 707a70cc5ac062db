// Operations that are routines of fixed code: their lengths and the pipes that they take.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ir/micro_op.h"

namespace heddle::native {

// The instruction CALL.REL computes what its micro-op computes; a core that executes it issues `length()` instructions
// in its place.
struct Routine {
    std::string_view name;
    std::uint8_t integer, fma, fp64, special, branch; // instructions by pipe
    std::string_view meaning;

    [[nodiscard]] unsigned length() const {
        return integer + fma + fp64 + special + branch;
    }
};

// Null: the back end has no code for the operation.
[[nodiscard]] const Routine* find_routine(const ir::MicroOp& op);
[[nodiscard]] std::span<const Routine> routines();

} // namespace heddle::native
