// vadd2, vadd4 and similar instructions: operations on the halves or bytes of registers.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/video_comparison.h"

namespace heddle::ir {

namespace {

struct Words {
    std::vector<Type> types; // u32 or s32
    Sub compares = Sub::None;
    bool saturates = false, adds = false;
    std::string_view unknown;
};

Words read_words(const ptx::Instruction& instruction) {
    Words out;
    for (const std::string_view word : instruction.modifiers) {
        if (word == "u32" || word == "s32")
            out.types.push_back(word == "u32" ? Type::U32 : Type::S32);
        else if (word == "sat" && !out.saturates)
            out.saturates = true;
        else if (word == "add" && !out.adds)
            out.adds = true;
        else if (video_comparison(word) != Sub::None && out.compares == Sub::None)
            out.compares = video_comparison(word);
        else if (out.unknown.empty())
            out.unknown = word;
    }
    return out;
}

// The digits of ".b3210" or ".h10"; empty for another component. `last`: the largest digit.
std::string_view digits_of(std::string_view component, unsigned elements, char last) {
    if (component.empty() || component[0] != (elements == 4 ? 'b' : 'h'))
        return {};
    component.remove_prefix(1);
    const bool good = std::all_of(component.begin(), component.end(), [&](char c) { return c >= '0' && c <= last; });
    return good ? component : std::string_view{};
}

// A register with the elements of a and b that `from` selects. ".b7531" selects four bytes, the lowest last.
std::optional<Place> chosen_elements(FunctionLowering& f, const Operand& from, Place a, Place b, unsigned elements) {
    const std::string_view digits = digits_of(from.component, elements, elements == 4 ? '7' : '3');
    if (digits.size() != elements) {
        f.cursor.error(from.where,
                       fmt::format("'.{}' chooses no {} elements of two registers", from.component, elements));
        return std::nullopt;
    }
    std::uint64_t selector = 0;
    for (const char c : digits) {
        const auto digit = static_cast<std::uint64_t>(c - '0');
        selector = elements == 4 ? selector << 4 | digit : selector << 8 | (2 * digit + 1) << 4 | 2 * digit;
    }
    MicroOp op = make_op(Opcode::Prmt, Type::B32);
    op.src[0] = a;
    op.src[1] = b;
    op.src[2] = f.places.constant(selector);
    op.dst[0] = f.places.temporary(Type::B32);
    f.emitter.emit(op);
    return op.dst[0];
}

} // namespace

// vadd4.dtype.atype.btype[.sat] d[.mask], a[.asel], b[.bsel], c;   vadd4.dtype.atype.btype.add d[.mask], ...;
// vset4.atype.btype.cmp[.add] d[.mask], a[.asel], b[.bsel], c;     the same with 2 for halves
void select_elements(FunctionLowering& f, Opcode opcode) {
    const Words words = read_words(f.cursor.instruction());
    const bool sets = opcode == Opcode::Vset2 || opcode == Opcode::Vset4;
    if (!words.unknown.empty() || words.types.size() != (sets ? 2U : 3U) || (words.compares != Sub::None) != sets ||
        (words.saturates && (words.adds || sets)))
        return f.cursor.error(fmt::format("'{}' does not exist: there is {}{}.add", f.cursor.text(),
                                          f.cursor.instruction().opcode,
                                          sets ? ".atype.btype.cmp, and with" : ".dtype.atype.btype, with .sat or"));
    if (!f.cursor.count(4, 4))
        return;
    const unsigned elements = f.cursor.instruction().opcode.back() == '4' ? 4 : 2;
    std::array<Operand, 4> plain;
    std::copy_n(f.cursor.operands().begin(), plain.size(), plain.begin());
    for (Operand& operand : plain) {
        operand.component = {};
        if (operand.kind != Operand::Kind::Name || operand.offset != 0 ||
            f.cursor.symbol(operand).kind != Symbol::Kind::Register)
            return f.cursor.error(operand.where, fmt::format("'{}' takes registers alone", f.cursor.text()));
    }
    const std::optional<Place> d = f.operands.destination(plain[0], Type::U32);
    std::optional<Place> a = f.operands.source(plain[1], Type::U32);
    std::optional<Place> b = f.operands.source(plain[2], Type::U32);
    const std::optional<Place> c = f.operands.source(plain[3], Type::U32);
    if (!d || !a || !b || !c)
        return;
    MicroOp op = make_op(opcode, sets ? Type::U32 : words.types[0]);
    op.from = words.types[sets ? 0 : 1];
    op.sub = words.compares;
    op.flags = words.saturates ? std::uint32_t{kSaturate} : 0;
    op.imm = (words.types.back() == Type::S32 ? element_rule::kSignedB : 0) | (words.adds ? element_rule::kAdds : 0);
    if (!f.cursor.operand(3).component.empty())
        return f.cursor.error(f.cursor.operand(3).where,
                              fmt::format("'{}' takes all of its last operand", f.cursor.text()));
    const std::string_view mask = digits_of(f.cursor.operand(0).component, elements, elements == 4 ? '3' : '1');
    const bool descends = std::is_sorted(mask.begin(), mask.end(), std::greater_equal<>());
    if ((mask.empty() && !f.cursor.operand(0).component.empty()) || !descends)
        return f.cursor.error(f.cursor.operand(0).where,
                              fmt::format("'.{}' is no mask of {} elements", f.cursor.operand(0).component, elements));
    for (const char digit : mask)
        op.imm |= std::int64_t{1} << (digit - '0');
    if (mask.empty())
        op.imm |= (std::int64_t{1} << elements) - 1;
    const Place from_a = *a, from_b = *b;
    if (!f.cursor.operand(1).component.empty())
        a = chosen_elements(f, f.cursor.operand(1), from_a, from_b, elements);
    if (!f.cursor.operand(2).component.empty())
        b = chosen_elements(f, f.cursor.operand(2), from_a, from_b, elements);
    if (!a || !b)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.src[1] = *b;
    op.src[2] = *c;
    f.emitter.emit(op);
}

} // namespace heddle::ir
