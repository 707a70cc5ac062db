// A lowered function before its layout for a kernel: micro-ops with virtual places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "ir/micro_op.h"
#include "ir/program.h"
#include "ptx/syntax.h"

namespace heddle::ir {

// Places in a draft are numbers of Draft::registers, or kPool | number of Draft::constants.

struct Register {
    Type type = Type::None; // Type::Pred: a predicate
    [[nodiscard]] unsigned slots() const {
        return type == Type::Pred ? 0 : ptx::size_of(type) == 8 ? 2 : 1;
    }
    // Storage in a frame, as MicroOp::dst_bytes counts it.
    [[nodiscard]] std::uint8_t storage() const {
        return ptx::size_of(type) == 8 ? 8 : 4;
    }
};

struct Constant {
    enum class Base : std::uint8_t {
        None,   // `bits` as they are
        Shared, // + offset of shared variable `variable` in the kernel's layout
        Local,  // + the function's base among .local variables
        Param,  // + the function's base among .param variables in local memory
        Stack,  // + the begin of the thread's stack in local memory
    } base = Base::None;
    bool wide = false;          // 8-byte lanes (else 4)
    std::uint32_t variable = 0; // Shared: index in ModuleNames::shared()
    std::uint64_t bits = 0;
    bool operator==(const Constant&) const = default;
};

struct CallSite {
    std::uint32_t op = 0;              // index of the Call
    std::uint32_t callee = 0;          // index of its draft
    bool by_pointer = false;           // one of the functions that the pointer may point to
    std::vector<Call::Copy> arguments; // from: caller's .param area, to: callee's
    std::vector<Call::Copy> results;   // from: callee's, to: caller's
    std::vector<std::uint32_t> live;   // registers and predicates of the caller that live across it
};

struct Line {
    Position where;
    ptx::SourceLine source;
};

struct Draft {
    const ptx::Function* source = nullptr;
    std::vector<MicroOp> ops; // targets are indices in ops
    std::vector<Line> lines;  // parallel to ops
    std::vector<Register> registers;
    std::vector<Constant> constants;
    std::vector<CallSite> calls;                                    // in order of ops
    std::vector<std::pair<std::uint32_t, SystemCall>> system_calls; // op; offsets in the caller's .param area
    std::vector<Matrix> matrices;                                   // by imm of the products
    std::vector<std::uint32_t> shared;         // its shared variables: sorted indices in ModuleNames::shared()
    std::vector<std::uint32_t> not_executable; // ops
    std::vector<std::pair<std::uint32_t, std::string>> undefined_calls;
    std::uint32_t local_bytes = 0; // .local variables
    std::uint32_t param_bytes = 0; // formals and .param variables of the body, in local memory
    std::uint32_t stack_bytes = 0; // that a thread's stack needs; 0: the function does not use it
    bool returns = true;           // some path returns to the caller

    // Filled by colouring.
    std::vector<std::uint32_t> colour; // by register: first slot in the area of its width, or number of the predicate
    std::uint32_t narrow_slots = 0;
    std::uint32_t wide_slots = 0; // even
    std::uint32_t predicates = 0;
    std::uint32_t live_registers = 0; // most 32-bit registers alive at once, callees not included
};

} // namespace heddle::ir
