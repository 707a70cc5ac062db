// Arithmetic, logic and comparison.
#include <fmt/format.h>

#include "ir/selection/select.h"

namespace heddle::ir {

namespace {

Type twice(Type type) {
    switch (type) {
    case Type::U16:
        return Type::U32;
    case Type::S16:
        return Type::S32;
    case Type::U32:
        return Type::U64;
    case Type::S32:
        return Type::S64;
    default:
        return Type::None;
    }
}

bool is_unsigned(Type type) {
    return type == Type::U16 || type == Type::U32 || type == Type::U64;
}

// Why this comparison does not go with this type; empty when it does.
std::string_view wrong_comparison(const Modifiers& modifiers, Type type) {
    const Sub sub = modifiers.sub;
    const bool bits = type == Type::B16 || type == Type::B32 || type == Type::B64;
    if (modifiers.unsigned_only && !is_unsigned(type))
        return "lo, ls, hi and hs compare unsigned types";
    if (bits && sub != Sub::Eq && sub != Sub::Ne)
        return "untyped bits compare by eq and ne";
    const bool needs_float = sub >= Sub::Ltu && sub <= Sub::Nan;
    if (needs_float && !ptx::is_float(type))
        return "equ, neu, ltu, leu, gtu, geu, num and nan compare floating-point types";
    return {};
}

} // namespace

void Selector::by_signature(MicroOp op, const Form& form) {
    std::string_view signature = form.operands;
    const bool wide = op.sub == Sub::Wide && (op.opcode == Opcode::Mul || op.opcode == Opcode::Mad);
    if (wide && twice(op.type) == Type::None)
        return error(now_->where, fmt::format("'{}': .wide takes 16 and 32-bit types", text()));
    if (op.sub == Sub::Wide && !wide)
        return error(now_->where, fmt::format("'{}' takes .lo or .hi", text()));
    if (op.has(kSaturate) && (op.opcode == Opcode::Mad || op.opcode == Opcode::Mad24) && op.type == Type::S32 &&
        op.sub != Sub::Hi)
        return error(now_->where, fmt::format("'{}': .sat goes with .hi", text()));
    if (wide)
        signature = signature.size() == 3 ? "WAA" : "WAAw";
    if (!count(signature.size(), signature.size()))
        return;
    bool good = true;
    bool first_source = true;
    std::size_t next = 0;
    for (std::size_t i = 0; i < signature.size(); ++i) {
        const Operand& operand = now_->operands[i];
        std::optional<Place> place;
        switch (signature[i]) {
        case 'D':
            place = op.dst[0] = destination(operand, op.type).value_or(kNowhere);
            break;
        case 'W':
            place = op.dst[0] = destination(operand, twice(op.type)).value_or(kNowhere);
            break;
        case 'o':
            place = op.dst[0] = destination(operand, Type::U32).value_or(kNowhere);
            break;
        case 'P':
            place = op.dst[0] = predicate_destination(operand, false).value_or(kNowhere);
            break;
        case 'p': {
            bool negated = false;
            place = op.src[next++] = predicate(operand, negated).value_or(kNowhere);
            if (negated)
                op.flags |= kSourceNegated;
            break;
        }
        default: {
            const Type type = signature[i] == 'A'   ? op.type
                              : signature[i] == 'w' ? twice(op.type)
                              : signature[i] == 'F' ? op.from
                                                    : Type::U32;
            place = op.src[next++] = source(operand, type).value_or(kNowhere);
            if (first_source && *place != kNowhere && op.type != Type::Pred)
                op.src_bytes = storage(*place);
            first_source = false;
            break;
        }
        }
        good = good && *place != kNowhere;
    }
    if (!good)
        return;
    if (op.type != Type::Pred && op.opcode != Opcode::Testp)
        op.dst_bytes = storage(op.dst[0]);
    if (op.opcode == Opcode::Prmt && op.sub == Sub::None)
        op.sub = Sub::PrmtIndex;
    emit(op);
}

// setp.cmp[.bool].type p[|q], a, b[, [!]c];   set.cmp[.bool].dtype.stype d, a, b[, [!]c];
void Selector::select_compare(MicroOp op, const Modifiers& modifiers) {
    const bool set = op.opcode == Opcode::Set;
    const Type type = set ? op.from : op.type;
    if (set)
        op.domain = domain_of(type);
    if (const std::string_view wrong = wrong_comparison(modifiers, type); !wrong.empty())
        return error(now_->where, fmt::format("'{}': {}", text(), wrong));
    const bool combines = op.combine != BoolOp::None;
    const std::size_t first = now_->paired ? 2 : 1;
    const std::size_t wanted = first + 2 + (combines ? 1 : 0);
    if (now_->paired && set)
        return error(now_->where, "'set' has one destination");
    if (now_->paired && ptx::is_half(type) && !ptx::is_packed(type))
        return error(now_->where, fmt::format("'{}' has one destination; a second is for a pair's upper half", text()));
    if (!count(wanted, wanted))
        return;
    const std::vector<Operand>& operands = now_->operands;
    bool good = true;
    const auto keep = [&](std::optional<Place> place, Place& where) {
        good = good && place.has_value();
        where = place.value_or(kNowhere);
    };
    if (set)
        keep(destination(operands[0], op.type), op.dst[0]);
    else
        keep(predicate_destination(operands[0], now_->paired), op.dst[0]);
    if (now_->paired)
        keep(predicate_destination(operands[1], true), op.dst[1]);
    keep(source(operands[first], type), op.src[0]);
    keep(source(operands[first + 1], type), op.src[1]);
    if (combines) {
        bool negated = false;
        keep(predicate(operands[first + 2], negated), op.src[2]);
        if (negated)
            op.flags |= kCombineNegated;
    }
    if (!good)
        return;
    op.src_bytes = storage(op.src[0]);
    emit(op);
}

// lop3.b32 d, a, b, c, table;
void Selector::select_lop3(MicroOp op) {
    if (!count(5, 5))
        return;
    const std::optional<Place> d = destination(now_->operands[0], op.type);
    bool good = d.has_value();
    for (std::size_t i = 0; i < 3; ++i) {
        const std::optional<Place> s = source(now_->operands[i + 1], op.type);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    const std::optional<std::int64_t> table = integer(now_->operands[4], "the truth table");
    if (!good || !table)
        return;
    if (*table < 0 || *table > 255)
        return error(now_->operands[4].where, "a truth table of three inputs is a number from 0 to 255");
    op.dst[0] = *d;
    op.imm = *table;
    emit(op);
}

} // namespace heddle::ir
