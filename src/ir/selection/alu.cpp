// Arithmetic, logic and comparison.
#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"

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

// The reason why the comparison does not exist for the type; empty when it exists.
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

// Reads the operands that the signature lists (Form::operands). False: an error is reported.
bool read_signature(FunctionLowering& f, std::string_view signature, MicroOp& op) {
    bool good = true;
    bool first_source = true;
    std::size_t next = 0;
    for (std::size_t i = 0; i < signature.size(); ++i) {
        const Operand& operand = f.cursor.operand(i);
        std::optional<Place> place;
        switch (signature[i]) {
        case 'D':
            place = op.dst[0] = f.operands.destination(operand, op.type).value_or(kNowhere);
            break;
        case 'W':
            place = op.dst[0] = f.operands.destination(operand, twice(op.type)).value_or(kNowhere);
            break;
        case 'o':
            place = op.dst[0] = f.operands.destination(operand, Type::U32).value_or(kNowhere);
            break;
        case 'P':
            place = op.dst[0] = f.operands.predicate_destination(operand, false).value_or(kNowhere);
            break;
        case 'p': {
            bool negated = false;
            place = op.src[next++] = f.operands.predicate(operand, negated).value_or(kNowhere);
            if (negated)
                op.flags |= kSourceNegated;
            break;
        }
        default: {
            const bool position = op.opcode == Opcode::Bfe || op.opcode == Opcode::Bfi; // of a bit, or a count of them
            if (position && signature[i] == 'u' && operand.kind == Operand::Kind::Integer && operand.bits > 255) {
                f.cursor.error(operand.where, fmt::format("'{}' takes constants from 0 to 255 here", f.cursor.text()));
                return false;
            }
            const Type type = signature[i] == 'A'   ? op.type
                              : signature[i] == 'w' ? twice(op.type)
                              : signature[i] == 'F' ? op.from
                                                    : Type::U32;
            place = op.src[next++] = f.operands.source(operand, type).value_or(kNowhere);
            if (first_source && *place != kNowhere && op.type != Type::Pred)
                op.src_bytes = f.places.storage(*place);
            first_source = false;
            break;
        }
        }
        good = good && *place != kNowhere;
    }
    return good;
}

} // namespace

void select_by_signature(FunctionLowering& f, MicroOp op, std::string_view signature) {
    const bool wide = op.sub == Sub::Wide && (op.opcode == Opcode::Mul || op.opcode == Opcode::Mad);
    if (wide && twice(op.type) == Type::None)
        return f.cursor.error(fmt::format("'{}': .wide takes 16 and 32-bit types", f.cursor.text()));
    if (op.sub == Sub::Wide && !wide)
        return f.cursor.error(fmt::format("'{}' takes .lo or .hi", f.cursor.text()));
    if (op.has(kSaturate) && (op.opcode == Opcode::Mad || op.opcode == Opcode::Mad24) && op.type == Type::S32 &&
        op.sub != Sub::Hi)
        return f.cursor.error(fmt::format("'{}': .sat goes with .hi", f.cursor.text()));
    if (wide)
        signature = signature.size() == 3 ? "WAA" : "WAAw";
    const bool extreme = op.opcode == Opcode::Min || op.opcode == Opcode::Max;
    if (extreme && op.type == Type::F32 && f.cursor.operands().size() == 4)
        signature = "DAAA";
    if (!f.cursor.count(signature.size(), signature.size()))
        return;
    if (!read_signature(f, signature, op))
        return;
    if (op.type != Type::Pred && op.opcode != Opcode::Testp)
        op.dst_bytes = f.places.storage(op.dst[0]);
    if (op.opcode == Opcode::Prmt && op.sub == Sub::None)
        op.sub = Sub::PrmtIndex;
    f.emitter.emit(op);
}

