// What the scoreboarded core needs to know of each instruction of a kernel, worked out when the kernel is launched:
// where it executes and for how long, which registers it reads and writes.
//
// Registers have small numbers: the slots of a row's frame, then its predicates. A 64-bit register has the number of
// its first slot.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/program.h"
#include "sm/sub_core/pipe_config.h"

namespace heddle::sm {

using RegisterNumber = std::uint16_t;

struct Decoded {
    std::uint8_t pipe = 0; // index in the PipeTable; its count() for the load/store unit
    PipeKind kind = PipeKind::Alu;
    bool in_pipe : 1 = true;    // it ends in a pipe, and its next PC counts at once: no access, no transfer
    bool accesses : 1 = false;  // it goes to the load/store unit
    bool transfers : 1 = false; // its next PC counts scoreboard.branch cycles later: branches, calls, returns, exits
    std::uint8_t reads = 0;     // registers that the operand collector reads; predicates are not among them
    std::uint8_t writes = 0;
    std::uint16_t latency = 1;
    std::uint16_t interval = 1;
    std::array<RegisterNumber, 8> read;
    std::array<RegisterNumber, 4> written; // predicates included
};

class DecodedKernel {
public:
    explicit DecodedKernel(PipeTable pipes) : pipes_(std::move(pipes)) {}

    // The kernel that was decoded last is not decoded again.
    void decode(const ir::Program& program, const ir::Kernel& kernel);

    [[nodiscard]] const Decoded& at(Pc pc) const {
        return ops_[pc - begin_];
    }
    // Bit r: the instruction reads or writes register r, its guard included; an exit needs all of them.
    [[nodiscard]] const std::uint64_t* needs(Pc pc) const {
        return needs_.data() + std::size_t{pc - begin_} * words_;
    }
    [[nodiscard]] unsigned words() const { // of such a mask
        return words_;
    }
    [[nodiscard]] unsigned registers() const {
        return registers_;
    }

private:
    void decode_op(const ir::MicroOp& op, Decoded& decoded, std::uint64_t* needs) const;
    // What decode_op() leaves out of a product of matrices.
    void decode_product(const ir::Matrix& matrix, Decoded& decoded, std::uint64_t* needs) const;
    // Marks what ends threads: an exit, or a return in the kernel's own function.
    void mark_ends(const ir::Program& program, const ir::Kernel& kernel);
    [[nodiscard]] RegisterNumber number_of(ir::Place place) const;

    const PipeTable pipes_;
    Pc begin_ = 0;
    std::uint32_t slots_ = 0;
    unsigned registers_ = 0;
    unsigned words_ = 1;
    std::vector<Decoded> ops_;
    std::vector<std::uint64_t> needs_;
};

} // namespace heddle::sm
