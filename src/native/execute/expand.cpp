#include "native/execute/expand.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "ir/analysis/cfg.h"
#include "ir/analysis/loops.h"
#include "ir/analysis/postdom.h"
#include "ir/analysis/verify.h"
#include "ir/selection/make_op.h"
#include "native/execute/expander.h"
#include "native/execute/work.h"

namespace heddle::native {

namespace {

using ir::MicroOp;

// The micro-ops of the kernel, or of a function that it calls, before they have PCs.
struct Code {
    std::string name;
    ir::Draft draft;              // the target of a call: a block
    std::vector<ir::Steps> steps; // Steps::pc: number of the instruction
    std::vector<Pc> origin;       // by instruction: the micro-op of PTX that messages name
    std::vector<ir::ControlBits> control;
    std::vector<ir::NativeInstruction> native;
};

// Of the micro-ops of an instruction the one at its PC.
std::size_t main_of(const std::vector<MicroOp>& ops) {
    const auto is_other = [](const MicroOp& op) { return op.kind != ir::Kind::Alu; };
    const auto found = std::find_if(ops.begin(), ops.end(), is_other);
    if (found == ops.end())
        return ops.size() - 1;
    if (std::find_if(found + 1, ops.end(), is_other) != ops.end())
        throw std::logic_error("native code: an instruction is two operations that are none on registers");
    return static_cast<std::size_t>(found - ops.begin());
}

// An instruction that no thread executes, or that does nothing.
MicroOp nothing() {
    MicroOp op = ir::make_op(ir::Opcode::Brkpt);
    op.kind = ir::Kind::Nop;
    return op;
}

bool is_vector(const Operand& o) {
    return o.is_register(File::Vector);
}

ir::NativeInstruction native_of(const Instruction& i, const Target& target) {
    ir::NativeInstruction out;
    const std::size_t first = i.mods.carried;
    for (std::size_t n = first; n < i.src.size(); ++n)
        if (const Operand& o = i.src.at(n); is_vector(o))
            out.operands.at(n - first) = {static_cast<std::uint8_t>(o.number), o.count, o.reuse};
    const auto constant = std::find_if(i.src.begin() + i.mods.carried, i.src.end(),
                                       [](const Operand& o) { return o.is(Operand::Kind::Constant); });
    if (constant != i.src.end())
        out.constant = {static_cast<std::uint32_t>(constant->value), constant->bank, true, i.op == Op::LdcStack};
    if (i.op == Op::Exit && target.loads_stack_pointer)
        out.constant = {kStackOffset, 0, true, false};
    for (const Operand& o : i.dst)
        out.results = static_cast<std::uint8_t>(out.results + (is_vector(o) ? o.count : 0));
    const Pipe pipe = info(i.op).pipe;
    out.fixed = !target.is_variable(i.op) && pipe != Pipe::Branch && pipe != Pipe::Uniform;
    out.wide_product = i.op == Op::ImadWide;
    out.type = class_of(i);
    return out;
}

void append_instruction(const Instruction& i, const Target& target, Expander& expander, Code& code, Pc entry) {
    std::vector<MicroOp>& ops = expander.out().ops();
    ops.clear();
    expander.expand(i);
    if (ops.empty())
        ops.push_back(nothing());
    const auto main = ops.begin() + static_cast<std::ptrdiff_t>(main_of(ops));
    set_work(i, ops, *main);
    if (ops.size() > 1)
        code.steps.push_back({static_cast<Pc>(code.draft.ops.size()), {ops.begin(), main}, {main + 1, ops.end()}});
    code.draft.ops.push_back(*main);
    code.control.push_back(i.control);
    code.native.push_back(native_of(i, target));
    if (i.op == Op::Syncs)
        code.native.back().phase = ops.back().dst[0];
    code.origin.push_back(i.origins.empty() ? entry : i.origins.front());
}

// Blocks that stand together in the text.
Code make_code(const Function& function, std::span<const std::uint32_t> blocks, const Target& target,
               Expander& expander, Pc entry) {
    Code code;
    std::vector<std::uint32_t> block_at(function.blocks.size(), 0);
    for (const std::uint32_t b : blocks) {
        block_at[b] = static_cast<std::uint32_t>(code.draft.ops.size());
        for (const Instruction& i : function.blocks[b].code)
            append_instruction(i, target, expander, code, entry);
    }
    for (MicroOp& op : code.draft.ops)
        if (op.target != kNoPc && op.kind != ir::Kind::Call)
            op.target = block_at[op.target];
    return code;
}

// The kernel, and behind it the functions that it calls.
std::vector<Code> make_codes(const Function& function, const Target& target, Expander& expander, Pc entry) {
    std::vector<Code> codes;
    const std::span<const std::uint32_t> order(function.order);
    std::size_t begin = 0;
    for (std::size_t n = 0; n <= function.called.size(); ++n) {
        const auto next =
            n == function.called.size() ? order.end() : std::find(order.begin(), order.end(), function.called[n].begin);
        const auto end = static_cast<std::size_t>(next - order.begin());
        codes.push_back(make_code(function, order.subspan(begin, end - begin), target, expander, entry));
        codes.back().name = n == 0 ? function.name : function.called[n - 1].name;
        begin = end;
    }
    return codes;
}

void set_meetings(ir::Draft& draft, bool is_kernel) {
    ptx::Function source; // the threads of a kernel end where a path leaves it
    source.is_entry = is_kernel;
    draft.source = &source;
    const ir::Cfg cfg = ir::make_cfg(draft, {});
    ir::set_reconvergence(draft, cfg);
    ir::mark_loop_branches(draft, cfg);
    draft.source = nullptr;
}

void append(Code& code, std::int64_t first_matrix, ir::Program& program) {
    const auto begin = static_cast<Pc>(program.ops.size());
    const auto function = static_cast<std::uint32_t>(program.functions.size());
    for (std::size_t n = 0; n < code.draft.ops.size(); ++n) {
        MicroOp op = code.draft.ops[n];
        if (op.target != kNoPc && op.kind != ir::Kind::Call)
            op.target += begin;
        if (op.reconvergence != kNoPc)
            op.reconvergence += begin;
        if (op.is_matrix_product())
            op.imm += first_matrix;
        program.ops.push_back(op);
        ir::Origin origin = program.origins[code.origin[n]];
        origin.function = function;
        program.origins.push_back(origin);
    }
    for (ir::Steps& steps : code.steps) {
        steps.pc += begin;
        program.steps.push_back(std::move(steps));
    }
    program.control_bits.resize(begin);
    program.control_bits.insert(program.control_bits.end(), code.control.begin(), code.control.end());
    program.native.resize(begin);
    program.native.insert(program.native.end(), code.native.begin(), code.native.end());
    program.functions.push_back({std::move(code.name), begin, static_cast<Pc>(program.ops.size())});
    for (Pc pc = begin; pc < program.ops.size(); ++pc)
        if (const Pc meet = program.ops[pc].reconvergence; meet != kNoPc)
            program.ops[meet].meets = true;
}

// Calls have the blocks where functions begin as targets up to here. Callers have copied the arguments.
void aim_calls(const Function& function, std::size_t first_function, ir::Program& program, const ir::Kernel& kernel) {
    if (function.called.empty())
        return;
    const auto site = static_cast<std::int64_t>(program.calls.size());
    program.calls.emplace_back();
    for (Pc pc = kernel.begin; pc < kernel.end; ++pc) {
        MicroOp& op = program.ops[pc];
        if (op.kind != ir::Kind::Call)
            continue;
        const auto callee = std::find_if(function.called.begin(), function.called.end(),
                                         [&](const CalledFunction& c) { return c.begin == op.target; });
        const auto number = static_cast<std::size_t>(callee - function.called.begin());
        op.target = program.functions[first_function + 1 + number].begin;
        op.imm = site;
    }
}

void set_frame(const Function& function, const Emitter& out, ir::Program& program, ir::Kernel& kernel) {
    kernel.slots = out.slots();
    kernel.predicates = out.predicates();
    kernel.temporary_slots = out.temporary_slots();
    kernel.temporary_predicates = out.temporary_predicates();
    kernel.registers = function.registers;
    // Spilled registers have the timing of variables; behind parameters of functions, which have none, they have none.
    if (kernel.declared_local_bytes == kernel.local_bytes)
        kernel.declared_local_bytes = function.local_bytes;
    kernel.local_bytes = function.local_bytes;
    kernel.spill_base = function.spill_base;
    kernel.pool_begin = program.pool.size();
    kernel.launch_constants = out.launch_constants();
    program.pool.insert(program.pool.end(), out.pool().begin(), out.pool().end());
}

} // namespace

void expand(const Function& function, const Target& target, ir::Program& program, ir::Kernel& kernel) {
    Expander expander(function, target);
    std::vector<Code> codes = make_codes(function, target, expander, kernel.entry);
    set_frame(function, expander.out(), program, kernel);
    const std::size_t first_function = program.functions.size();
    const auto first_matrix = static_cast<std::int64_t>(program.matrices.size());
    kernel.begin = kernel.entry = static_cast<Pc>(program.ops.size());
    for (Code& code : codes) {
        set_meetings(code.draft, &code == &codes.front());
        append(code, first_matrix, program);
    }
    kernel.end = static_cast<Pc>(program.ops.size());
    program.matrices.insert(program.matrices.end(), expander.matrices().begin(), expander.matrices().end());
    aim_calls(function, first_function, program, kernel);
    ir::verify(program, kernel);
}

} // namespace heddle::native
