// vadd, vmad, vset and similar instructions: operations on words, or on a half or byte of each operand.
#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/video_comparison.h"

namespace heddle::ir {

namespace {

namespace rule = video_rule;

struct VideoWords {
    std::vector<Type> types; // u32 or s32
    Sub compares = Sub::None;
    bool saturates = false, clamps = false, wraps = false, plus_one = false;
    std::int64_t second = 0; // rule::kAdds, kMinimum or kMaximum
    int shift = 0;
    std::string_view unknown;
};

// Takes a word that no earlier one contradicts.
bool take(std::string_view word, VideoWords& out) {
    const auto once = [](auto& field, auto value) {
        const bool free = !field;
        field = value;
        return free;
    };
    if (word == "sat")
        return once(out.saturates, true);
    if (word == "po")
        return once(out.plus_one, true);
    if (word == "clamp" || word == "wrap")
        return once(word == "clamp" ? out.clamps : out.wraps, true) && !(out.clamps && out.wraps);
    if (word == "add" || word == "min" || word == "max")
        return once(out.second, word == "add" ? rule::kAdds : word == "min" ? rule::kMinimum : rule::kMaximum);
    if (word == "shr7" || word == "shr15")
        return once(out.shift, word == "shr7" ? 7 : 15);
    if (const Sub sub = video_comparison(word); sub != Sub::None && out.compares == Sub::None) {
        out.compares = sub;
        return true;
    }
    return false;
}

VideoWords read_video_words(const ptx::Instruction& instruction) {
    VideoWords out;
    for (const std::string_view word : instruction.modifiers) {
        if (word == "u32" || word == "s32")
            out.types.push_back(word == "u32" ? Type::U32 : Type::S32);
        else if (!take(word, out) && out.unknown.empty())
            out.unknown = word;
    }
    return out;
}

// The forms that the opcode has, where `words` are none of them; else empty.
std::string_view right_forms(Opcode opcode, const VideoWords& w) {
    const bool shifts = opcode == Opcode::Vshl || opcode == Opcode::Vshr;
    const bool compares = opcode == Opcode::Vset, multiplies = opcode == Opcode::Vmad;
    const bool typed = w.types.size() == (compares ? 2U : 3U) && (!shifts || w.types[2] == Type::U32);
    const bool modes = shifts == (w.clamps || w.wraps) && compares == (w.compares != Sub::None);
    const bool scaled = w.plus_one || w.shift != 0;
    if (w.unknown.empty() && typed && modes && (multiplies ? w.second == 0 : !scaled) && !(compares && w.saturates))
        return {};
    if (shifts)
        return ".dtype.atype.u32 with .clamp or .wrap, and .sat, .add, .min or .max";
    if (compares)
        return ".atype.btype with a comparison (.eq .ne .lt .le .gt .ge), and .add, .min or .max";
    if (multiplies)
        return ".dtype.atype.btype with .po, .sat, .shr7 or .shr15";
    return ".dtype.atype.btype with .sat, .add, .min or .max";
}

// A selector by its name: b0 to b3, h0, h1, or none for all of the register; -1 for another name.
std::int64_t selector(std::string_view component) {
    if (component.empty())
        return rule::kWord;
    const bool byte = component[0] == 'b', half = component[0] == 'h';
    if (component.size() != 2 || (!byte && !half) || component[1] < '0' || component[1] > (byte ? '3' : '1'))
        return -1;
    return (byte ? rule::kByte : rule::kHalf) + (component[1] - '0');
}

// The selectors of an instruction, and which of its operands have a minus.
struct Parts {
    std::int64_t selectors = 0;
    std::array<bool, 4> minus{};
    std::array<Operand, 4> plain;
};

// Takes selectors and signs from the operands. False: an error is reported.
bool read_parts(FunctionLowering& f, Opcode opcode, Parts& out) {
    constexpr int kShifts[] = {rule::kSelectD, rule::kSelectA, rule::kSelectB};
    for (std::size_t i = 0; i < f.cursor.operands().size(); ++i) {
        Operand& operand = out.plain[i] = f.cursor.operand(i);
        const std::int64_t part = selector(operand.component);
        const bool selects = i < 3 && !(i == 0 && opcode == Opcode::Vmad);
        if (part < 0 || (part != rule::kWord && !selects)) {
            f.cursor.error(operand.where, part < 0
                                              ? fmt::format("'.{}' is no part of a register: there are .b0 to .b3, "
                                                            ".h0 and .h1",
                                                            operand.component)
                                              : fmt::format("'{}' takes all of this operand", f.cursor.text()));
            return false;
        }
        if (i < 3)
            out.selectors |= part << kShifts[i];
        operand.component = {};
        if (opcode == Opcode::Vmad && i > 0) {
            out.minus[i] = operand.minus;
            operand.minus = false;
        }
    }
    return true;
}

// vmad: one of the product and c may be negated, and nothing with .po.
bool read_signs(FunctionLowering& f, const VideoWords& words, const Parts& parts, MicroOp& op) {
    const bool product = parts.minus[1] != parts.minus[2], c = parts.minus[3];
    if ((product && c) || (words.plus_one && (product || c))) {
        f.cursor.error(words.plus_one ? "vmad.po negates no operand"
                                      : "vmad negates either the product, by a minus of a or b, or c");
        return false;
    }
    op.imm |= (product ? rule::kNegatedProduct : 0) | (c ? rule::kNegatedC : 0) |
              (words.plus_one ? rule::kPlusOne : 0) | std::int64_t{words.shift} << rule::kShift;
    return true;
}

} // namespace

// vadd.dtype.atype.btype[.sat][.op] d[.part], a[.part], b[.part][, c];   vmad... d, [-]a[.part], [-]b[.part], [-]c;
void select_video(FunctionLowering& f, Opcode opcode) {
    const VideoWords words = read_video_words(f.cursor.instruction());
    if (const std::string_view right = right_forms(opcode, words); !right.empty())
        return f.cursor.error(
            fmt::format("'{}' does not exist: there is {}{}", f.cursor.text(), f.cursor.instruction().opcode, right));
    const bool needs_c = opcode == Opcode::Vmad || words.second != 0;
    if (!f.cursor.count(needs_c ? 4 : 3, 4))
        return;
    Parts parts;
    if (!read_parts(f, opcode, parts))
        return;
    const bool merges = (parts.selectors >> rule::kSelectD & 7) != rule::kWord;
    if (merges && (words.second != 0 || f.cursor.operands().size() != 4))
        return f.cursor.error(f.cursor.operand(0).where,
                              words.second != 0 ? "a part of the destination goes without .add, .min and .max"
                                                : "a part of the destination needs c, for the other parts");
    MicroOp op = make_op(opcode, opcode == Opcode::Vset ? Type::U32 : words.types[0]);
    op.from = words.types[opcode == Opcode::Vset ? 0 : 1];
    op.sub = words.compares;
    op.flags = (words.saturates ? std::uint32_t{kSaturate} : 0) | (words.clamps ? std::uint32_t{kClamp} : 0);
    op.imm = parts.selectors | words.second | (merges ? rule::kMerges : 0) |
             (words.types.back() == Type::S32 ? rule::kSignedB : 0);
    if (!read_signs(f, words, parts, op))
        return;
    const std::optional<Place> d = f.operands.destination(parts.plain[0], Type::U32);
    bool good = d.has_value();
    for (std::size_t i = 1; i < f.cursor.operands().size(); ++i) {
        const std::optional<Place> s = f.operands.source(parts.plain[i], Type::U32);
        good = good && s.has_value();
        op.src[i - 1] = s.value_or(kNowhere);
    }
    if (!good)
        return;
    op.dst[0] = *d;
    f.emitter.emit(op);
}

} // namespace heddle::ir
