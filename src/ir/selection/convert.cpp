// Conversions of values (cvt) and of addresses (cvta, isspacep).
#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/sequences.h"
#include "ir/selection/wide_registers.h"

namespace heddle::ir {

namespace {

bool is_integer(Type type) {
    return !ptx::is_float(type);
}

// Whether the integer type `to` holds every value of the integer type `from`.
bool holds(Type to, Type from) {
    if (ptx::is_signed(to) == ptx::is_signed(from))
        return ptx::size_of(to) >= ptx::size_of(from);
    return ptx::is_signed(to) && ptx::size_of(to) > ptx::size_of(from);
}

// The reason why the conversion does not exist; empty when it exists.
std::string_view wrong_conversion(const MicroOp& op, const Modifiers& modifiers) {
    const bool to_int = is_integer(op.type);
    const bool from_int = is_integer(op.from);
    if (to_int && from_int && op.has(kSaturate) && holds(op.type, op.from))
        return ".sat has no effect: the type holds every value";
    const bool bf16 = op.type == Type::BF16 || op.from == Type::BF16;
    if (bf16 && op.has(kSaturate))
        return ".sat does not go with .bf16";
    if (to_int && from_int && op.rounding != Rounding::None)
        return "a conversion between integers does not round";
    if (to_int && !from_int && !modifiers.has(kWithRoundInt))
        return "needs one of .rni, .rzi, .rmi or .rpi";
    if (!to_int && from_int && !modifiers.has(kWithRound))
        return "needs one of .rn, .rz, .rm or .rp";
    const bool floats = !to_int && !from_int;
    const bool widens = ptx::size_of(op.type) > ptx::size_of(op.from);
    if (floats && op.type != op.from && !widens && !modifiers.has(kWithRound))
        return "needs one of .rn, .rz, .rm or .rp";
    if (floats && widens && op.rounding != Rounding::None)
        return "a conversion to a wider type does not round";
    if (!to_int && op.type == op.from && modifiers.has(kWithRound))
        return "rounds to an integer: .rni, .rzi, .rmi or .rpi";
    if (floats && op.type != op.from && modifiers.has(kWithRoundInt))
        return "an integral value keeps its type";
    if (op.has(kFtz) && op.type != Type::F32 && op.from != Type::F32)
        return ".ftz goes with .f32";
    return {};
}

} // namespace

// cvt[.rounding][.ftz][.sat].dtype.atype d, a;
void select_convert(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    const bool bounded = modifiers.has(kWithRelu | kWithSatFinite);
    if (bounded || op.type == Type::TF32 || ptx::is_packed(op.type) || ptx::is_small_float(op.type))
        return select_convert_bounded(f, op);
    if (!f.cursor.count(2, 2))
        return;
    if (const std::string_view wrong = wrong_conversion(op, modifiers); !wrong.empty())
        return f.cursor.error(fmt::format("'{}': {}", f.cursor.text(), wrong));
    if (f.cursor.operand(1).kind == Operand::Kind::Special && !is_integer(op.type))
        return f.cursor.error(f.cursor.operand(1).where,
                              fmt::format("'{}' is read by mov first", f.cursor.operand(1).name));
    const Width width = op.type == Type::BF16 || op.from == Type::BF16 ? Width::Exact : Width::AtLeast;
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), op.type, width);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(1), op.from, width);
    if (!d || !a)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.dst_bytes = f.places.storage(*d);
    op.src_bytes = f.places.storage(*a);
    op.domain = op.type == Type::F64 || op.from == Type::F64 ? Domain::F64
                : is_integer(op.type) && is_integer(op.from) ? Domain::Int
                                                             : Domain::F32;
    f.emitter.emit(op);
    fill_upper_half(f, f.cursor.operand(0), op.type);
}

// cvta[.to].space.size d, a;
void select_cvta(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.count(2, 2))
        return;
    const Symbol named = f.cursor.find(f.cursor.operand(1));
    if (named.kind == Symbol::Kind::Variable && named.variable->space != op.space &&
        !(named.variable->space == Space::Shared && op.space == Space::SharedCluster))
        return f.cursor.error(f.cursor.operand(1).where,
                              fmt::format("'{}' is in .{}; '{}' converts addresses in .{}", f.cursor.operand(1).name,
                                          ptx::name_of(named.variable->space), f.cursor.text(),
                                          ptx::name_of(op.space)));
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), op.type);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(1), op.type);
    if (!d || !a)
        return;
    // A parameter of a function lies in local memory.
    if (op.space == Space::Param && !f.cursor.function().is_entry)
        op.space = Space::Local;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.dst_bytes = op.src_bytes = f.places.storage(*d);
    f.emitter.emit(op);
}

// isspacep.space p, a;
void select_isspacep(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.count(2, 2))
        return;
    const std::optional<Place> p = f.operands.predicate_destination(f.cursor.operand(0), false);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(1), Type::U64);
    if (!p || !a)
        return;
    op.type = Type::U64;
    op.dst[0] = *p;
    op.src[0] = *a;
    op.src_bytes = 8;
    if (op.space != Space::Const && op.space != Space::Global && op.space != Space::Shared)
        return static_cast<void>(f.emitter.emit(op));
    op.kind = Kind::Special; // the allocations or the block's cluster decide
    op.dst[0] = f.places.temporary(Type::U32);
    f.emitter.emit(op);
    emit_compare(f, Sub::Ne, Type::U32, *p, op.dst[0], f.places.constant(0));
}

} // namespace heddle::ir
