// mov in its many forms, conversions of values and of addresses.
#include <array>

#include <fmt/format.h>

#include "base/suggest.h"
#include "ir/selection/select.h"

namespace heddle::ir {

namespace {

struct SpecialName {
    std::string_view name;
    SpecialRegister which;
    bool wide = false;
};

constexpr SpecialName kSpecials[] = {
    {"%tid.x", SpecialRegister::TidX},
    {"%tid.y", SpecialRegister::TidY},
    {"%tid.z", SpecialRegister::TidZ},
    {"%ntid.x", SpecialRegister::NtidX},
    {"%ntid.y", SpecialRegister::NtidY},
    {"%ntid.z", SpecialRegister::NtidZ},
    {"%ctaid.x", SpecialRegister::CtaidX},
    {"%ctaid.y", SpecialRegister::CtaidY},
    {"%ctaid.z", SpecialRegister::CtaidZ},
    {"%nctaid.x", SpecialRegister::NctaidX},
    {"%nctaid.y", SpecialRegister::NctaidY},
    {"%nctaid.z", SpecialRegister::NctaidZ},
    {"%laneid", SpecialRegister::Laneid},
    {"%warpid", SpecialRegister::Warpid},
    {"%nwarpid", SpecialRegister::Nwarpid},
    {"%smid", SpecialRegister::Smid},
    {"%nsmid", SpecialRegister::Nsmid},
    {"%gridid", SpecialRegister::Gridid, true},
    {"%lanemask_eq", SpecialRegister::LanemaskEq},
    {"%lanemask_le", SpecialRegister::LanemaskLe},
    {"%lanemask_lt", SpecialRegister::LanemaskLt},
    {"%lanemask_ge", SpecialRegister::LanemaskGe},
    {"%lanemask_gt", SpecialRegister::LanemaskGt},
    {"%clock", SpecialRegister::Clock},
    {"%clock_hi", SpecialRegister::ClockHi},
    {"%clock64", SpecialRegister::Clock64, true},
    {"%globaltimer", SpecialRegister::Globaltimer, true},
    {"%globaltimer_lo", SpecialRegister::GlobaltimerLo},
    {"%globaltimer_hi", SpecialRegister::GlobaltimerHi},
    {"%dynamic_smem_size", SpecialRegister::DynamicSmemSize},
    {"%total_smem_size", SpecialRegister::TotalSmemSize},
    {"%envreg1", SpecialRegister::Envreg1},
    {"%envreg2", SpecialRegister::Envreg2},
};

// Special registers that PTX has and this program can not read, by how they begin.
constexpr std::string_view kUnreadable[] = {
    "%envreg",
    "%pm",
    "%cluster",
    "%ncluster",
    "%is_explicit_cluster",
    "%aggr_smem_size",
    "%reserved_smem_offset",
    "%current_graph_exec",
};

Type bits_of(unsigned bytes) {
    return bytes == 1 ? Type::B8 : bytes == 2 ? Type::B16 : bytes == 4 ? Type::B32 : Type::B64;
}

bool is_integer(Type type) {
    return !ptx::is_float(type);
}

} // namespace

// mov.type d, a;   mov.b d, {a, b};   mov.b {a, b}, d;
void Selector::select_move(MicroOp op) {
    if (!count(2, 2))
        return;
    const Operand& to = now_->operands[0];
    const Operand& from = now_->operands[1];
    if (from.kind == Operand::Kind::Vector)
        return select_pack(op, from);
    if (to.kind == Operand::Kind::Vector)
        return select_unpack(op, to);
    if (from.kind == Operand::Kind::Special)
        return select_special(op);
    const std::optional<Place> d = destination(to, op.type);
    bool negated = false;
    const Symbol named = from.kind == Operand::Kind::Name ? names_.find(from.name, at_) : Symbol{};
    const std::optional<Place> a = named.kind == Symbol::Kind::Function
                                       ? constant(code_address(named.index), ptx::size_of(op.type) == 8)
                                   : op.type == Type::Pred ? predicate(from, negated)
                                                           : source(from, op.type);
    if (!d || !a)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    if (negated)
        op.flags |= kSourceNegated;
    if (op.type != Type::Pred)
        op.dst_bytes = op.src_bytes = storage(*d);
    emit(op);
}

// Makes `op` a read of the special register; its kind is Nop when this program has no such register to read.
bool Selector::read_special(MicroOp& op, const Operand& operand) {
    const SpecialName* found = nullptr;
    Suggestion near(operand.name);
    for (const SpecialName& s : kSpecials) {
        near.consider(s.name);
        if (s.name == operand.name)
            found = &s;
    }
    op.opcode = Opcode::MovSpecial;
    if (found == nullptr) {
        op.kind = Kind::Nop;
        for (const std::string_view begin : kUnreadable)
            if (operand.name.starts_with(begin))
                return true;
        error(operand.where, fmt::format("unknown special register '{}'{}", operand.name, did_you_mean(near.name())));
        return false;
    }
    op.kind = Kind::Special;
    op.type = found->wide ? Type::U64 : Type::U32;
    op.from = Type::None;
    op.dst_bytes = op.src_bytes = found->wide ? 8 : 4;
    op.domain = Domain::Int;
    op.imm = static_cast<std::int64_t>(found->which);
    return true;
}

void Selector::select_special(MicroOp op) {
    const Operand& from = now_->operands[1];
    const Type type = op.type;
    if (!read_special(op, from))
        return;
    if (op.kind == Kind::Nop)
        return placeholder(Opcode::Mov);
    if (ptx::is_float(type) || type == Type::Pred || ptx::size_of(type) > op.dst_bytes ||
        (ptx::size_of(type) == 4 && op.dst_bytes == 8))
        return error(from.where, fmt::format("'{}' is read by mov.u{}", from.name, 8 * op.dst_bytes));
    const std::optional<Place> d = destination(now_->operands[0], type);
    if (!d)
        return;
    op.dst[0] = *d;
    emit(op);
}

// A special register among the operands of something else than mov: read into a register of its own first.
std::optional<Place> Selector::special_operand(const Operand& operand, Type type) {
    MicroOp op;
    op.work = Work::Logic;
    if (!read_special(op, operand))
        return std::nullopt;
    if (op.kind == Kind::Nop) {
        placeholder(Opcode::Mov);
        return temporary(type);
    }
    const bool wide = op.dst_bytes == 8;
    if (ptx::is_float(type) || type == Type::Pred || wide != (ptx::size_of(type) == 8)) {
        error(operand.where,
              fmt::format("'{}' has type .u{}, which '{}' can not take here", operand.name, 8 * op.dst_bytes, text()));
        return std::nullopt;
    }
    op.dst[0] = temporary(op.type);
    emit(op);
    return op.dst[0];
}

void Selector::select_pack(MicroOp op, const Operand& vector) {
    const std::size_t n = vector.elements.size();
    const unsigned bytes = ptx::size_of(op.type);
    if (op.type != bits_of(bytes) || (n != 2 && n != 4) || bytes / n == 0)
        return error(now_->where, fmt::format("'{}' can not pack {} registers", text(), n));
    const std::optional<Place> d = destination(now_->operands[0], op.type);
    bool good = d.has_value();
    op.opcode = Opcode::Pack;
    op.from = bits_of(bytes / static_cast<unsigned>(n));
    op.vector = static_cast<std::uint8_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::optional<Place> s = source(vector.elements[i], op.from);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    if (!good)
        return;
    op.dst[0] = *d;
    op.dst_bytes = storage(*d);
    op.src_bytes = 4;
    emit(op);
}

void Selector::select_unpack(MicroOp op, const Operand& vector) {
    const std::size_t n = vector.elements.size();
    const unsigned bytes = ptx::size_of(op.type);
    if (op.type != bits_of(bytes) || (n != 2 && n != 4) || bytes / n == 0)
        return error(now_->where, fmt::format("'{}' can not unpack into {} registers", text(), n));
    const std::optional<Place> s = source(now_->operands[1], op.type);
    bool good = s.has_value();
    op.opcode = Opcode::Unpack;
    op.from = bits_of(bytes / static_cast<unsigned>(n));
    op.vector = static_cast<std::uint8_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::optional<Place> d = destination(vector.elements[i], op.from, Width::Exact, true);
        good = good && d.has_value();
        op.dst[i] = d.value_or(kNowhere);
    }
    if (!good)
        return;
    op.src[0] = *s;
    op.src_bytes = storage(*s);
    op.dst_bytes = 4;
    emit(op);
}

