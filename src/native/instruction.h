// One instruction of native code.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "ir/control_bits.h"
#include "ir/micro_op.h"
#include "native/opcode.h"

namespace heddle::native {

// Register files. A register of File::Vector has 32 bits in each lane; even and odd numbers lie in different banks.
enum class File : std::uint8_t { Vector, Predicate, Uniform, UniformPredicate };

// The bank of constant memory: the value of an operand there is an address. Bank 0 has the parameters.
inline constexpr std::uint8_t kVariableBank = 3;

struct Operand {
    enum class Kind : std::uint8_t {
        None,
        Zero, // RZ
        True, // PT
        Register,
        Constant,  // c[bank][value]
        Immediate, // value
    };
    Kind kind = Kind::None;
    File file = File::Vector;
    std::uint8_t count = 1; // consecutive registers: 1, 2 or 4
    std::uint8_t part = 0;  // before allocation: the first register is this one of the virtual register
    std::uint8_t bank = 0;  // Constant
    bool minus = false;
    bool absolute = false;
    bool inverted = false;    // predicates: !P; words: ~R
    bool reuse = false;       // stays in the register-file cache
    std::uint32_t number = 0; // a virtual register, after allocation a register of the file
    std::uint64_t value = 0;

    [[nodiscard]] bool is(Kind k) const {
        return kind == k;
    }
    [[nodiscard]] bool is_register(File f) const {
        return kind == Kind::Register && file == f;
    }
    bool operator==(const Operand&) const = default;
};

// What an opcode's name leaves open, in the vocabulary of micro-ops.
struct Modifiers {
    ir::Type type = ir::Type::None;
    ir::Type from = ir::Type::None;
    ir::Rounding rounding = ir::Rounding::None;
    ir::Sub sub = ir::Sub::None;
    ir::BoolOp combine = ir::BoolOp::None;
    ir::Space space = ir::Space::Generic;
    ir::Opcode source = ir::Opcode::Mov; // the operation of MUFU, CALL.REL, ATOM, MMA and others
    ir::Kind kind = ir::Kind::Alu;       // of that operation
    std::uint8_t vector = 1;             // elements of an access
    std::uint32_t flags = 0;             // ir::Flag
    std::int64_t imm = 0; // memory: displacement; LOP3: truth table; S2R: ir::SpecialRegister; else as MicroOp::imm
    bool swapped = false; // src[0] and src[1] stand in the other order than in PTX, which chooses between two NaNs
    // Of an instruction that stands for the operation `source` of PTX: which of MicroOp::src and MicroOp::dst its
    // operands are, in order, and which of these have 64 bits. A bit a place.
    std::uint8_t sources = 0, wide_sources = 0, results = 0, wide_results = 0;
    // Of the last instruction of a sequence (docs/native-code.md), which computes the result of `source` whatever its
    // opcode: so many of its first operands are those of `source`; the instruction itself reads the ones behind them.
    std::uint8_t carried = 0;
    bool operator==(const Modifiers&) const = default;
};

using Control = ir::ControlBits;

struct Instruction {
    static constexpr std::uint32_t kNoBlock = 0xffffffffU;

    Op op = Op::Nop;
    Modifiers mods;
    Operand guard;      // kind None: always
    bool keeps = false; // under a guard: threads without it keep the old value of the destination, which is needed
    std::array<Operand, 2> dst{};
    std::array<Operand, 7> src{};
    std::uint32_t target = kNoBlock; // BRA, BSSY: a block; CALL: as link.h has it
    std::uint8_t barrier =
        0; // BSSY, BSYNC: convergence barrier B0 to B15; CALL: one more than the highest in use there
    Control control;
    std::vector<Pc> origins; // the micro-ops that it came from; the first is the one that messages name

    [[nodiscard]] bool is_guarded() const {
        return guard.kind != Operand::Kind::None;
    }
};

} // namespace heddle::native
