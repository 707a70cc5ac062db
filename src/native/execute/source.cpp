// Instructions that stand for an operation of PTX.
#include <algorithm>
#include <stdexcept>

#include "ir/convergence.h"
#include "ir/isa/matrix_work.h"
#include "ir/selection/make_op.h"
#include "native/execute/expander.h"

namespace heddle::native {

using ir::Opcode;
using Kind = Operand::Kind;

namespace {

// The registers of operands, one after the other.
class Words {
public:
    Words(const Operand* first, const Operand* end) : at_(first), end_(end) {
        skip();
    }
    struct Word {
        Operand operand;
        unsigned part;
    };
    // `registers`: of the place.
    Word take(unsigned registers) {
        if (at_ == end_)
            throw std::logic_error("native code: an instruction has fewer operands than its operation");
        const Word out{*at_, part_};
        part_ += registers;
        if (!at_->is(Kind::Register) || part_ >= at_->count) {
            ++at_;
            part_ = 0;
            skip();
        }
        return out;
    }

private:
    void skip() {
        while (at_ != end_ && at_->is(Kind::None))
            ++at_;
    }
    const Operand* at_;
    const Operand* end_;
    unsigned part_ = 0;
};

} // namespace

ir::MicroOp Expander::made(const Instruction& i, Opcode opcode) {
    const Modifiers& m = i.mods;
    MicroOp op = ir::make_op(opcode, m.type);
    op.from = m.from;
    op.rounding = m.rounding;
    op.sub = m.sub;
    op.combine = m.combine;
    op.space = m.space;
    op.vector = m.vector;
    op.flags = m.flags;
    op.imm = m.imm;
    return op;
}

void Expander::as_source(const Instruction& i) {
    MicroOp op = made(i, i.mods.source);
    op.kind = i.mods.kind;
    Words sources(i.src.data(), i.src.data() + i.src.size());
    // A conversion takes the low word of a constant of 64 bits that it reads as a narrower type.
    const bool takes_words = op.opcode == Opcode::Cvt && ptx::size_of(op.from) < 8;
    const auto source = [&](bool is_wide) {
        const auto [o, part] = sources.take(is_wide ? 2 : 1);
        if (o.file == File::Predicate)
            return out_.predicate(o);
        if (o.is(Kind::Immediate) && o.count == 2)
            return takes_words ? out_.constant(o.value) : out_.wide_constant(o.value);
        return is_wide ? out_.pair(o, part) : out_.word(o, part);
    };
    if (op.is_matrix_product()) {
        ir::Matrix matrix = function_.matrices[static_cast<std::size_t>(op.imm)];
        const auto fill = [&](const ir::Fragment& f, unsigned first, unsigned count) {
            for (unsigned r = first; r < first + count; ++r)
                matrix.source.at(r) = source(f.element == ir::Element::F64);
        };
        fill(matrix.a, 0, matrix.a_registers());
        fill(matrix.b, matrix.a_registers(), matrix.b_registers());
        fill(matrix.c, matrix.a_registers() + matrix.b_registers(), matrix.c_registers);
        op.domain = ir::domain_of(matrix);
        op.imm = static_cast<std::int64_t>(matrices_.size());
        matrices_.push_back(matrix);
    }
    for (std::size_t s = 0; s < op.src.size(); ++s)
        if ((i.mods.sources >> s & 1) != 0)
            op.src.at(s) = source((i.mods.wide_sources >> s & 1) != 0);
    // Where a result would overwrite a source of another lane or place, or has 64 bits, it goes through a temporary.
    Words results(i.dst.data(), i.dst.data() + i.dst.size());
    struct Copy {
        Operand to;
        unsigned part;
        Place from;
        bool wide;
    };
    std::vector<Copy> copies;
    const bool exchanges = op.kind != ir::Kind::Alu;
    const auto is_source = [&](Place p) {
        const bool in_matrix =
            op.is_matrix_product() && std::find(matrices_.back().source.begin(), matrices_.back().source.end(), p) !=
                                          matrices_.back().source.end();
        return in_matrix || std::find(op.src.begin(), op.src.end(), p) != op.src.end();
    };
    const bool several = (i.mods.results & (i.mods.results - 1)) != 0;
    for (std::size_t d = 0; d < op.dst.size(); ++d) {
        if ((i.mods.results >> d & 1) == 0)
            continue;
        const bool is_wide = (i.mods.wide_results >> d & 1) != 0;
        const auto [o, part] = results.take(is_wide ? 2 : 1);
        const Place place = out_.target(o, part);
        if (is_wide) {
            op.dst.at(d) = out_.wide_temporary();
            copies.push_back({o, part, op.dst.at(d), true});
        } else if (o.file == File::Vector && (exchanges || several) && is_source(place)) {
            op.dst.at(d) = out_.temporary();
            copies.push_back({o, part, op.dst.at(d), false});
        } else {
            op.dst.at(d) = place;
        }
    }
    out_.set_sizes(op);
    if (op.kind == ir::Kind::Surface)
        op.src_bytes = out_.is_wide(op.src[4]) ? 8 : 4;
    const bool is_wide_constant = (op.src[0] & ir::kPool) != 0 && op.src[0] != ir::kNowhere;
    if (op.kind == ir::Kind::Alu && is_wide_constant)
        op.src_bytes = ptx::size_of(op.from == ir::Type::None ? op.type : op.from) == 8 ? 8 : 4;
    out_.result(op);
    for (const Copy& c : copies) {
        if (c.wide)
            out_.write_pair(c.to, c.from, c.part);
        else
            out_.result(Opcode::Mov, ir::Type::B32, out_.target(c.to, c.part), {c.from});
    }
}

void Expander::load_constant(const Instruction& i) {
    for (unsigned w = 0; w < i.dst[0].count; ++w)
        out_.result(Opcode::Mov, ir::Type::B32, out_.target(i.dst[0], w), {out_.word(i.src[0], w)});
}

void Expander::control(const Instruction& i, Opcode opcode) {
    MicroOp op = ir::make_op(opcode);
    op.flags = i.mods.flags;
    if (i.op == Op::Bra || i.op == Op::Call)
        op.target = i.target;
    out_.result(op);
}

// A branch that is no branch: with the block where the threads meet it sets the barrier, without it waits for it.
void Expander::convergence(const Instruction& i) {
    MicroOp op = ir::make_op(Opcode::Bra);
    op.kind = ir::Kind::Nop;
    op.imm = i.op == Op::Yield ? ir::convergence::kYield : i.barrier;
    if (i.op == Op::Bssy)
        op.target = i.target;
    out_.result(op);
}

// What changes no result.
ir::MicroOp& Expander::hint(Opcode opcode) {
    MicroOp op = ir::make_op(opcode);
    op.kind = ir::Kind::Nop;
    return out_.result(op);
}

// The uniform path computes what the instructions of vector registers do.
void Expander::expand(const Instruction& instruction) {
    Instruction i = instruction;
    i.op = vector_form(i.op);
    out_.begin(i);
    if (out_.never())
        return;
    if (instruction.op == Op::Uldc)
        return load_constant(i);
    switch (i.op) {
    case Op::Bra:
        return control(i, Opcode::Bra);
    case Op::Call:
        return control(i, Opcode::Call);
    case Op::Ret:
        return control(i, Opcode::Ret);
    case Op::Exit:
        return control(i, Opcode::Exit);
    case Op::Nop:
        return;
    case Op::SetRegisters:
        hint(Opcode::SetMaxRegisters);
        return;
    case Op::Cctl: // ir::drops_lines()
        hint(Opcode::Fence);
        return;
    case Op::Ldgdepbar:
    case Op::Depbar: {
        MicroOp& op = hint(Opcode::CpAsync);
        op.flags |= ir::kAsyncCopy;
        op.imm = i.mods.imm;
        return;
    }
    case Op::Utmacmdflush:
    case Op::DepbarBulk:
        hint(Opcode::CpBulk).imm = i.mods.imm;
        return;
    case Op::Bssy:
    case Op::Bsync:
    case Op::Yield:
        return convergence(i);
    case Op::S2r:
    case Op::Cs2r: {
        const bool wide = i.dst[0].count == 2;
        const Place to = wide ? out_.wide_temporary() : out_.target(i.dst[0]);
        out_.result(Opcode::MovSpecial, wide ? ir::Type::U64 : ir::Type::U32, to, {}).imm = i.mods.imm;
        if (wide)
            out_.write_pair(i.dst[0], to);
        return;
    }
    default:
        break;
    }
    if (i.mods.carried != 0)
        return as_source(i);
    if (!integer(i) && !logic(i) && !floating(i) && !memory(i))
        as_source(i);
}

} // namespace heddle::native