// cvt[.rounding][.ftz][.sat].dtype.atype d, a;
void Selector::select_convert(MicroOp op, const Modifiers& modifiers) {
    if (ptx::is_packed(op.type))
        return select_convert_pair(op);
    if (op.type == Type::TF32)
        return select_convert_tf32(op);
    if (!count(2, 2))
        return;
    const bool to_int = is_integer(op.type);
    const bool from_int = is_integer(op.from);
    const unsigned to_bytes = ptx::size_of(op.type);
    const unsigned from_bytes = ptx::size_of(op.from);
    std::string_view wrong;
    if (to_int && from_int && op.rounding != Rounding::None)
        wrong = "a conversion between integers does not round";
    else if (to_int && !from_int && !modifiers.has(kWithRoundInt))
        wrong = "needs one of .rni, .rzi, .rmi or .rpi";
    else if (!to_int && from_int && !modifiers.has(kWithRound))
        wrong = "needs one of .rn, .rz, .rm or .rp";
    else if (!to_int && !from_int && op.type != op.from && to_bytes <= from_bytes && !modifiers.has(kWithRound))
        wrong = "needs one of .rn, .rz, .rm or .rp";
    else if (!to_int && !from_int && to_bytes > from_bytes && op.rounding != Rounding::None)
        wrong = "a conversion to a wider type does not round";
    else if (!to_int && op.type == op.from && modifiers.has(kWithRound))
        wrong = "rounds to an integer: .rni, .rzi, .rmi or .rpi";
    else if (!to_int && !from_int && op.type != op.from && modifiers.has(kWithRoundInt))
        wrong = "an integral value keeps its type";
    else if (op.has(kFtz) && op.type != Type::F32 && op.from != Type::F32)
        wrong = ".ftz goes with .f32";
    if (!wrong.empty())
        return error(now_->where, fmt::format("'{}': {}", text(), wrong));
    const std::optional<Place> d = destination(now_->operands[0], op.type, Width::AtLeast);
    const std::optional<Place> a = source(now_->operands[1], op.from, Width::AtLeast);
    if (!d || !a)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.dst_bytes = storage(*d);
    op.src_bytes = storage(*a);
    op.domain = op.type == Type::F64 || op.from == Type::F64 ? Domain::F64
                : !to_int || !from_int                       ? Domain::F32
                                                             : Domain::Int;
    emit(op);
}