// setp.cmp[.bool].type p[|q], a, b[, [!]c];   set.cmp[.bool].dtype.stype d, a, b[, [!]c];
void select_compare(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    const bool set = op.opcode == Opcode::Set;
    const bool paired = f.cursor.instruction().paired;
    const Type type = set ? op.from : op.type;
    if (set)
        op.domain = domain_of(type);
    if (const std::string_view wrong = wrong_comparison(modifiers, type); !wrong.empty())
        return f.cursor.error(fmt::format("'{}': {}", f.cursor.text(), wrong));
    const bool combines = op.combine != BoolOp::None;
    const std::size_t first = paired ? 2 : 1;
    const std::size_t wanted = first + 2 + (combines ? 1 : 0);
    if (paired && set)
        return f.cursor.error("'set' has one destination");
    if (paired && ptx::is_half(type) && !ptx::is_packed(type))
        return f.cursor.error(
            fmt::format("'{}' has one destination; a second is for a pair's upper half", f.cursor.text()));
    if (!f.cursor.count(wanted, wanted))
        return;
    const std::vector<Operand>& operands = f.cursor.operands();
    bool good = true;
    const auto keep = [&](std::optional<Place> place, Place& where) {
        good = good && place.has_value();
        where = place.value_or(kNowhere);
    };
    if (set)
        keep(f.operands.destination(operands[0], op.type), op.dst[0]);
    else
        keep(f.operands.predicate_destination(operands[0], paired), op.dst[0]);
    if (paired)
        keep(f.operands.predicate_destination(operands[1], true), op.dst[1]);
    keep(f.operands.source(operands[first], type), op.src[0]);
    keep(f.operands.source(operands[first + 1], type), op.src[1]);
    if (combines) {
        bool negated = false;
        keep(f.operands.predicate(operands[first + 2], negated), op.src[2]);
        if (negated)
            op.flags |= kCombineNegated;
    }
    if (!good)
        return;
    op.src_bytes = f.places.storage(op.src[0]);
    f.emitter.emit(op);
}

namespace {

// The predicates of lop3.op: d|p and q. False: an error is reported.
bool read_combination(FunctionLowering& f, MicroOp& op) {
    const std::optional<Place> p = f.operands.predicate_destination(f.cursor.operand(1), false);
    bool negated = false;
    const std::optional<Place> q = f.operands.predicate(f.cursor.operand(6), negated);
    op.dst[1] = p.value_or(kNowhere);
    op.src[3] = q.value_or(kNowhere);
    if (negated)
        op.flags |= kCombineNegated;
    return p && q;
}

} // namespace

// lop3.b32 d, a, b, c, table;   lop3.op.b32 d|p, a, b, c, table, [!]q;
void select_lop3(FunctionLowering& f, MicroOp op) {
    const bool combines = op.combine != BoolOp::None;
    if (op.combine == BoolOp::Xor)
        return f.cursor.error("lop3 combines its predicates by .and or .or");
    if (f.cursor.instruction().paired != combines)
        return f.cursor.error(combines ? fmt::format("'{}' has two destinations, d|p", f.cursor.text())
                                       : "a predicate is a destination of lop3.and and lop3.or alone");
    const std::size_t first = combines ? 2 : 1;
    if (!f.cursor.count(combines ? 7 : 5, combines ? 7 : 5))
        return;
    const bool dropped = combines && f.cursor.operand(0).kind == Operand::Kind::Sink;
    const std::optional<Place> d =
        dropped ? f.places.temporary(op.type) : f.operands.destination(f.cursor.operand(0), op.type);
    bool good = d.has_value();
    for (std::size_t i = 0; i < 3; ++i) {
        const std::optional<Place> s = f.operands.source(f.cursor.operand(first + i), op.type);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    const Operand& last = f.cursor.operand(first + 3);
    const std::optional<std::int64_t> table = f.operands.integer(last, "the truth table");
    if ((combines && !read_combination(f, op)) || !good || !table)
        return;
    if (*table < 0 || *table > 255)
        return f.cursor.error(last.where, "a truth table of three inputs is a number from 0 to 255");
    op.dst[0] = *d;
    op.imm = *table;
    f.emitter.emit(op);
}

} // namespace heddle::ir
