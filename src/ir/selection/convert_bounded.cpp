// Conversions between floating-point formats with .relu or .satfinite, to several numbers in a register, to tf32 and to
// formats of 4 to 8 bits; cvt.pack.
#include <algorithm>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/sequences.h"
#include "ir/selection/wide_registers.h"

namespace heddle::ir {

namespace {

bool is_four(Type type) {
    return type >= Type::E4M3x4 && type <= Type::E2M1x4;
}

// The roundings that the conversion has, for messages; empty where it has that of `op`.
std::string_view other_roundings(const MicroOp& op) {
    using enum Rounding;
    const Rounding r = op.rounding;
    if (op.type == Type::TF32) {
        if (op.has(kRelu))
            return r == Rn || r == Rz ? "" : ".rn or .rz with .relu";
        return r == Rn || r == Rz || r == Rna ? "" : ".rna, .rn or .rz";
    }
    if (op.type == Type::UE8M0x2)
        return r == Rz || r == Rp ? "" : ".rz or .rp";
    if (is_four(op.type))
        return ""; // the form has .rs alone
    if (ptx::is_small_float(op.type) || ptx::is_small_float(op.from))
        return r == Rn ? "" : ".rn";
    if (ptx::is_packed(op.type))
        return r == Rn || r == Rz || r == Rs ? "" : ".rn, .rz or .rs";
    return r == Rn || r == Rz ? "" : ".rn or .rz with .relu and .satfinite";
}

// Registers of these types are wider than the type where the text says so.
Width width_of(Type type) {
    return type == Type::F16 || type == Type::F16x2 ? Width::AtLeast : Width::Exact;
}

// The register of a format that no register is declared with, or of a packed number: of bits.
// `Read`: reads an operand as a source or a destination of a type.
template <class Read>
std::optional<Place> bits_register(FunctionLowering& f, const Operand& operand, Type type, Read read) {
    const unsigned bytes = ptx::size_of(type);
    const Type bits = bytes == 1 ? Type::B8 : bytes == 2 ? Type::B16 : Type::B32;
    const Symbol found = f.cursor.find(operand);
    if (found.kind == Symbol::Kind::Register) {
        const Type has = found.variable->type;
        if (has == bits || has == type)
            return read(operand, has);
    }
    f.cursor.error(operand.where, fmt::format("'{}' needs a register of type .{} here{}", f.cursor.text(),
                                              ptx::name_of(bits), type == Type::F16x2 ? " or .f16x2" : ""));
    return std::nullopt;
}

std::optional<Place> bits_source(FunctionLowering& f, const Operand& operand, Type type) {
    return bits_register(f, operand, type, [&](const Operand& o, Type has) { return f.operands.source(o, has); });
}

std::optional<Place> result_register(FunctionLowering& f, const MicroOp& op) {
    const Operand& to = f.cursor.operand(0);
    if (ptx::is_small_float(op.type) || ptx::is_small_float(op.from) || op.type == Type::TF32)
        return bits_register(f, to, op.type,
                             [&](const Operand& o, Type has) { return f.operands.destination(o, has); });
    return f.operands.destination(to, op.type, width_of(op.type));
}

// One or two operands, or a vector of four.
bool read_sources(FunctionLowering& f, MicroOp& op, std::size_t count) {
    std::vector<Operand> list(f.cursor.operands().begin() + 1, f.cursor.operands().end());
    list.resize(count == 4 ? 1 : count);
    if (count == 4) {
        if (list[0].kind != Operand::Kind::Vector) {
            f.cursor.error(list[0].where,
                           fmt::format("'{}' needs a vector of four here: {{a, b, c, d}}", f.cursor.text()));
            return false;
        }
        list = elements(f.cursor, list[0], 4);
    }
    bool good = list.size() == count;
    const bool may_be_wider = ptx::is_half(op.type) && width_of(op.type) == Width::AtLeast;
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::optional<Place> place;
        if (op.from != Type::F32)
            place = bits_source(f, list[i], op.from);
        else
            place = may_be_wider ? read_narrowed(f, list[i], op.from) : f.operands.source(list[i], op.from);
        good = good && place.has_value();
        op.src[i] = place.value_or(kNowhere);
    }
    return good;
}

} // namespace

