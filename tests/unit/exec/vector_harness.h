// Runs vector operations on every instruction set of this processor against references of one lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "exec/vector_ops.h"

namespace heddle::exec::test {

using ir::MicroOp;
using ir::Opcode;
using ir::Rounding;
using ir::Sub;
using ir::Type;

// Lanes as raw bits. `bytes`: 4 or 8 a lane, or 0 for a predicate (values 0 and 1).
struct Register {
    unsigned bytes = 4;
    std::array<std::uint64_t, 32> lane{};
};

// An operation with its storage fields filled in from its types; further fields are the caller's to set.
[[nodiscard]] MicroOp make(Opcode opcode, Type type, Sub sub = Sub::None, Rounding rounding = Rounding::None,
                           unsigned flags = 0, Type from = Type::None);

// The result register of `op` over `sources`; `result.bytes` and `result.lane` give shape and old values. Places are
// set here; `place`: index of the source that shares its place with the result, or -1.
void execute(MicroOp op, const std::vector<Register>& sources, Register& result, std::uint32_t mask, int place = -1);

// Values of a type: a mix of corner cases, random bits and, for f32 and f64, numbers of near exponents.
[[nodiscard]] std::uint64_t draw(Type type, std::mt19937_64& random);
// Numbers 0 to 70, 254 to 257, or any: shift counts and bit positions.
[[nodiscard]] std::uint64_t draw_count(std::mt19937_64& random);
inline constexpr Type kCount = Type::None; // stands for such a number among source types

// Reference of one lane: raw bits in and out; only the result's low bits (`width`) are compared.
using Reference = std::function<std::uint64_t(const std::vector<std::uint64_t>&)>;

// Checks op on random rows, with all lanes on, with some (the others must keep their bits) and in place.
// `sources`: the types of the sources; Pred for predicates. `width`: bits of the result, 1 for a predicate.
void check(const MicroOp& op, const std::vector<Type>& sources, unsigned width, const Reference& reference,
           unsigned rows = 40);
// The same for one row of given lanes: `cases` holds source values, lane by lane; at most 32.
void check_cases(const MicroOp& op, const std::vector<Type>& sources, unsigned width,
                 const std::vector<std::vector<std::uint64_t>>& cases, const Reference& reference);

// Runs `body` once for each instruction set, in use during the call.
void on_every_target(const std::function<void()>& body);

[[nodiscard]] std::string describe(const MicroOp& op);

} // namespace heddle::exec::test
