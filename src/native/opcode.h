// The opcodes of native code: a SASS-like set of heddle's own (docs/native-code.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::native {

enum class Op : std::uint8_t {
#define HEDDLE_NATIVE(name, text, pipe, latency, meaning) name,
#include "native/opcodes.def"
#undef HEDDLE_NATIVE
    kCount,
};

enum class Pipe : std::uint8_t { Int, Fma, Half, Double, Special, Memory, Tensor, Branch, Uniform, kCount };

// Rows of a target's latencies. Rows before kFirstVariable are fixed: the stall counts of the code keep them. The
// others vary: a dependence counter announces the result.
enum class Latency : std::uint8_t {
    None, // no result
    Alu,
    Imad,
    ImadWide,
    Fp32,
    Fp16,
    Minmax,
    Predicate,
    UniformAlu,
    Fp64, // variable where the sub-cores of an SM share one unit (Target::shared_fp64)
    Special,
    Global,
    Shared,
    Constant,
    Texture,
    Shuffle,
    Store,
    Tensor,
    Barrier,
    Routine,
    kCount,
};
inline constexpr Latency kFirstVariable = Latency::Special;

struct OpInfo {
    std::string_view name;
    Pipe pipe;
    Latency latency;
    std::string_view meaning;
};
[[nodiscard]] const OpInfo& info(Op);
// Whether results also depend on which threads execute the instruction together, or on when they do.
[[nodiscard]] constexpr bool depends_on_issue(Op op) {
    return op == Op::Vote || op == Op::Voteu || op == Op::Elect || op == Op::Cs2r;
}
// The instruction of vector registers that computes what one of uniform registers does; any other: itself.
[[nodiscard]] Op vector_form(Op);
// The instruction of uniform registers, of one that has several forms that for constants in a bank (`constant`);
// nothing: there is none.
[[nodiscard]] std::optional<Op> uniform_form(Op, bool constant = false);
[[nodiscard]] std::string_view name_of(Pipe);
[[nodiscard]] std::string_view name_of(Latency);

} // namespace heddle::native
