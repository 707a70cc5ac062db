// Native code of PTX, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../ir/lowered.h"
#include "native/compile.h"
#include "native/input/predicate_branches.h"
#include "native/input/recover.h"
#include "native/selection/selector.h"
#include "native/ssa/form.h"
#include "native/text.h"

namespace heddle::native::test {

[[nodiscard]] inline const Target& target(std::string_view name = "sm_80") {
    return *find_target(name);
}

struct Compiled {
    ir::test::Lowered lowered;
    Function function;

    explicit Compiled(std::string_view body, std::string_view parameters = "", std::string_view machine = "sm_80",
                      const Settings& settings = {}, std::string_view module = "")
        : lowered(ir::test::lower_body(body, parameters, module)),
          function(compile(lowered.program, lowered.kernel(), target(machine), settings)) {}

    explicit Compiled(ir::test::Lowered text)
        : lowered(std::move(text)), function(compile(lowered.program, lowered.kernel(), target(), {})) {}

    [[nodiscard]] std::vector<Instruction> all() const {
        std::vector<Instruction> out;
        for (const std::uint32_t b : function.order)
            out.insert(out.end(), function.blocks[b].code.begin(), function.blocks[b].code.end());
        return out;
    }
    [[nodiscard]] std::size_t count(Op op) const {
        const auto code = all();
        return static_cast<std::size_t>(
            std::count_if(code.begin(), code.end(), [&](const Instruction& i) { return i.op == op; }));
    }
    [[nodiscard]] Instruction first(Op op) const {
        for (const Instruction& i : all())
            if (i.op == op)
                return i;
        throw std::runtime_error("no such instruction");
    }
    [[nodiscard]] std::size_t place(Op op) const { // of the first such instruction in the text
        const auto code = all();
        return static_cast<std::size_t>(
            std::find_if(code.begin(), code.end(), [&](const Instruction& i) { return i.op == op; }) - code.begin());
    }
};

// A copy of a register or a number, by either pipe.
[[nodiscard]] inline bool is_copy(const Instruction& i) {
    return (i.op == Op::Mov || i.op == Op::ImadMov) && !i.src[0].is(Operand::Kind::Constant);
}

// The SSA form of a body, after simplification and dead code.
struct Form {
    ir::test::Lowered lowered;
    SsaForm form;

    explicit Form(std::string_view body, std::string_view parameters = "")
        : lowered(ir::test::lower_body(body, parameters)) {
        Recovered input = recover(lowered.program, lowered.kernel());
        const std::vector<bool> forgets(input.draft.ops.size(), false);
        form = build_ssa(std::move(input.draft), forgets);
        form.pcs = std::move(input.pcs);
        simplify(form);
        remove_dead_code(form);
    }
    [[nodiscard]] std::vector<ir::MicroOp> ops() const { // that are left
        std::vector<ir::MicroOp> out;
        for (const ir::MicroOp& op : form.draft.ops)
            if (op.kind != ir::Kind::Nop)
                out.push_back(op);
        return out;
    }
    [[nodiscard]] std::size_t count(ir::Opcode opcode) const {
        const auto list = ops();
        return static_cast<std::size_t>(
            std::count_if(list.begin(), list.end(), [&](const ir::MicroOp& op) { return op.opcode == opcode; }));
    }
    [[nodiscard]] std::uint64_t bits(ir::Place p) const {
        return form.draft.constants.at(p & ~ir::kPool).bits;
    }
};

// Registers of hand-made code.
[[nodiscard]] inline Operand reg(std::uint32_t number, unsigned count = 1) {
    Operand out;
    out.kind = Operand::Kind::Register;
    out.number = number;
    out.count = static_cast<std::uint8_t>(count);
    return out;
}
[[nodiscard]] inline Operand pred(std::uint32_t number, bool inverted = false) {
    Operand out = reg(number);
    out.file = File::Predicate;
    out.inverted = inverted;
    return out;
}
[[nodiscard]] inline Operand rz() {
    Operand out;
    out.kind = Operand::Kind::Zero;
    return out;
}
[[nodiscard]] inline Operand imm(std::uint64_t value) {
    Operand out;
    out.kind = Operand::Kind::Immediate;
    out.value = value;
    return out;
}
[[nodiscard]] inline Operand pt(bool inverted = false) {
    Operand out;
    out.kind = Operand::Kind::True;
    out.file = File::Predicate;
    out.inverted = inverted;
    return out;
}
[[nodiscard]] inline Instruction make(Op op, const std::vector<Operand>& dst, const std::vector<Operand>& src) {
    Instruction i;
    i.op = op;
    std::copy(dst.begin(), dst.end(), i.dst.begin());
    std::copy(src.begin(), src.end(), i.src.begin());
    return i;
}
// One block that ends with EXIT.
[[nodiscard]] inline Function block(std::vector<Instruction> code) {
    Function out;
    code.push_back(make(Op::Exit, {}, {}));
    out.blocks.push_back({std::move(code), Instruction::kNoBlock});
    out.order = {0};
    return out;
}

} // namespace heddle::native::test
