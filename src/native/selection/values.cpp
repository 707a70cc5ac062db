// Operands of native code for the values of the SSA form.
#include <algorithm>

#include "native/selection/selector.h"

namespace heddle::native {

using Kind = Operand::Kind;

Operand immediate(std::uint64_t value) {
    Operand out;
    out.kind = Kind::Immediate;
    out.value = value;
    return out;
}
Operand zero() {
    Operand out;
    out.kind = Kind::Zero;
    return out;
}
Operand always(bool value) {
    Operand out;
    out.kind = Kind::True;
    out.file = File::Predicate;
    out.inverted = !value;
    return out;
}
Operand part_of(Operand operand, unsigned part, unsigned count) {
    if (operand.kind == Kind::Register) {
        operand.part = static_cast<std::uint8_t>(operand.part + part);
        operand.count = static_cast<std::uint8_t>(count);
    } else if (operand.kind == Kind::Immediate && count == 1) {
        operand = immediate(operand.value >> (32 * part) & 0xffff'ffffU);
    } else if (operand.kind == Kind::Constant) {
        operand.value += 4 * std::uint64_t{part};
        operand.count = static_cast<std::uint8_t>(count);
    }
    return operand.kind == Kind::Immediate && count == 1 && operand.value == 0 ? zero() : operand;
}
Operand negated(Operand operand) {
    if (operand.kind == Kind::Immediate)
        operand.value = (0 - operand.value) & 0xffff'ffffU;
    else if (operand.kind != Kind::Zero)
        operand.minus = !operand.minus;
    return operand;
}
Operand inverted(Operand operand) {
    if (operand.kind == Kind::Immediate)
        operand.value = ~operand.value & 0xffff'ffffU;
    else if (operand.kind == Kind::Zero)
        return immediate(0xffff'ffffU);
    else
        operand.inverted = !operand.inverted;
    return operand;
}

unsigned Selector::storage(Place p) const {
    return form_.draft.registers[p].storage();
}
std::uint64_t Selector::bits(Place p) const {
    return native::bits_of(form_.draft, p);
}

const ir::MicroOp* Selector::definition(Place p) const {
    if (p == ir::kNowhere || !is_register(p) || definitions_[p] == kNoOp)
        return nullptr;
    const MicroOp& op = form_.draft.ops[definitions_[p]];
    return op.guard == ir::kNowhere ? &op : nullptr;
}

// Whether an op has the guard of the one that is selected, and threads without it have no value.
bool Selector::shares_guard(std::uint32_t i) const {
    const MicroOp& op = form_.draft.ops[i];
    const MicroOp& user = form_.draft.ops[op_];
    return op.guard == user.guard && op.guard_negated == user.guard_negated &&
           std::all_of(form_.kept[i].begin(), form_.kept[i].end(), [](Place old) { return old == ir::kNowhere; });
}

const ir::MicroOp* Selector::only_use(Place p) const {
    if (p == ir::kNowhere || !is_register(p) || definitions_[p] == kNoOp || uses_[p] != 1)
        return nullptr;
    const MicroOp& op = form_.draft.ops[definitions_[p]];
    return op.guard == ir::kNowhere || shares_guard(definitions_[p]) ? &op : nullptr;
}

Operand Selector::value(Place p) {
    if (values_[p].kind == Kind::None) {
        const ir::Type type = form_.draft.registers[p].type;
        values_[p] = type == ir::Type::Pred ? out_.fresh(File::Predicate) : out_.fresh(File::Vector, storage(p) / 4);
    }
    return values_[p];
}

Operand Selector::word(Place p, unsigned half) {
    if (is_constant(p))
        return part_of(immediate(bits(p)), half);
    if (const MicroOp* op = definition(p); op != nullptr && is_operand(*op))
        return loaded(*op, p, half);
    else if (op != nullptr && is_dimension(*op))
        return dimension(*op);
    return part_of(value(p), half);
}

Operand Selector::in_register(const Operand& operand) {
    if (operand.kind == Kind::Register || operand.kind == Kind::Zero)
        if (!operand.minus && !operand.inverted && !operand.absolute)
            return operand;
    const bool is_plain = !operand.minus && !operand.inverted && !operand.absolute;
    if (is_plain && (operand.kind == Kind::Constant || operand.kind == Kind::Immediate))
        return kept_constant(operand, 1);
    const Operand out = temporary();
    copy(out, operand);
    return out;
}

Operand Selector::pair(Place p) {
    const Operand operand = wide(p);
    return operand.kind == Kind::Register ? operand : kept_constant(operand, 2);
}

Operand Selector::wide(Place p) {
    if (is_constant(p))
        return immediate(bits(p));
    if (storage(p) == 4) { // zero-extended
        return group({word(p), zero()});
    }
    if (const MicroOp* op = definition(p); op != nullptr && is_operand(*op)) {
        Operand out = loaded(*op, p, 0);
        out.count = 2;
        return out;
    }
    return value(p);
}

Operand Selector::predicate(Place p, bool negated) {
    if (p == ir::kNowhere)
        return always(!negated);
    if (is_constant(p))
        return always(((bits(p) & 0xffff'ffffU) != 0) != negated);
    Operand out = value(p);
    out.inverted = negated;
    return out;
}

Operand Selector::group(std::initializer_list<Operand> words) {
    return group(std::vector<Operand>(words));
}

Operand Selector::group(const std::vector<Operand>& words) {
    if (words.size() == 1)
        return in_register(words.front());
    const Operand out = temporary(words.size() == 2 ? 2 : words.size() <= 4 ? 4 : words.size() <= 8 ? 8 : 16);
    for (unsigned i = 0; i < words.size(); ++i)
        copy(part_of(out, i), words[i]);
    Operand used = out;
    used.count = static_cast<std::uint8_t>(words.size());
    return used;
}

Operand Selector::extended(Place p, ir::Type type) {
    const unsigned bytes = ptx::size_of(type);
    if (bytes >= 4)
        return word(p);
    const bool negative = ptx::is_signed(type);
    if (is_constant(p)) {
        const unsigned shift = 32 - 8 * bytes;
        const auto up = static_cast<std::uint32_t>(bits(p) << shift);
        const std::uint32_t v =
            negative ? static_cast<std::uint32_t>(static_cast<std::int32_t>(up) >> shift) : up >> shift;
        return v == 0 ? zero() : immediate(v);
    }
    if (const MicroOp* op = definition(p); op != nullptr && op->kind == ir::Kind::Load &&
                                           ptx::size_of(op->type) == bytes && ptx::is_signed(op->type) == negative &&
                                           !is_operand(*op))
        return word(p); // loads extend
    const Operand out = temporary();
    if (negative) {
        emit(Op::Sgxt, {out}, {word(p), immediate(8 * bytes)}).mods.type = ir::Type::S32;
    } else {
        Instruction& i = emit(Op::Lop3, {out}, {word(p), immediate(bytes == 1 ? 0xff : 0xffff), zero()});
        i.mods.imm = 0xc0;
    }
    return out;
}

Operand Selector::number(Place p, ir::Type type, bool ftz) {
    const bool wide_type = ptx::size_of(type) == 8;
    bool minus = false;
    bool absolute = false;
    while (const MicroOp* op = definition(p)) {
        const bool sign = op->opcode == ir::Opcode::Neg || op->opcode == ir::Opcode::Abs;
        if (!sign || op->kind != ir::Kind::Alu || op->type != type || op->has(ir::kFtz) != ftz)
            break;
        if (op->opcode == ir::Opcode::Abs)
            absolute = true;
        else if (!absolute)
            minus = !minus;
        p = op->src[0];
    }
    if (is_constant(p) && (minus || absolute)) {
        const Operand out = temporary(wide_type ? 2 : 1);
        copy_words(out, wide_type ? wide(p) : word(p));
        Operand signed_out = out;
        signed_out.minus = minus;
        signed_out.absolute = absolute;
        return signed_out;
    }
    Operand out = wide_type ? wide(p) : word(p);
    out.minus = minus;
    out.absolute = absolute;
    return out;
}

Operand Selector::temporary(unsigned width) {
    return out_.fresh(File::Vector, width);
}
Operand Selector::temporary_predicate() {
    return out_.fresh(File::Predicate);
}

Instruction& Selector::emit(Op op, std::initializer_list<Operand> dst, std::initializer_list<Operand> src) {
    Instruction i;
    i.op = op;
    std::copy(dst.begin(), dst.end(), i.dst.begin());
    std::copy(src.begin(), src.end(), i.src.begin());
    i.guard = guard_;
    i.origins = {form_.pcs[op_]};
    if (i.is_guarded())
        for (const Operand& d : i.dst)
            i.keeps =
                i.keeps || (d.kind == Kind::Register && std::find(kept_.begin(), kept_.end(), d.number) != kept_.end());
    legalise(i);
    out_.blocks[block_].code.push_back(std::move(i));
    return out_.blocks[block_].code.back();
}

// The encoding has one place for a constant or an immediate, never the first source. Memory, special-function, branch
// and tensor instructions read registers only, apart from their own immediates.
void Selector::legalise(Instruction& i) {
    const OpInfo& row = info(i.op);
    if (i.op == Op::Mov || i.op == Op::S2r || row.pipe == Pipe::Branch || i.op == Op::Uldc)
        return;
    const auto is_free = [](const Operand& o) { return o.kind == Kind::Constant || o.kind == Kind::Immediate; };
    const bool none = row.pipe == Pipe::Memory;
    const bool commutes = i.op == Op::Iadd3 || i.op == Op::Iadd3X || i.op == Op::Fadd || i.op == Op::Fmul ||
                          i.op == Op::Ffma || i.op == Op::Imad || i.op == Op::Dadd || i.op == Op::Dmul ||
                          i.op == Op::Dfma || i.op == Op::Hadd2 || i.op == Op::Hmul2 || i.op == Op::Hfma2;
    if (commutes && is_free(i.src[0]) && !is_free(i.src[1])) {
        std::swap(i.src[0], i.src[1]);
        i.mods.swapped = true;
    }
    // A constant pair costs two copies, so it has the place before an immediate.
    std::size_t pair_at = i.src.size();
    for (std::size_t s = 1; s < i.src.size(); ++s)
        if (i.src.at(s).kind == Operand::Kind::Constant && i.src.at(s).count == 2)
            pair_at = s;
    bool taken = none || pair_at < i.src.size();
    for (std::size_t s = 0; s < i.src.size(); ++s) {
        Operand& o = i.src.at(s);
        if (s == pair_at && !none)
            continue;
        if (!is_free(o) || (none && s != 0 && o.kind == Kind::Immediate && i.op == Op::Shfl))
            continue;
        const bool first = s == 0 && row.pipe != Pipe::Special;
        const bool fits_wide = o.kind == Kind::Constant || row.pipe != Pipe::Double || (o.value & 0xffff'ffffU) == 0;
        if (!first && !taken && fits_wide) {
            taken = true;
            continue;
        }
        const bool is_pair =
            o.kind == Kind::Constant ? o.count == 2 : row.pipe == Pipe::Double || (i.op == Op::ImadWide && s == 2);
        Operand raw = o;
        raw.minus = raw.absolute = raw.inverted = false;
        Operand used = kept_constant(raw, is_pair ? 2 : 1);
        used.minus = o.minus;
        used.absolute = o.absolute;
        used.inverted = o.inverted;
        o = used;
    }
}

// A constant in registers: one copy serves the block, without a guard.
Operand Selector::kept_constant(const Operand& constant, unsigned width) {
    const auto key = std::make_tuple(constant.kind, constant.bank, constant.value, width);
    if (const auto found = constants_.find(key); found != constants_.end())
        return found->second;
    const Operand out = temporary(width);
    const Operand guard = guard_;
    guard_ = {};
    copy_words(out, constant);
    guard_ = guard;
    constants_[key] = out;
    return out;
}

// The sizes of block and grid lie in front of the parameters.
bool Selector::is_dimension(const MicroOp& op) const {
    using S = ir::SpecialRegister;
    const auto which = static_cast<S>(op.imm);
    return op.opcode == ir::Opcode::MovSpecial && op.guard == ir::kNowhere && storage(op.dst[0]) == 4 &&
           ((which >= S::NtidX && which <= S::NtidZ) || (which >= S::NctaidX && which <= S::NctaidZ));
}

Operand Selector::dimension(const MicroOp& op) const {
    using S = ir::SpecialRegister;
    const auto which = static_cast<S>(op.imm);
    const bool grid = which >= S::NctaidX;
    Operand out;
    out.kind = Kind::Constant;
    out.value = 4 * static_cast<std::uint64_t>(op.imm - static_cast<std::int64_t>(grid ? S::NctaidX : S::NtidX)) +
                (grid ? 12 : 0);
    return out;
}

void Selector::copy(const Operand& to, const Operand& from) {
    if (to.file == File::Predicate) {
        Instruction& i = emit(Op::Plop3, {to}, {from, always(), always()});
        i.mods.imm = 0xf0;
        return;
    }
    emit(Op::Mov, {to}, {from});
}

void Selector::copy_words(const Operand& to, const Operand& from) {
    for (unsigned w = 0; w < to.count; ++w)
        copy(to.count == 1 ? to : part_of(to, w),
             to.count == 1 && from.kind != Kind::Immediate ? from : part_of(from, w));
}

void Selector::set_modifiers(Instruction& i) const {
    const MicroOp& op = form_.draft.ops[op_];
    i.mods.type = op.type;
    i.mods.from = op.from;
    i.mods.rounding = op.rounding;
    i.mods.sub = op.sub;
    i.mods.combine = op.combine;
    i.mods.space = op.space;
    i.mods.source = op.opcode;
    i.mods.kind = op.kind;
    i.mods.vector = op.vector;
    i.mods.flags = op.flags & ~std::uint32_t{ir::kSourceNegated | ir::kCombineNegated};
    i.mods.imm = op.imm;
}

void Selector::stand_for(Instruction& i) const {
    const MicroOp& op = form_.draft.ops[op_];
    set_modifiers(i);
    const auto describe = [&](const auto& places, std::uint8_t& used, std::uint8_t& wide) {
        for (std::size_t p = 0; p < places.size(); ++p)
            if (const Place place = places.at(p); place != ir::kNowhere) {
                const bool is_wide = is_register(place) && storage(place) == 8;
                used = static_cast<std::uint8_t>(used | 1U << p);
                wide = static_cast<std::uint8_t>(wide | (is_wide ? 1U : 0U) << p);
            }
    };
    describe(op.src, i.mods.sources, i.mods.wide_sources);
    describe(op.dst, i.mods.results, i.mods.wide_results);
}

} // namespace heddle::native
