#include "exec/bound_program.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "base/readable_name.h"
#include "base/round_up.h"
#include "exec/frame.h"
#include "exec/memory_image.h"
#include "exec/program_text.h"
#include "exec/special_registers.h"
#include "ir/isa/refusal.h"

namespace heddle::exec {

using ir::Kind;
using ir::MicroOp;

namespace {

void set_moves(Bound& b, const Moves& moves) {
    b.move = moves.lanes;
    b.move_threads = moves.threads;
}

// The constants of a kernel end where the next kernel's begin.
std::size_t pool_end(const ir::Program& program, const ir::Kernel& kernel) {
    std::size_t end = program.pool.size();
    for (const ir::Kernel& other : program.kernels)
        if (other.pool_begin > kernel.pool_begin)
            end = std::min(end, other.pool_begin);
    return end;
}

// Writes the value of a launch constant for each lane.
void fill(const ir::LaunchConstant& constant, const Launch& launch, const MemoryImage& image, std::byte* entry) {
    std::uint64_t value = 0;
    if (constant.memory != 0)
        std::memcpy(&value, image.host(constant.memory), constant.bytes);
    else if (constant.special != ir::SpecialRegister::kCount)
        value = block_value(constant.special, launch, 0, {}, 0);
    else if (constant.parameter < launch.parameters.size())
        std::memcpy(&value, launch.parameters.data() + constant.parameter,
                    std::min<std::size_t>(constant.bytes, launch.parameters.size() - constant.parameter));
    for (unsigned lane = 0; lane < kVectorLanes; ++lane)
        std::memcpy(entry + std::size_t{lane} * constant.bytes, &value, constant.bytes);
}

constexpr std::uint8_t kLongestLine = 255;

} // namespace

Bound bind_op(const MicroOp& op) {
    Bound b;
    const unsigned element = ptx::size_of(op.type);
    switch (op.kind) {
    case Kind::Alu:
        b.vector = select_vector_op(op);
        b.executable = b.vector != nullptr;
        return b;
    case Kind::Load:
        set_moves(b, select_load(op));
        b.wide_base = op.src_bytes == 8;
        b.direct = static_cast<std::uint8_t>(op.vector == 1 && element == op.dst_bytes ? element : 0);
        break;
    case Kind::Store:
        set_moves(b, select_store(op));
        b.wide_base = op.dst_bytes == 8;
        b.direct = static_cast<std::uint8_t>(op.vector == 1 && element == op.src_bytes ? element : 0);
        break;
    case Kind::Atomic:
        if (op.opcode == ir::Opcode::CpBulk) {
            b.executable = true; // exec/bulk_copy.h
            return b;
        }
        b.move = select_atomic(op);
        b.wide_base = op.src_bytes == 8;
        break;
    case Kind::Indirect:
        return b;
    default:
        b.executable = op.kind == Kind::Trap || ir::info(op.opcode).executable;
        return b;
    }
    b.bytes = static_cast<std::uint8_t>(element * op.vector);
    b.executable = b.move != nullptr;
    return b;
}

void BoundProgram::bind(const ir::Program& program) {
    LaunchTables& tables = *tables_;
    if (program_ != &program && !shares_) {
        tables.bound.clear();
        tables.steps.clear();
        tables.matrices.clear();
    }
    program_ = &program;
    tables.bound.reserve(program.ops.size());
    const auto first = static_cast<Pc>(tables.bound.size());
    for (std::size_t pc = first; pc < program.ops.size(); ++pc)
        tables.bound.push_back(bind_op(program.ops[pc]));
    bind_steps();
    if (first != tables.bound.size())
        find_lines(first);
    for (std::size_t i = tables.matrices.size(); i < program.matrices.size(); ++i)
        tables.matrices.push_back(positions_of(program.matrices[i]));
    bound_ = tables.bound.data();
}

void BoundProgram::bind_steps() {
    LaunchTables& tables = *tables_;
    if (tables.steps.size() == program_->steps.size())
        return;
    tables.steps_at.resize(program_->ops.size());
    const auto bind_all = [](const std::vector<MicroOp>& ops, Bound& bound) {
        std::vector<BoundStep> out;
        for (const MicroOp& op : ops) {
            out.push_back({op, select_vector_op(op)});
            bound.executable = bound.executable && out.back().vector != nullptr;
        }
        return out;
    };
    for (std::size_t n = tables.steps.size(); n < program_->steps.size(); ++n) {
        const ir::Steps& steps = program_->steps[n];
        Bound& bound = tables.bound[steps.pc];
        bound.has_steps = true;
        tables.steps.push_back({bind_all(steps.before, bound), bind_all(steps.behind, bound)});
        tables.steps_at[steps.pc] = static_cast<std::uint32_t>(n);
    }
}

// A straight line holds operations on registers without guards. Threads come to it at its first operation only: targets
// of branches and reconvergence points begin a line, as do operations behind all other kinds.
void BoundProgram::find_lines(Pc first) {
    const std::span<const MicroOp> ops = program_->ops;
    std::vector<bool> begins(ops.size());
    const auto mark = [&](Pc pc) {
        if (pc < ops.size())
            begins[pc] = true;
    };
    for (std::size_t pc = first; pc < ops.size(); ++pc) {
        mark(ops[pc].target);
        mark(ops[pc].reconvergence);
    }
    const auto in_line = [&](std::size_t pc) {
        return ops[pc].kind == Kind::Alu && ops[pc].guard == ir::kNowhere && tables_->bound[pc].executable;
    };
    for (std::size_t pc = ops.size() - 1; pc-- > first;) {
        const Bound& next = tables_->bound[pc + 1];
        if (in_line(pc) && in_line(pc + 1) && !begins[pc + 1] && next.line != kLongestLine)
            tables_->bound[pc].line = static_cast<std::uint8_t>(next.line + 1);
    }
}

void BoundProgram::share_tables_of(const BoundProgram& first) {
    tables_ = first.tables_;
    shares_ = true;
}

void BoundProgram::begin(const Launch& launch, const MemoryImage& image) {
    assert(launch.program == program_ && tables_->bound.size() == program_->ops.size());
    ops_ = program_->ops.data();
    if (!shares_)
        make_tables(launch, image);
    pool_ = tables_->pool_copy.get();
    parameters_ = tables_->parameters.get() + kRowSlack;
}

void BoundProgram::make_tables(const Launch& launch, const MemoryImage& image) {
    const ir::Kernel& kernel = *launch.kernel;
    const std::size_t pool_bytes = pool_end(*program_, kernel) - kernel.pool_begin;
    tables_->pool_copy = zeroed_bytes(pool_bytes + kFrameSlack);
    if (pool_bytes != 0)
        std::memcpy(tables_->pool_copy.get(), program_->pool.data() + kernel.pool_begin, pool_bytes);
    for (const ir::LaunchConstant& constant : kernel.launch_constants)
        fill(constant, launch, image, tables_->pool_copy.get() + (constant.place & ~ir::kPool));
    tables_->parameters = zeroed_bytes(2 * kRowSlack + round_up(launch.parameters.size(), kFrameAlignment));
    if (!launch.parameters.empty())
        std::memcpy(tables_->parameters.get() + kRowSlack, launch.parameters.data(), launch.parameters.size());
    tables_->threads.fill(launch.block);
    tables_->prefetch.begin(launch, *this);
}

std::string BoundProgram::unsupported(const ir::Kernel& kernel) const {
    // Opcodes that the lowering reports, and micro-ops without an operation. Each instruction text is named once.
    std::set<Pc> places(kernel.not_executable.begin(), kernel.not_executable.end());
    for (Pc pc = kernel.begin; pc < kernel.end; ++pc)
        if (!bound_[pc].executable)
            places.insert(pc);
    std::string out;
    std::set<std::string> named;
    for (const Pc pc : places) {
        const std::string instruction = program_->instruction(pc);
        if (!named.insert(instruction).second)
            continue;
        const std::string line = instruction_text(*program_, pc);
        const std::string_view reason = ir::reason_of_refusal(instruction);
        out += fmt::format("{}: error: '{}' cannot be executed yet{}{} (kernel '{}'){}{}\n", place_text(*program_, pc),
                           instruction, reason.empty() ? "" : ": it needs ", reason, readable_name(kernel.name),
                           line.empty() ? "" : "\n    ", line);
    }
    for (const auto& [pc, name] : kernel.undefined_calls)
        out += fmt::format("{}: error: '{}' is called but has no body (kernel '{}')\n", place_text(*program_, pc), name,
                           readable_name(kernel.name));
    return out;
}

} // namespace heddle::exec