// cvt.rounding.pair.f32 d, a, b;   a becomes the upper half
void Selector::select_convert_pair(MicroOp op) {
    if (op.rounding != Rounding::Rn && op.rounding != Rounding::Rz)
        return error(now_->where, fmt::format("'{}' rounds by .rn or .rz", text()));
    if (!count(3, 3))
        return;
    const std::optional<Place> d = destination(now_->operands[0], op.type);
    const std::optional<Place> a = source(now_->operands[1], op.from);
    const std::optional<Place> b = source(now_->operands[2], op.from);
    if (!d || !a || !b)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.src[1] = *b;
    op.domain = Domain::F32;
    emit(op);
}

// cvt.rounding.tf32.f32 d, a;   d is a .b32 register
void Selector::select_convert_tf32(MicroOp op) {
    if (op.rounding != Rounding::Rna && op.rounding != Rounding::Rn && op.rounding != Rounding::Rz)
        return error(now_->where, fmt::format("'{}' rounds by .rna, .rn or .rz", text()));
    if (!count(2, 2))
        return;
    const std::optional<Place> d = destination(now_->operands[0], Type::B32);
    const std::optional<Place> a = source(now_->operands[1], op.from);
    if (!d || !a)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.domain = Domain::F32;
    emit(op);
}

// cvta[.to].space.size d, a;
void Selector::select_cvta(MicroOp op) {
    if (!count(2, 2))
        return;
    const std::optional<Place> d = destination(now_->operands[0], op.type);
    Operand from = now_->operands[1];
    const std::optional<Place> a = source(from, op.type);
    if (!d || !a)
        return;
    // A parameter of a function lies in local memory, and its address is one there.
    if (op.space == Space::Param && !function_.is_entry)
        op.space = Space::Local;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.dst_bytes = op.src_bytes = storage(*d);
    emit(op);
}

// isspacep.space p, a;
void Selector::select_isspacep(MicroOp op) {
    if (!count(2, 2))
        return;
    const std::optional<Place> p = predicate_destination(now_->operands[0], false);
    const std::optional<Place> a = source(now_->operands[1], Type::U64);
    if (!p || !a)
        return;
    op.type = Type::U64;
    op.dst[0] = *p;
    op.src[0] = *a;
    op.src_bytes = 8;
    emit(op);
}

} // namespace heddle::ir
