// The native code of a kernel.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/isa/matrix.h"
#include "native/instruction.h"

namespace heddle::native {

struct Block {
    std::vector<Instruction> code; // a BRA under a guard stands last, one without is never in front of others
    std::uint32_t next = Instruction::kNoBlock; // where threads go on that no BRA takes; kNoBlock: none goes on
    std::vector<std::uint32_t> returns{};       // linked code (link.h) that ends with RET: where it goes on
};

// Before allocation operands name virtual registers.
struct VirtualRegister {
    File file = File::Vector;
    std::uint8_t width = 1; // 32-bit registers, consecutive, the first number a multiple of it
};

// A function that a kernel calls, in linked code.
struct CalledFunction {
    std::string name;
    std::uint32_t begin = 0; // its first block; its blocks stand together in the text
};

struct Function {
    std::string name;
    std::vector<Block> blocks;
    std::vector<std::uint32_t> order;   // of blocks in the text; the first is the entry
    std::vector<CalledFunction> called; // in the order of the text, behind the blocks of the kernel
    std::vector<VirtualRegister> virtuals;
    std::vector<ir::Matrix> matrices; // by Modifiers::imm of products
    std::uint32_t registers = 0;      // after allocation: of a thread, with those that no instruction names (target.h)
    std::uint32_t uniform_registers = 0;
    std::uint32_t predicates = 0;
    std::uint32_t uniform_predicates = 0;
    std::uint32_t barriers = 0;    // convergence barriers
    std::uint32_t local_bytes = 0; // of a thread: .local variables, then spilled registers
    std::uint32_t spill_base = 0;  // where the spilled registers begin
    std::uint32_t static_shared = 0;
    std::uint32_t spilled = 0; // virtual registers in local memory

    [[nodiscard]] Operand fresh(File file, unsigned width = 1);
    // The blocks that follow a block. A call that ends a block goes to its function, which returns to Block::returns.
    [[nodiscard]] std::vector<std::uint32_t> successors(std::uint32_t block) const;
    // By block: whether paths end there, for questions of where threads meet. Those of a guarded EXIT leave the others,
    // which meet as if they had not been; it counts where no path leads to another end.
    [[nodiscard]] std::vector<bool> ends() const;
    // Whether threads that come to a block do nothing but end.
    [[nodiscard]] bool only_ends(std::uint32_t block) const;
    [[nodiscard]] const Instruction* call_at_end(std::uint32_t block) const; // of linked code; null: none
    [[nodiscard]] std::size_t instructions() const;
    [[nodiscard]] std::array<std::uint32_t, static_cast<std::size_t>(Pipe::kCount)> count_by_pipe() const;
};

} // namespace heddle::native
