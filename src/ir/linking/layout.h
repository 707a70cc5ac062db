// Layout of variables in the memory areas that the lowering lays out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/round_up.h"
#include "ir/program.h"
#include "ptx/syntax.h"

namespace heddle::ir {

inline constexpr std::uint32_t kFrameAlignment = 16; // of a function's areas in local memory

// The stack of a thread lies behind the .local variables of a kernel that uses it: for alloca, and for the .local
// variables of functions in recursive cycles, of which each activation has its own (PTX ISA, "Local State Space").
// CUDA's default has 1 KiB.
inline constexpr std::uint32_t kStackHeader = kFrameAlignment; // a word with the bytes in use
inline constexpr std::uint32_t kStackBytes = 4096;             // of alloca alone
inline constexpr std::uint32_t kRecursiveStackBytes = 16U * 1024U;

[[nodiscard]] constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
    return alignment == 0 ? value : round_up(value, alignment);
}

// A kernel's parameter block: in order, each at a multiple of its alignment. `bytes` is the end of the last.
struct ParameterBlock {
    std::vector<Parameter> parameters;
    std::uint32_t bytes = 0;
};
[[nodiscard]] ParameterBlock layout_parameters(std::span<const ptx::Variable> parameters);

// Formals of a .func, in its area of .param variables: results, then parameters.
struct Formals {
    std::vector<std::uint32_t> results;
    std::vector<std::uint32_t> parameters;
    std::uint32_t bytes = 0;
};
[[nodiscard]] Formals layout_formals(const ptx::Function&);

// Offsets for the body's variables of one space from `begin` on; variables whose scopes do not overlap share bytes.
struct Area {
    std::vector<std::uint32_t> offset; // by index in `locals`; 0 for other spaces
    std::uint32_t bytes = 0;           // end of the area
};
[[nodiscard]] Area layout_locals(std::span<const ptx::Local> locals, ptx::Space space, std::uint32_t begin);

// A kernel's shared memory over `variables` (those used, in order). Open arrays (dynamic shared memory) lie at its end.
struct SharedLayout {
    std::vector<std::uint32_t> offset; // parallel to variables
    std::uint32_t bytes = 0;           // static part; dynamic memory starts at the next multiple of 16
};
[[nodiscard]] SharedLayout layout_shared(std::span<const ptx::Variable* const> variables);

} // namespace heddle::ir
