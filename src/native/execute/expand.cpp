#include "native/execute/expand.h"

#include <stdexcept>

#include "ir/analysis/cfg.h"
#include "ir/analysis/loops.h"
#include "ir/analysis/postdom.h"
#include "ir/analysis/verify.h"
#include "native/execute/expander.h"

namespace heddle::native {

namespace {

// The micro-ops of a function before they have PCs.
struct Code {
    ir::Draft draft;
    std::vector<std::uint32_t> begin; // by instruction in the text, and the end
    std::vector<Pc> origin;           // by micro-op: the micro-op of PTX that messages name
};

Code make_code(const Function& function, Expander& expander, Pc entry) {
    Code code;
    std::vector<std::uint32_t> block_at(function.blocks.size(), 0);
    for (const std::uint32_t b : function.order) {
        block_at[b] = static_cast<std::uint32_t>(expander.out().ops().size());
        for (const Instruction& i : function.blocks[b].code) {
            code.begin.push_back(static_cast<std::uint32_t>(expander.out().ops().size()));
            expander.expand(i);
            code.origin.resize(expander.out().ops().size(), i.origins.empty() ? entry : i.origins.front());
        }
    }
    code.draft.ops = std::move(expander.out().ops());
    code.begin.push_back(static_cast<std::uint32_t>(code.draft.ops.size()));
    for (ir::MicroOp& op : code.draft.ops)
        if (op.target != kNoPc)
            op.target = block_at[op.target];
    return code;
}

void append(const Code& code, std::string name, ir::Program& program, ir::Kernel& kernel) {
    const auto begin = static_cast<Pc>(program.ops.size());
    const auto function = static_cast<std::uint32_t>(program.functions.size());
    const auto first_matrix = static_cast<std::int64_t>(program.matrices.size());
    for (std::size_t n = 0; n < code.draft.ops.size(); ++n) {
        ir::MicroOp op = code.draft.ops[n];
        if (op.target != kNoPc)
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
    kernel.begin = kernel.entry = begin;
    kernel.end = static_cast<Pc>(program.ops.size());
    program.functions.push_back({std::move(name), kernel.begin, kernel.end});
    program.matrices.insert(program.matrices.end(), code.draft.matrices.begin(), code.draft.matrices.end());
    for (Pc pc = kernel.begin; pc < kernel.end; ++pc)
        if (const Pc meet = program.ops[pc].reconvergence; meet != kNoPc)
            program.ops[meet].meets = true;
}

} // namespace

InstructionPcs expand(const Function& function, const Target& target, ir::Program& program, ir::Kernel& kernel) {
    Expander expander(function, target);
    Code code = make_code(function, expander, kernel.entry);
    code.draft.matrices = std::move(expander.matrices());
    ptx::Function entry; // whose threads end where a path leaves it
    entry.is_entry = true;
    code.draft.source = &entry;
    const ir::Cfg cfg = ir::make_cfg(code.draft, {});
    ir::set_reconvergence(code.draft, cfg);
    ir::mark_loop_branches(code.draft, cfg);
    kernel.slots = expander.out().slots();
    kernel.predicates = expander.out().predicates();
    kernel.registers = function.registers;
    kernel.local_bytes = function.local_bytes;
    kernel.pool_begin = program.pool.size();
    const std::vector<std::byte>& pool = expander.out().pool();
    program.pool.insert(program.pool.end(), pool.begin(), pool.end());
    append(code, function.name, program, kernel);
    ir::verify(program, kernel);
    InstructionPcs pcs(code.begin.begin(), code.begin.end());
    for (Pc& pc : pcs)
        pc += kernel.begin;
    return pcs;
}

} // namespace heddle::native