// cvt.rounding[.relu][.satfinite].dtype.atype d, a[, b][, random];   cvt.rs ... d, {a, b, c, d}, random;
void select_convert_bounded(FunctionLowering& f, MicroOp op) {
    if (const std::string_view others = other_roundings(op); !others.empty())
        return f.cursor.error(fmt::format("'{}' rounds by {}", f.cursor.text(), others));
    const bool two = op.from == Type::F32 && (ptx::is_packed(op.type) || ptx::is_small_float(op.type));
    const std::size_t sources = is_four(op.type) ? 4 : two ? 2 : 1;
    const bool random = op.rounding == Rounding::Rs;
    const std::size_t wanted = 1 + (sources == 4 ? 1 : sources) + (random ? 1 : 0);
    if (!f.cursor.count(wanted, wanted))
        return;
    const std::optional<Place> d = result_register(f, op);
    bool good = read_sources(f, op, sources) && d.has_value();
    if (random) {
        const std::optional<Place> bits = bits_source(f, f.cursor.operand(wanted - 1), Type::B32);
        good = good && bits.has_value();
        op.src[sources] = bits.value_or(kNowhere);
    }
    if (!good)
        return;
    op.domain = Domain::F32;
    emit_extended(f, op, *d);
    fill_upper_half(f, f.cursor.operand(0), op.type);
}

namespace {

struct PackWords {
    bool saturates = false, wrong = false;
    std::vector<std::string_view> types;
};

PackWords read_pack_words(const ptx::Instruction& instruction) {
    PackWords out;
    for (std::size_t i = 1; i < instruction.modifiers.size(); ++i) {
        const std::string_view word = instruction.modifiers[i];
        if (word == "sat" && !out.saturates && out.types.empty())
            out.saturates = true;
        else if (word != "sat" && out.types.size() < 3)
            out.types.push_back(word);
        else
            out.wrong = true;
    }
    return out;
}

// The bits of an element, negative for a signed one; 0 for another type.
int packed_bits(std::string_view type) {
    constexpr std::pair<std::string_view, int> kTypes[] = {{"u2", 2}, {"s2", -2}, {"u4", 4},   {"s4", -4},
                                                           {"u8", 8}, {"s8", -8}, {"u16", 16}, {"s16", -16}};
    for (const auto& [name, bits] : kTypes)
        if (name == type)
            return bits;
    return 0;
}

} // namespace

// cvt.pack.sat.{u16 or s16}.s32 d, a, b;   cvt.pack.sat.{u2 s2 u4 s4 u8 s8}.s32.b32 d, a, b, c;
void select_convert_pack(FunctionLowering& f) {
    const PackWords words = read_pack_words(f.cursor.instruction());
    const int bits = words.types.empty() ? 0 : packed_bits(words.types[0]);
    const bool merges = bits != 16 && bits != -16;
    const std::vector<std::string_view> rest =
        merges ? std::vector<std::string_view>{"s32", "b32"} : std::vector<std::string_view>{"s32"};
    if (words.wrong || !words.saturates || bits == 0 ||
        !std::equal(rest.begin(), rest.end(), words.types.begin() + 1, words.types.end()))
        return f.cursor.error(fmt::format("'{}' does not exist: there is cvt.pack.sat.u16.s32, also with .s16, and "
                                          "cvt.pack.sat.u8.s32.b32, also with .s8, .u4, .s4, .u2 and .s2",
                                          f.cursor.text()));
    const std::size_t wanted = merges ? 4 : 3;
    if (!f.cursor.count(wanted, wanted))
        return;
    MicroOp op = make_op(Opcode::CvtPack, Type::B32);
    op.imm = bits;
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), Type::U32, Width::AtLeast);
    bool good = d.has_value();
    for (std::size_t i = 0; i + 1 < wanted; ++i) {
        const std::optional<Place> s = read_narrowed(f, f.cursor.operand(1 + i), i == 2 ? Type::B32 : Type::S32);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    if (!good)
        return;
    emit_extended(f, op, *d);
    fill_upper_half(f, f.cursor.operand(0), op.type);
}

} // namespace heddle::ir
