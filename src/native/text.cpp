#include "native/text.h"

#include <array>

#include <fmt/format.h>

#include "native/routine.h"

namespace heddle::native {

namespace {

using Kind = Operand::Kind;

constexpr std::array<std::string_view, 11> kRoundings = {"",     ".RN",  ".RZ",  ".RM",  ".RP", ".RNI",
                                                         ".RZI", ".RMI", ".RPI", ".RNA", ".RS"};
constexpr std::array<std::string_view, 18> kComparisons = {".EQ",  ".NE",  ".LT",  ".LE",  ".GT",  ".GE",  ".LTU",
                                                           ".LEU", ".GTU", ".GEU", ".EQU", ".NEU", ".NUM", ".NAN"};

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return out;
}

std::string register_name(const Operand& o) {
    static constexpr std::array<std::string_view, 4> kPrefix = {"R", "P", "UR", "UP"};
    std::string out = fmt::format("{}{}", kPrefix.at(static_cast<std::size_t>(o.file)), o.number);
    if (o.part != 0)
        out += fmt::format("+{}", o.part);
    if (o.count > 1)
        out += fmt::format(".{}", 32 * o.count);
    return out;
}

std::string operand_text(const Operand& o, bool uniform = false) {
    const bool is_predicate = o.file == File::Predicate || o.file == File::UniformPredicate;
    std::string text;
    switch (o.kind) {
    case Kind::None:
        return "";
    case Kind::Zero:
        return uniform ? "URZ" : "RZ";
    case Kind::True:
        return fmt::format("{}{}PT", o.inverted ? "!" : "", uniform ? "U" : "");
    case Kind::Register:
        text = register_name(o);
        break;
    case Kind::Constant:
        text = fmt::format("c[{:#x}][{:#x}]", o.bank, o.value);
        break;
    case Kind::Immediate:
        text =
            fmt::format("{:#x}", o.count == 2 && o.value >> 32 == (o.value & 0xffff'ffffU) ? o.value >> 32 : o.value);
        break;
    }
    if (o.reuse)
        text += ".reuse";
    if (o.absolute)
        text = fmt::format("|{}|", text);
    if (o.inverted)
        text = fmt::format("{}{}", is_predicate && o.kind == Kind::Register ? '!' : '~', text);
    return o.minus ? fmt::format("-{}", text) : text;
}

bool compares(Op op) {
    op = vector_form(op);
    return op == Op::Lop3P || op == Op::Isetp || op == Op::IsetpX || op == Op::Fsetp || op == Op::Dsetp ||
           op == Op::Hsetp2;
}

bool accesses(Op op) {
    return info(op).pipe == Pipe::Memory || op == Op::UldcAt;
}

std::string name(const Instruction& i) {
    std::string out(info(i.op).name);
    if (i.op == Op::Mufu || i.op == Op::Atom || i.op == Op::Red) {
        const bool divides = i.op == Op::Mufu && i.mods.source == ir::Opcode::Div; // by the reciprocal
        out.append(".").append(upper(ir::info(divides ? ir::Opcode::Rcp : i.mods.source).name));
    }
    if (i.op == Op::Routine)
        out.append(".").append(upper(routine_of(i)->name));
    if (compares(i.op)) {
        out += kComparisons.at(static_cast<std::size_t>(i.mods.sub) - static_cast<std::size_t>(ir::Sub::Eq));
        if (vector_form(i.op) != Op::Lop3P)
            out += i.mods.combine == ir::BoolOp::Or ? ".OR" : i.mods.combine == ir::BoolOp::Xor ? ".XOR" : ".AND";
    }
    const bool shifts = vector_form(i.op) == Op::Shf;
    if (shifts)
        out += i.mods.sub == ir::Sub::ShfLeft ? ".L" : ".R";
    if ((i.mods.flags & ir::kFtz) != 0)
        out += ".FTZ";
    if ((i.mods.flags & ir::kSaturate) != 0)
        out += ".SAT";
    if (i.mods.rounding != ir::Rounding::None && i.mods.rounding != ir::Rounding::Rn)
        out += kRoundings.at(static_cast<std::size_t>(i.mods.rounding));
    const bool memory = accesses(i.op) && i.mods.type != ir::Type::None;
    if (memory)
        out += fmt::format(".{}", 8 * ptx::size_of(i.mods.type) * i.mods.vector);
    else if (i.mods.type != ir::Type::None && i.mods.type != ir::Type::F32 && i.mods.type != ir::Type::F64)
        out.append(".").append(upper(ptx::name_of(i.mods.type)));
    if (i.mods.from != ir::Type::None)
        out.append(".").append(upper(ptx::name_of(i.mods.from)));
    if (shifts && i.mods.imm == 1)
        out += ".HI";
    return out;
}

// Copies, sums and shifts of the multiply pipe are products with 1 or a power. Their operands as the instruction has
// them.
std::array<Operand, 7> operands(const Instruction& i) {
    const auto number = [](std::uint64_t value) { return Operand{.kind = Kind::Immediate, .value = value}; };
    const Operand zero{.kind = Kind::Zero};
    switch (i.op) {
    case Op::ImadMov:
        return {zero, zero, i.src[0]};
    case Op::ImadIadd:
        return {i.src[0], number(1), i.src[1]};
    case Op::ImadShl:
        return {i.src[0], number(std::uint64_t{1} << i.src[1].value), zero};
    default:
        return i.src;
    }
}

bool has_address(Op op) {
    return accesses(op) && info(op).latency != Latency::Texture && info(op).latency != Latency::Shuffle &&
           op != Op::Membar && op != Op::Cctl && op != Op::Sust;
}

} // namespace

std::string to_string(const Instruction& i) {
    const std::array<Operand, 7> sources = operands(i);
    std::string out;
    if (i.is_guarded())
        out = fmt::format("@{} ", operand_text(i.guard));
    out += name(i);
    std::string_view separator = " ";
    const auto add = [&](std::string_view text) {
        out.append(separator).append(text);
        separator = ", ";
    };
    const bool uniform = info(i.op).pipe == Pipe::Uniform;
    for (const Operand& o : i.dst)
        if (o.kind != Kind::None)
            add(operand_text(o, uniform));
    for (std::size_t s = i.mods.carried; s < sources.size(); ++s) {
        const Operand& o = sources.at(s);
        if (s == 0 && has_address(i.op)) {
            const std::string base = o.kind == Kind::None || o.kind == Kind::Zero ? "" : operand_text(o);
            const std::string displaced = base.empty()      ? fmt::format("{:#x}", i.mods.imm)
                                          : i.mods.imm == 0 ? base
                                                            : fmt::format("{}{:+#x}", base, i.mods.imm);
            const std::string_view bank = vector_form(i.op) != Op::Ldc       ? ""
                                          : i.mods.space == ir::Space::Const ? "c[0x3]"
                                                                             : "c[0x0]";
            add(fmt::format("{}[{}]", bank, displaced));
        } else if (o.kind != Kind::None) {
            add(operand_text(o, uniform));
        }
    }
    for (std::size_t s = 0; s < i.mods.carried; ++s) // what the sequence that ends here computes
        add(fmt::format("{}{}{}", s == 0 ? fmt::format("({} ", upper(ir::info(i.mods.source).name)) : "",
                        operand_text(i.src.at(s)), s + 1U == i.mods.carried ? ")" : ""));
    if (i.op == Op::Bssy || i.op == Op::Bsync)
        add(fmt::format("B{}", i.barrier));
    if (i.op == Op::Bssy || i.op == Op::Bra || i.op == Op::Call)
        add(fmt::format(".L{}", i.target));
    const Op form = vector_form(i.op);
    if (form == Op::Lop3 || form == Op::Lop3P || form == Op::Plop3 || form == Op::Lea)
        add(fmt::format("{:#x}", i.mods.imm));
    if (form == Op::S2r || i.op == Op::Cs2r) {
        constexpr std::array<std::string_view, 15> kNames = {"TID.X",    "TID.Y",    "TID.Z",   "NTID.X",  "NTID.Y",
                                                             "NTID.Z",   "CTAID.X",  "CTAID.Y", "CTAID.Z", "NCTAID.X",
                                                             "NCTAID.Y", "NCTAID.Z", "LANEID",  "WARPID",  "NWARPID"};
        const auto which = static_cast<std::size_t>(i.mods.imm);
        add(which < kNames.size() ? fmt::format("SR_{}", kNames.at(which)) : fmt::format("SR_{}", which));
    }
    return out;
}

std::string to_string(const Control& c) {
    std::string wait = "B";
    for (unsigned k = 0; k < Control::kCounters; ++k)
        wait += (c.wait >> k & 1) != 0 ? static_cast<char>('0' + k) : '-';
    const auto counter = [](std::uint8_t n) { return n == Control::kNoCounter ? '-' : static_cast<char>('0' + n); };
    return fmt::format("{}:R{}:W{}:{}:S{:02}", wait, counter(c.read), counter(c.write), c.yield ? 'Y' : '-', c.stall);
}

} // namespace heddle::native
