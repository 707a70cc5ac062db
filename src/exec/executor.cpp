#include "exec/executor.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "exec/executor_impl.h"

namespace heddle::exec {

using ir::Kind;
using ir::MicroOp;
using warp::Group;
using warp::Outcome;

namespace {

void set_moves(Bound& b, const Moves& moves) {
    b.move = moves.lanes;
    b.move_threads = moves.threads;
}

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

Executor::Executor(MemoryImage& image, std::uint32_t sm, Effects effects)
    : impl_(std::make_unique<Impl>(*this, image, sm, effects)) {}
Executor::~Executor() = default;

void Executor::bind(const ir::Program& program) {
    LaunchTables& tables = *impl_->tables;
    if (impl_->program != &program && !impl_->follows) {
        tables.bound.clear();
        tables.matrices.clear();
    }
    impl_->program = &program;
    tables.bound.reserve(program.ops.size());
    for (std::size_t pc = tables.bound.size(); pc < program.ops.size(); ++pc)
        tables.bound.push_back(bind_op(program.ops[pc]));
    for (std::size_t i = tables.matrices.size(); i < program.matrices.size(); ++i)
        tables.matrices.push_back(positions_of(program.matrices[i]));
    impl_->bound = tables.bound.data();
    impl_->ranges.resize(program.ops.size());
}

void Executor::share_tables_of(const Executor& first) {
    impl_->tables = first.impl_->tables;
    impl_->follows = true;
}

std::string Executor::unsupported(const ir::Kernel& kernel) const {
    // What the lowering knows of, and what no operation is there for; the first of each spelling.
    std::set<Pc> places(kernel.not_executable.begin(), kernel.not_executable.end());
    for (Pc pc = kernel.begin; pc < kernel.end; ++pc)
        if (!impl_->bound[pc].executable)
            places.insert(pc);
    std::string out;
    std::set<std::string> named;
    for (const Pc pc : places) {
        const std::string instruction = impl_->program->instruction(pc);
        if (!named.insert(instruction).second)
            continue;
        const std::string line = impl_->instruction_text(pc);
        out += fmt::format("{}: error: '{}' cannot be executed yet (kernel '{}'){}{}\n", impl_->place_text(pc),
                           instruction, kernel.name, line.empty() ? "" : "\n    ", line);
    }
    for (const auto& [pc, name] : kernel.undefined_calls)
        out += fmt::format("{}: error: '{}' is called but has no body (kernel '{}')\n", impl_->place_text(pc), name,
                           kernel.name);
    return out;
}

void Executor::begin(const Launch& launch) {
    impl_->begin(launch);
}

void Executor::start_block(unsigned slot, Dim3 ctaid, RowId first_row) {
    impl_->start_block(slot, ctaid, first_row);
}

inline void Executor::Impl::compute(const Group& group, const MicroOp& op, Outcome& outcome) {
    if (op.guard != ir::kNowhere || halves != 1)
        return compute_under_guard(group, op, outcome);
    outcome.executed = group.threads;
    bound[group.pc].vector(op, operands, parts_of(group));
}

void Executor::Impl::compute_under_guard(const Group& group, const MicroOp& op, Outcome& outcome) {
    unsigned n = 0;
    outcome.executed = static_cast<std::uint16_t>(for_each_segment(parts_of(group), op, [&](const Segment& s) {
        guarded[n++] = {static_cast<RowId>(s.row * halves + s.half), s.mask};
    }));
    if (n != 0)
        bound[group.pc].vector(op, operands, {guarded.data(), n});
}

void Executor::execute(const Group& group, Cycle now, Outcome& outcome, Access& access) {
    Impl& x = *impl_;
    const MicroOp& op = x.ops[group.pc];
    access.count = 0;
    access.ascends = false;
    outcome.kind = Outcome::Kind::Next;
    outcome.diverges_at_return = false;
    outcome.depth_change = 0;
    if (op.kind == Kind::Alu) // a branch is easier to foretell than a jump to one of many places
        return x.compute(group, op, outcome);
    switch (op.kind) {
    case Kind::Alu:
        break;
    case Kind::Load:
    case Kind::Store:
    case Kind::Atomic:
        return x.memory(group, op, now, outcome, access);
    case Kind::Texture:
        return x.texture(group, op, outcome, access);
    case Kind::Surface:
        return x.surface(group, op, now, outcome, access);
    case Kind::Special:
        return x.special(group, op, now, outcome);
    case Kind::Branch:
        return x.branch(group, op, outcome);
    case Kind::Call:
        return x.call(group, op, outcome);
    case Kind::System:
        return x.system_call(group, op, now, outcome);
    case Kind::Return:
        return x.ret(group, op, outcome);
    case Kind::Exit:
        return x.exit(group, op, outcome);
    case Kind::Barrier:
        return x.barrier(group, op, outcome);
    case Kind::WarpSync:
        return x.warp_sync(group, op, outcome);
    case Kind::Trap:
        return x.trap(group, op, outcome);
    case Kind::Fence:
    case Kind::Nop:
    case Kind::Indirect: // not executable: refused at launch
        outcome.executed =
            static_cast<std::uint16_t>(x.for_each_segment(Impl::parts_of(group), op, [](const Segment&) {}));
        return;
    }
}

LaneMask Executor::guard(Pc pc, RowId row, LaneMask lanes) const {
    const MicroOp& op = impl_->ops[pc];
    LaneMask bits = impl_->guard_bits(op, impl_->frame(row, 0));
    if (impl_->halves == 2)
        bits |= LaneMask{impl_->guard_bits(op, impl_->frame(row, 1))} << kVectorLanes;
    return bits & lanes;
}

LaneMask Executor::live(RowId row) const {
    return impl_->rows[row].live;
}

unsigned Executor::block_slot(RowId row) const {
    return impl_->rows[row].slot;
}

unsigned Executor::halves() const {
    return impl_->halves;
}

std::span<std::byte> Executor::frame(RowId row, unsigned half) {
    const ir::Kernel& kernel = *impl_->launch.kernel;
    return {impl_->frame(row, half), frame_bytes(kernel.slots, kernel.predicates)};
}

} // namespace heddle::exec
