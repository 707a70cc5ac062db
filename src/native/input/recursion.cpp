// Calls in cycles. Each function of a cycle is in the draft once. A call stores what the caller needs behind it on a
// stack in local memory, and the number of the call that called the caller; threads that return go on where the number
// says. So recursion is loads, stores and branches as on a GPU, except that a tree of comparisons stands for a return
// through a register.
#include <algorithm>

#include "ir/selection/make_op.h"
#include "native/input/recovery.h"
#include "native/ssa/form.h"

namespace heddle::native {

using ir::MicroOp;
using ir::Opcode;
using ir::Place;
using ir::Type;

namespace {

// Bytes of a thread, of which a GPU has 1024 unless a program asks for more; assumed. 1024 calls nest at most, as for
// micro-ops (exec/control.cpp).
constexpr std::uint32_t kMostStack = 16U * 1024U;
constexpr std::uint32_t kAlignment = 16; // of frames, and the least of one

std::uint32_t aligned(std::uint32_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

} // namespace

Place Recovery::number(std::uint32_t value) {
    return constant_place(draft_, value, 4);
}

// The kernel and the functions that it calls have one stack. In front of it, a word says where that of a called
// function begins.
void Recovery::begin_stack(bool is_kernel) {
    draft_.local_bytes = aligned(kernel_.local_bytes);
    stack_word_ = draft_.local_bytes;
    if (!called_.empty())
        draft_.local_bytes += kAlignment;
    stack_ = fresh(Type::B32);
    limit_ = ir::kPool | static_cast<Place>(draft_.constants.size());
    draft_.constants.push_back({});
    draft_.constants.back().bits = 1; // no other constant of 4 bytes: these fill both words
    if (!is_kernel)
        return access(false, Type::B32, ir::kNowhere, stack_word_, stack_, kernel_.entry);
    move(stack_, draft_.local_bytes, kernel_.entry);
    hand_on_stack(kernel_.entry);
}

// Called functions begin their stack behind the frames that there are.
void Recovery::hand_on_stack(Pc pc) {
    if (!called_.empty())
        access(true, Type::B32, ir::kNowhere, stack_word_, stack_, pc);
}

// The size of the stack is known when all calls are, or it is the same for all functions.
void Recovery::end_stack() {
    if (largest_frame_ == 0 && called_.empty())
        return;
    const std::uint32_t frame = std::max(largest_frame_, kAlignment);
    const std::uint32_t bytes = kMostStack / frame * frame;
    const std::uint64_t last = draft_.local_bytes + std::uint64_t{bytes} - frame;
    draft_.constants[limit_ & ~ir::kPool].bits = last << 32 | last;
    draft_.local_bytes += called_.empty() ? bytes : kMostStack;
    for (const std::uint32_t t : traps_)
        draft_.ops[t].imm = bytes;
}

void Recovery::move(Place to, std::uint32_t value, Pc pc) {
    MicroOp op = ir::make_op(Opcode::Mov, Type::B32);
    op.dst[0] = to;
    op.src[0] = number(value);
    push(op, pc);
}

void Recovery::add_to(Place to, std::uint32_t value, Pc pc) {
    MicroOp op = ir::make_op(Opcode::Add, Type::U32);
    op.dst[0] = op.src[0] = to;
    op.src[1] = number(value);
    push(op, pc);
}

void Recovery::access(bool stores, Type type, Place base, std::int64_t offset, Place value, Pc pc) {
    MicroOp op = ir::make_op(stores ? Opcode::St : Opcode::Ld, type);
    op.space = ir::Space::Local;
    op.src[0] = base;
    op.imm = offset;
    const std::uint8_t bytes = type == Type::B64 ? 8 : 4;
    const std::uint8_t of_base = base == ir::kNowhere ? 8 : 4;
    op.src_bytes = stores ? bytes : of_base;
    op.dst_bytes = stores ? of_base : bytes;
    (stores ? op.src[1] : op.dst[0]) = value;
    push(op, pc);
}

void Recovery::append_cycle(std::uint32_t entry, Pc pc) {
    Cycle cycle;
    cycle.members = cycles_.of(entry);
    cycle.site = fresh(Type::B32);
    for (const std::uint32_t f : cycle.members)
        cycle.live.merge(live_behind_calls(program_, program_.functions[f]));
    move(cycle.site, 0, pc);
    std::vector<std::uint32_t> order = cycle.members;
    std::rotate(order.begin(), std::find(order.begin(), order.end(), entry), order.end());
    ++around_;
    for (const std::uint32_t f : order) {
        cycle.begin[f] = static_cast<std::uint32_t>(draft_.ops.size());
        append_function(f, &cycle);
    }
    --around_;
    for (const auto& [branch, function] : cycle.entries)
        draft_.ops[branch].target = cycle.begin.at(function);
    for (const std::uint32_t r : cycle.returns)
        draft_.ops[r].target = static_cast<Pc>(draft_.ops.size());
    for (std::uint32_t n = 0; n < cycle.landings.size(); ++n) {
        MicroOp compare = ir::make_op(Opcode::Setp, Type::U32);
        compare.sub = ir::Sub::Eq;
        compare.src[0] = cycle.site;
        compare.src[1] = number(n + 1);
        MicroOp branch = ir::make_op(Opcode::Bra);
        branch.guard = compare.dst[0] = fresh(Type::Pred);
        branch.target = cycle.landings[n];
        push(compare, pc);
        push(branch, pc);
    }
    hand_on_stack(pc);
}

// The results lie in memory that the caller may have saved: they are read before it is restored.
void Recovery::append_recursive_call(const MicroOp& call, Pc pc, Cycle& cycle) {
    const ir::Call& site = program_.calls[static_cast<std::size_t>(call.imm)];
    const std::uint32_t skip = append_skip(call, pc);
    check_depth(pc);
    const std::uint32_t frame = transfer(call, pc, cycle, true);
    largest_frame_ = std::max(largest_frame_, frame);
    add_to(stack_, frame, pc);
    for (const ir::Call::Copy& copy : site.arguments)
        append_copy(copy, pc);
    move(cycle.site, static_cast<std::uint32_t>(cycle.landings.size()) + 1, pc);
    cycle.entries.emplace_back(static_cast<std::uint32_t>(draft_.ops.size()), callee_of(call));
    push(ir::make_op(Opcode::Bra), pc);

    cycle.landings.push_back(static_cast<std::uint32_t>(draft_.ops.size()));
    std::vector<std::pair<std::uint32_t, std::pair<Type, Place>>> results; // to; what
    for (const ir::Call::Copy& copy : site.results)
        for (std::uint32_t done = 0; done < copy.bytes;) {
            const std::uint32_t bytes = piece_of(copy.bytes - done, copy.from + done, copy.to + done);
            const Place value = fresh(bytes == 8 ? Type::B64 : Type::B32);
            access(false, type_of_piece(bytes), ir::kNowhere, copy.from + done, value, pc);
            results.push_back({copy.to + done, {type_of_piece(bytes), value}});
            done += bytes;
        }
    add_to(stack_, 0U - frame, pc);
    static_cast<void>(transfer(call, pc, cycle, false));
    for (const auto& [to, what] : results)
        access(true, what.first, ir::kNowhere, to, what.second, pc);
    land_skip(call, skip, pc);
}

void Recovery::check_depth(Pc pc) {
    MicroOp compare = ir::make_op(Opcode::Setp, Type::U32);
    compare.sub = ir::Sub::Gt;
    compare.src[0] = stack_;
    compare.src[1] = limit_;
    MicroOp trap = ir::make_op(Opcode::Call);
    trap.kind = ir::Kind::Trap;
    trap.guard = compare.dst[0] = fresh(Type::Pred);
    push(compare, pc);
    traps_.push_back(static_cast<std::uint32_t>(draft_.ops.size()));
    push(trap, pc);
}

// Saves what the caller needs behind the call, or restores it. Returns the bytes of the frame.
std::uint32_t Recovery::transfer(const MicroOp& call, Pc pc, const Cycle& cycle, bool saves) {
    const ir::Call& site = program_.calls[static_cast<std::size_t>(call.imm)];
    std::uint32_t at = transfer_memory(site.save_param, site.save_param_bytes, 0, saves, pc);
    const auto transfer_all = [&](std::uint32_t bytes) {
        for (const Place place : cycle.live.at(pc)) {
            const Place r = register_at(place);
            if (draft_.registers[r].type == Type::Pred ? bytes != 4 : draft_.registers[r].storage() != bytes)
                continue;
            transfer_register(r, at, saves, pc);
            at += bytes;
        }
    };
    transfer_all(8);
    transfer_all(4);
    transfer_register(cycle.site, at, saves, pc);
    return aligned(at + 4);
}

// Returns the offset in the frame behind the bytes, a multiple of 8.
std::uint32_t Recovery::transfer_memory(std::uint32_t begin, std::uint32_t bytes, std::uint32_t at, bool saves, Pc pc) {
    for (std::uint32_t done = 0; done < bytes;) {
        const std::uint32_t piece = piece_of(bytes - done, begin + done, at + done);
        const Type type = type_of_piece(piece);
        const Place value = fresh(piece == 8 ? Type::B64 : Type::B32);
        access(false, type, saves ? ir::kNowhere : stack_, saves ? begin + done : at + done, value, pc);
        access(true, type, saves ? stack_ : ir::kNowhere, saves ? at + done : begin + done, value, pc);
        done += piece;
    }
    return (at + bytes + 7) / 8 * 8;
}

void Recovery::transfer_register(Place place, std::uint32_t at, bool saves, Pc pc) {
    const Type type = draft_.registers[place].type;
    if (type != Type::Pred)
        return access(saves, draft_.registers[place].storage() == 8 ? Type::B64 : Type::B32, stack_, at, place, pc);
    const Place word = fresh(Type::B32);
    if (!saves)
        access(false, Type::B32, stack_, at, word, pc);
    MicroOp op = ir::make_op(saves ? Opcode::Selp : Opcode::Setp, saves ? Type::B32 : Type::U32);
    op.sub = saves ? ir::Sub::None : ir::Sub::Ne;
    op.dst[0] = saves ? word : place;
    op.src[0] = saves ? number(1) : word;
    op.src[1] = number(0);
    op.src[2] = saves ? place : ir::kNowhere;
    push(op, pc);
    if (saves)
        access(true, Type::B32, stack_, at, word, pc);
}

} // namespace heddle::native
