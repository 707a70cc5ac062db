// Appends the micro-ops of a function to its draft: guards, source positions, targets of branches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/selection/cursor.h"
#include "ir/selection/draft.h"

namespace heddle::ir {

class Emitter {
public:
    // The cursor gives the position of each micro-op. The arguments outlive this object.
    Emitter(const Cursor& cursor, Draft& draft);

    // Begins the next instruction of the body, or its end behind the last one. It has no guard yet.
    void begin_instruction();
    // Micro-ops of the instruction execute where `predicate` holds, or does not hold.
    void set_guard(Place predicate, bool negated);

    // Appends a micro-op under the instruction's guard. Returns its index in Draft::ops.
    std::uint32_t emit(const MicroOp& op);
    // Appends a micro-op under a guard of its own; kNowhere: none.
    std::uint32_t emit_if(Place predicate, bool negated, const MicroOp& op);
    // Appends a micro-op that is an error when its kernel is launched.
    void placeholder(Opcode opcode);

    // Appends a branch to an instruction of the body. Its target is set by resolve_targets().
    void branch_to(MicroOp op, std::uint32_t instruction);
    // Appends a branch to a later micro-op. Returns its index, for land().
    [[nodiscard]] std::uint32_t jump();
    [[nodiscard]] std::uint32_t jump_if(Place predicate, bool negated = false);
    // The index of the next micro-op, for jump_back_if().
    [[nodiscard]] std::uint32_t next() const {
        return static_cast<std::uint32_t>(draft_.ops.size());
    }
    // Appends a branch to an earlier micro-op.
    void jump_back_if(Place predicate, std::uint32_t to);
    // The next micro-op is the target of the branch.
    void land(std::uint32_t jump);
    // For an instruction that becomes several micro-ops with guards of their own: a branch past them for the lanes that
    // do not execute the instruction. The guard of the instruction ends. Nothing when there is no guard.
    [[nodiscard]] std::optional<std::uint32_t> jump_over_instruction();

    // Replaces the instructions that branch_to() took by micro-ops. All instructions have begun, the end included.
    void resolve_targets();

private:
    const Cursor& cursor_;
    Draft& draft_;
    Place guard_ = kNowhere;
    bool guard_negated_ = false;
    std::vector<std::uint32_t> first_op_; // by instruction; one more for the end
    std::vector<std::uint32_t> branches_; // ops whose target is the index of an instruction
};

} // namespace heddle::ir
