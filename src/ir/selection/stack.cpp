// The stack of a thread: alloca, stacksave, stackrestore, .local variables of recursive functions. It lies behind the
// .local variables of the kernel (ir/linking/layout.h): first a word with the bytes in use, then the bytes.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "ir/linking/layout.h"
#include "ir/selection/families.h"
#include "ir/selection/formals.h"
#include "ir/selection/make_op.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

constexpr std::int64_t kDefaultAlignment = 8;

Place stack_address(FunctionLowering& f, std::uint32_t offset) {
    Constant c;
    c.base = Constant::Base::Stack;
    c.bits = offset;
    f.draft.stack_bytes = std::max(f.draft.stack_bytes, f.context.recurses ? kRecursiveStackBytes : kStackBytes);
    return f.places.constant(c);
}

MicroOp access_to_word(FunctionLowering& f, Opcode opcode) {
    MicroOp op = make_op(opcode, Type::U32);
    op.space = Space::Local;
    op.src[0] = stack_address(f, 0);
    op.src_bytes = op.dst_bytes = 4;
    return op;
}

Place load_used(FunctionLowering& f) {
    MicroOp op = access_to_word(f, Opcode::Ld);
    op.dst[0] = f.places.temporary(Type::U32);
    f.emitter.emit(op);
    return op.dst[0];
}

void store_used(FunctionLowering& f, Place used) {
    MicroOp op = access_to_word(f, Opcode::St);
    op.src[1] = used;
    f.emitter.emit(op);
}

// Takes bytes of the stack. Returns their address, of 4 bytes.
Place take(FunctionLowering& f, Place bytes, std::uint32_t alignment) {
    const Place after =
        emit_op(f, Opcode::Add, Type::U32, {load_used(f), stack_address(f, kStackHeader + alignment - 1)});
    const Place begin = emit_op(f, Opcode::And, Type::B32, {after, f.places.constant(std::uint64_t{~(alignment - 1)})});
    const Place end = emit_op(f, Opcode::Add, Type::U32, {begin, bytes});
    store_used(f, emit_op(f, Opcode::Sub, Type::U32, {end, stack_address(f, kStackHeader)}));
    return begin;
}

// alloca.type to, bytes{, alignment};
void allocate(FunctionLowering& f, Type type) {
    if (!f.cursor.count(2, 3))
        return;
    const std::optional<Place> to = f.operands.destination(f.cursor.operand(0), type);
    const std::optional<Place> bytes = f.operands.source(f.cursor.operand(1), type);
    std::optional<std::int64_t> alignment = kDefaultAlignment;
    if (f.cursor.operands().size() == 3)
        alignment = f.operands.integer(f.cursor.operand(2), "the alignment");
    if (!to || !bytes || !alignment)
        return;
    if (*alignment <= 0 || *alignment > kStackBytes || !std::has_single_bit(static_cast<std::uint64_t>(*alignment)))
        return f.cursor.error(f.cursor.operand(2).where,
                              fmt::format("the alignment is a power of two up to {}", kStackBytes));
    const bool wide = ptx::size_of(type) == 8;
    const Place size = wide ? emit_resized(f, Type::U64, *bytes, Type::U32, f.places.temporary(Type::U32)) : *bytes;
    const Place begin = take(f, size, static_cast<std::uint32_t>(*alignment));
    if (wide)
        emit_resized(f, Type::U32, begin, Type::U64, *to);
    else
        emit_copy(f, *to, begin);
}

// stacksave.type to;
void save(FunctionLowering& f, Type type) {
    if (!f.cursor.count(1, 1))
        return;
    const std::optional<Place> to = f.operands.destination(f.cursor.operand(0), type);
    if (!to)
        return;
    const Place used = load_used(f);
    if (ptx::size_of(type) == 8)
        emit_resized(f, Type::U32, used, Type::U64, *to);
    else
        emit_copy(f, *to, used);
}

// stackrestore.type from;
void restore(FunctionLowering& f, Type type) {
    if (!f.cursor.count(1, 1))
        return;
    const std::optional<Place> from = f.operands.destination(f.cursor.operand(0), type); // a register alone
    if (!from)
        return;
    store_used(f, ptx::size_of(type) == 8 ? emit_resized(f, Type::U64, *from, Type::U32, f.places.temporary(Type::U32))
                                          : *from);
}

} // namespace

void select_stack(FunctionLowering& f, const MicroOp& op) {
    if (op.opcode == Opcode::Alloca)
        allocate(f, op.type);
    else if (op.opcode == Opcode::Stacksave)
        save(f, op.type);
    else
        restore(f, op.type);
}

// What a function has allocated is free again when it returns.
void begin_stack(FunctionLowering& f) {
    const ptx::Function& function = f.cursor.function();
    const auto allocates = [](const ptx::Instruction& i) { return i.opcode == "alloca"; };
    const bool has_frame = f.context.recurses && f.variables.local_bytes() != 0;
    if (!function.is_entry && (has_frame || std::any_of(function.body.begin(), function.body.end(), allocates)))
        f.stack_at_entry = load_used(f);
    if (!has_frame)
        return;
    std::uint32_t alignment = kFrameAlignment;
    for (const ptx::Local& local : function.locals)
        if (local.variable.space == Space::Local)
            alignment = std::max(alignment, local.variable.alignment());
    const Place begin = take(f, f.places.constant(f.variables.local_bytes()), alignment);
    f.variables.put_locals_behind(emit_resized(f, Type::U32, begin, Type::U64, f.places.temporary(Type::U64)));
}

void free_stack(FunctionLowering& f) {
    if (f.stack_at_entry != kNowhere)
        store_used(f, f.stack_at_entry);
}

} // namespace heddle::ir
