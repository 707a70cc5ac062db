// Micro-ops for each native instruction, by families.
#pragma once

#include "native/execute/emitter.h"

namespace heddle::native {

class Expander {
public:
    Expander(const Function& function, const Target& target)
        : function_(function), target_(target), out_(function, target) {}

    // Appends the micro-ops of an instruction. Targets of branches are numbers of blocks.
    void expand(const Instruction& instruction);

    [[nodiscard]] Emitter& out() {
        return out_;
    }
    // Matrices of the products, by MicroOp::imm.
    [[nodiscard]] std::vector<ir::Matrix>& matrices() {
        return matrices_;
    }

private:
    using Place = ir::Place;
    using MicroOp = ir::MicroOp;

    // integer.cpp
    bool integer(const Instruction& i);
    void add(const Instruction& i);
    void add_with_carry(const Instruction& i);
    void shift(const Instruction& i);
    void shift_add(const Instruction& i);
    void multiply(const Instruction& i);
    // logic.cpp
    bool logic(const Instruction& i);
    void compare(const Instruction& i, bool is_float);
    void compare_upper(const Instruction& i);
    void predicate_logic(const Instruction& i);
    // floating.cpp
    bool floating(const Instruction& i);
    void arithmetic(const Instruction& i, ir::Opcode opcode, unsigned sources);
    void convert(const Instruction& i);
    void check_quotient(const Instruction& i);
    // memory.cpp
    bool memory(const Instruction& i);
    void load(const Instruction& i);
    void store(const Instruction& i);
    void copy(const Instruction& i);
    void test_phase(const Instruction& i);
    void atomic(const Instruction& i);
    void atomic_quad(const Instruction& i, MicroOp op);
    [[nodiscard]] Place base(const Instruction& i, MicroOp& op);
    // source.cpp: instructions that stand for an operation of PTX
    void as_source(const Instruction& i);
    void load_constant(const Instruction& i);
    void control(const Instruction& i, ir::Opcode opcode);
    void convergence(const Instruction& i);
    MicroOp& hint(ir::Opcode opcode);

    [[nodiscard]] static MicroOp made(const Instruction& i, ir::Opcode opcode); // with the instruction's modifiers

    const Function& function_;
    const Target& target_;
    Emitter out_;
    std::vector<ir::Matrix> matrices_;
};

} // namespace heddle::native
