// Logic, comparisons, selections, moves.
#include "native/selection/selector.h"

namespace heddle::native {

// Its bytes, then copies of its sign or zeros from a second word of zeros.
std::uint32_t element_selector(unsigned offset, unsigned bytes, bool is_signed) {
    std::uint32_t out = 0;
    for (unsigned b = 0; b < 4; ++b) {
        constexpr std::uint32_t kZero = 4, kSign = 8;
        const std::uint32_t last = offset + bytes - 1;
        const std::uint32_t byte = b < bytes ? offset + b : is_signed ? kSign | last : kZero;
        out |= byte << (4 * b);
    }
    return out;
}

namespace {

// Columns of a truth table: input a is bit 2 of the row number, b bit 1, c bit 0.
constexpr std::array<std::uint8_t, 3> kColumn = {0xf0, 0xcc, 0xaa};

std::uint8_t apply(ir::Opcode opcode, std::uint8_t a, std::uint8_t b) {
    switch (opcode) {
    case ir::Opcode::And:
        return a & b;
    case ir::Opcode::Or:
        return a | b;
    case ir::Opcode::Xor:
        return a ^ b;
    default:
        return static_cast<std::uint8_t>(~a);
    }
}

bool is_simple(const ir::MicroOp& op) {
    return op.kind == ir::Kind::Alu && op.type != ir::Type::Pred &&
           (op.opcode == ir::Opcode::And || op.opcode == ir::Opcode::Or || op.opcode == ir::Opcode::Xor ||
            op.opcode == ir::Opcode::Not);
}

// The inputs of a logic expression of at most three values, and its truth table.
struct Expression {
    std::array<ir::Place, 3> input{ir::kNowhere, ir::kNowhere, ir::kNowhere};
    unsigned count = 0;

    // The column of a value; 0 where a fourth would be needed.
    std::uint8_t column(ir::Place p) {
        for (unsigned i = 0; i < count; ++i)
            if (input.at(i) == p)
                return kColumn.at(i);
        if (count == 3)
            return 0;
        input.at(count) = p;
        return kColumn.at(count++);
    }
};

} // namespace

// A source that another logic operation computes for this one alone becomes part of it.
Selector::LogicFunction Selector::logic_function(const MicroOp& op) const {
    if (op.opcode == ir::Opcode::Lop3)
        return {{op.src[0], op.src[1], op.src[2]}, 3, static_cast<std::uint8_t>(op.imm)};
    Expression expression;
    std::array<std::uint8_t, 2> column{};
    const unsigned sources = op.opcode == ir::Opcode::Not ? 1 : 2;
    for (const unsigned merged : {3U, 1U, 2U, 0U}) { // which sources: a bit each
        expression = {};
        bool fits = true;
        for (unsigned s = 0; s < sources; ++s) {
            const MicroOp* inner = (merged >> s & 1) != 0 ? only_use(op.src.at(s)) : nullptr;
            if (inner != nullptr && is_simple(*inner) && ptx::size_of(inner->type) == ptx::size_of(op.type)) {
                const std::uint8_t a = expression.column(inner->src[0]);
                const std::uint8_t b = inner->opcode == ir::Opcode::Not ? a : expression.column(inner->src[1]);
                fits = fits && a != 0 && b != 0;
                column.at(s) = apply(inner->opcode, a, b);
            } else {
                column.at(s) = expression.column(op.src.at(s));
                fits = fits && column.at(s) != 0;
            }
        }
        unsigned constants = 0;
        for (unsigned i = 0; i < expression.count; ++i)
            constants += is_constant(expression.input.at(i)) ? 1 : 0;
        if (fits && (constants <= 1 || merged == 0))
            break;
    }
    return {expression.input, expression.count, apply(op.opcode, column[0], column[1])};
}

Instruction& Selector::emit_logic(Op native, const Operand& to, const LogicFunction& function, unsigned half) {
    std::array<Operand, 3> in = {zero(), zero(), zero()};
    for (unsigned i = 0; i < function.count; ++i)
        in.at(i) = word(function.input.at(i), half);
    Instruction& out = emit(native, {to}, {in[0], in[1], in[2]});
    out.mods.imm = function.table;
    return out;
}

void Selector::logic(const MicroOp& op) {
    const unsigned words = ptx::size_of(op.type) == 8 ? 2 : 1;
    if (op.opcode == ir::Opcode::Cnot)
        return routine(op);
    if (op.opcode == ir::Opcode::Lop3 && (op.dst[1] != ir::kNowhere || op.dst[0] == ir::kNowhere))
        return routine(op);
    const LogicFunction function = logic_function(op);
    for (unsigned w = 0; w < words; ++w)
        emit_logic(Op::Lop3, words == 2 ? part_of(value(op.dst[0]), w) : value(op.dst[0]), function, w);
}

void Selector::predicate_logic(const MicroOp& op) {
    const bool first_negated = op.has(ir::kSourceNegated);
    std::uint8_t table = 0xf0;
    if (op.opcode == ir::Opcode::Lop3 || op.opcode == ir::Opcode::Cnot)
        refuse();
    if (op.opcode != ir::Opcode::Mov)
        table = apply(op.opcode, kColumn[0], kColumn[1]);
    const Operand b = op.src[1] == ir::kNowhere ? always() : predicate(op.src[1]);
    Instruction& i = emit(Op::Plop3, {value(op.dst[0])}, {predicate(op.src[0], first_negated), b, always()});
    i.mods.imm = table;
}

void Selector::compare(const MicroOp& op) {
    Operand p = op.dst[0] == ir::kNowhere ? Operand{} : value(op.dst[0]);
    const Operand q = op.dst[1] == ir::kNowhere ? Operand{} : value(op.dst[1]);
    if (p.kind == Operand::Kind::None)
        p = always();
    compare_into(op, p, q);
}

// The logic operation whose result, used nowhere else, a comparison tests for 0; null: it is another one.
const ir::MicroOp* Selector::tested_logic(const MicroOp& op) const {
    const bool tests = (op.sub == ir::Sub::Eq || op.sub == ir::Sub::Ne) && op.src[2] == ir::kNowhere &&
                       is_constant(op.src[1]) && (bits(op.src[1]) & 0xffff'ffffU) == 0;
    const MicroOp* const inner = tests ? only_use(op.src[0]) : nullptr;
    const ir::Type type = op.opcode == ir::Opcode::Set ? op.from : op.type;
    const bool fits = inner != nullptr && is_simple(*inner) && ptx::size_of(type) == 4 && !ptx::is_float(type) &&
                      ptx::size_of(inner->type) == 4;
    return fits ? inner : nullptr;
}

// p = (a ? b) op c,  q = !(a ? b) op c
void Selector::compare_into(const MicroOp& op, const Operand& p, const Operand& q) {
    const ir::Type type = op.opcode == ir::Opcode::Set ? op.from : op.type;
    const unsigned bytes = ptx::size_of(type);
    const Operand c = op.src[2] == ir::kNowhere ? always() : predicate(op.src[2], op.has(ir::kCombineNegated));
    const ir::BoolOp combine = op.combine == ir::BoolOp::None ? ir::BoolOp::And : op.combine;
    const auto finish = [&](Instruction& i, ir::Type as) {
        i.mods.type = as;
        i.mods.sub = op.sub;
        i.mods.combine = combine;
        i.mods.flags = op.flags & ir::kFtz;
    };
    if (ptx::is_half(type))
        return finish(emit(Op::Hsetp2, {p, q}, {word(op.src[0]), word(op.src[1]), c}), type);
    if (ptx::is_float(type)) {
        const bool ftz = op.has(ir::kFtz);
        const Operand a = number(op.src[0], type, ftz);
        const Operand b = number(op.src[1], type, ftz);
        return finish(emit(bytes == 8 ? Op::Dsetp : Op::Fsetp, {p, q}, {a, b, c}), type);
    }
    const bool negative = ptx::is_signed(type);
    if (const MicroOp* tested = tested_logic(op); tested != nullptr && q.is(Operand::Kind::None)) {
        emit_logic(Op::Lop3P, p, logic_function(*tested), 0).mods.sub = op.sub;
        return;
    }
    if (bytes < 8)
        return finish(emit(Op::Isetp, {p, q}, {extended(op.src[0], type), extended(op.src[1], type), c}),
                      negative ? ir::Type::S32 : ir::Type::U32);
    const Operand a = wide(op.src[0]);
    const Operand b = wide(op.src[1]);
    const Operand low = temporary_predicate();
    Instruction& first = emit(Op::Isetp, {low}, {part_of(a, 0), part_of(b, 0), always()});
    first.mods.type = ir::Type::U32;
    first.mods.sub = op.sub;
    first.mods.combine = ir::BoolOp::And;
    finish(emit(Op::IsetpX, {p, q}, {part_of(a, 1), part_of(b, 1), c, low}), negative ? ir::Type::S32 : ir::Type::U32);
}

void Selector::select_by(const MicroOp& op) {
    const Operand p = predicate(op.src[2], op.has(ir::kSourceNegated));
    const unsigned words = ptx::size_of(op.type) == 8 ? 2 : 1;
    for (unsigned w = 0; w < words; ++w) {
        const Operand d = words == 2 ? part_of(value(op.dst[0]), w) : value(op.dst[0]);
        const Operand a = word(op.src[0], w);
        const Operand b = word(op.src[1], w);
        const bool swaps = a.kind == Operand::Kind::Immediate || a.kind == Operand::Kind::Constant;
        if (swaps)
            emit(Op::Sel, {d}, {b, a, inverted(p)});
        else
            emit(Op::Sel, {d}, {a, b, p});
    }
}

// set: all ones, or 1.0 of a floating-point type; slct: by the sign of c.
void Selector::set(const MicroOp& op) {
    const Operand p = temporary_predicate();
    if (op.opcode == ir::Opcode::Set) {
        const bool pairs = ptx::is_half(op.from) && ptx::size_of(op.from) == 4;
        if (pairs || ptx::size_of(op.type) != 4 || (ptx::is_float(op.type) && op.type != ir::Type::F32))
            return routine(op);
        compare_into(op, p, {});
        const std::uint64_t yes = op.type == ir::Type::F32 ? 0x3f80'0000U : 0xffff'ffffU;
        emit(Op::Sel, {value(op.dst[0])}, {zero(), immediate(yes), inverted(p)});
        return;
    }
    Instruction& i = emit(op.from == ir::Type::F32 ? Op::Fsetp : Op::Isetp, {p}, {word(op.src[2]), zero(), always()});
    i.mods.type = op.from == ir::Type::F32 ? ir::Type::F32 : ir::Type::S32;
    i.mods.sub = ir::Sub::Ge;
    i.mods.combine = ir::BoolOp::And;
    i.mods.flags = op.flags & ir::kFtz;
    const unsigned words = ptx::size_of(op.type) == 8 ? 2 : 1;
    for (unsigned w = 0; w < words; ++w)
        emit(Op::Sel, {words == 2 ? part_of(value(op.dst[0]), w) : value(op.dst[0])},
             {in_register(word(op.src[0], w)), word(op.src[1], w), p});
}

void Selector::move(const MicroOp& op) {
    const Operand d = value(op.dst[0]);
    if (d.count == 2)
        return copy_words(d, wide(op.src[0]));
    copy(d, word(op.src[0]));
}

void Selector::pack(const MicroOp& op) {
    const Operand d = value(op.dst[0]);
    const unsigned bytes = ptx::size_of(op.from);
    if (bytes == 4 && d.count == 2) {
        for (unsigned i = 0; i < op.vector; ++i)
            copy(part_of(d, i), word(op.src.at(i)));
        return;
    }
    std::vector<Operand> elements;
    for (unsigned e = 0; e < op.vector; ++e)
        elements.push_back(word(op.src.at(e)));
    const std::vector<Operand> words = packed(elements, bytes);
    for (std::size_t w = 0; w < words.size(); ++w)
        copy(d.count == 2 ? part_of(d, static_cast<unsigned>(w)) : d, words[w]);
}

// Elements of 8 or 16 bits as words.
std::vector<Operand> Selector::packed(const std::vector<Operand>& elements, unsigned bytes) {
    const auto join = [&](const Operand& a, const Operand& b, std::uint32_t selector) {
        const Operand out = temporary();
        emit(Op::Prmt, {out}, {in_register(a), immediate(selector), in_register(b)});
        return out;
    };
    std::vector<Operand> halves; // pairs of elements
    for (std::size_t e = 0; e < elements.size(); e += 2)
        halves.push_back(join(elements[e], elements[e + 1], bytes == 1 ? 0x40 : 0x5410));
    if (bytes == 1 && halves.size() == 2)
        halves = {join(halves[0], halves[1], 0x5410)};
    return halves;
}

void Selector::unpack(const MicroOp& op) {
    const unsigned bytes = ptx::size_of(op.from);
    for (unsigned i = 0; i < op.vector; ++i) {
        if (op.dst.at(i) == ir::kNowhere)
            continue;
        const Operand d = value(op.dst.at(i));
        if (bytes == 4) {
            copy(d, word(op.src[0], i));
            continue;
        }
        const unsigned offset = i * bytes;
        const Operand from = in_register(word(op.src[0], offset / 4));
        emit(Op::Prmt, {d}, {from, immediate(element_selector(offset % 4, bytes, false)), zero()});
    }
}

} // namespace heddle::native
