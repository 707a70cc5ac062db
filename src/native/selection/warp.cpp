// Special registers, and instructions that several lanes execute together.
#include "native/selection/selector.h"

namespace heddle::native {

void Selector::special(const MicroOp& op) {
    using S = ir::SpecialRegister;
    if (op.opcode == ir::Opcode::Activemask) {
        Instruction& i = emit(Op::Vote, {value(op.dst[0])}, {always()});
        stand_for(i);
        i.mods.sub = ir::Sub::VoteBallot;
        return;
    }
    if (op.opcode == ir::Opcode::Txq || op.opcode == ir::Opcode::Suq) {
        const Operand handle = pair(op.src[0]);
        const Operand level = op.src[1] == ir::kNowhere ? Operand{} : in_register(word(op.src[1]));
        Instruction& i = emit(Op::Txq, {value(op.dst[0])}, {handle, level});
        stand_for(i);
        i.mods.wide_sources = 1;
        return;
    }
    if (op.opcode == ir::Opcode::CpBulk) // the bytes of a tensor's box, which the unit of these copies knows
        return finish_sequence(op, Op::Sgxt, {zero()});
    if (op.opcode != ir::Opcode::MovSpecial)
        return routine(op);
    if (is_dimension(op))
        return;
    const auto which = static_cast<S>(op.imm);
    const Operand d = value(op.dst[0]);
    const bool clock = which >= S::Clock && which <= S::GlobaltimerHi;
    if (d.count == 2 && !clock) { // the upper word is 0
        emit(Op::S2r, {part_of(d, 0)}, {}).mods.imm = op.imm;
        copy(part_of(d, 1), zero());
        return;
    }
    emit(clock ? Op::Cs2r : Op::S2r, {d}, {}).mods.imm = op.imm;
}

Operand Selector::member(const Operand& mask) {
    return mask.kind == Operand::Kind::Constant ? in_register(mask) : mask;
}

void Selector::warp(const MicroOp& op) {
    using enum ir::Opcode;
    const Operand mask = op.src[3] == ir::kNowhere ? Operand{} : word(op.src[3]);
    const auto first = [&] { return op.dst[0] == ir::kNowhere ? temporary() : value(op.dst[0]); };
    const auto results = [&](std::size_t d) { return op.dst.at(d) == ir::kNowhere ? Operand{} : value(op.dst.at(d)); };
    switch (op.opcode) {
    case Shfl: {
        const Operand data = in_register(word(op.src[0]));
        Operand lane = word(op.src[1]);
        Operand clamp = word(op.src[2]);
        if (lane.kind == Operand::Kind::Constant)
            lane = in_register(lane);
        if (clamp.kind == Operand::Kind::Constant)
            clamp = in_register(clamp);
        Instruction& i = emit(Op::Shfl, {first(), results(1)}, {data, lane, clamp, member(mask)});
        stand_for(i);
        i.mods.results |= 1;
        return;
    }
    case Vote: {
        const Operand p = predicate(op.src[0], op.has(ir::kSourceNegated));
        stand_for(emit(Op::Vote, {value(op.dst[0])}, {p, mask}));
        return;
    }
    case Match:
    case Redux: {
        const Operand data =
            op.opcode == Match && ptx::size_of(op.type) == 8 ? pair(op.src[0]) : in_register(word(op.src[0]));
        Instruction& i = emit(op.opcode == Match ? Op::Match : Op::Redux, {first(), results(1)}, {data, member(mask)});
        stand_for(i);
        i.mods.wide_sources = ptx::size_of(op.type) == 8 ? 1 : 0; // a constant too
        i.mods.results |= 1;
        return;
    }
    case Elect:
        stand_for(emit(Op::Elect, {results(0), results(1)}, {mask}));
        return;
    case WarpBarrier:
        stand_for(emit(Op::Warpsync, {}, {mask}));
        return;
    case Wgmma:
        if (op.is_of_warpgroup())
            return stand_for(emit(Op::Warpgroup, {}, {}));
        return product(op);
    case Mma:
    case Wmma:
        return product(op);
    case Ldmatrix:
    case Stmatrix:
        return pieces(op);
    case Movmatrix:
        stand_for(emit(Op::MoveMatrix, {value(op.dst[0])}, {in_register(word(op.src[0])), member(mask)}));
        return;
    default:
        refuse();
    }
}

// The steps of ldmatrix and stmatrix that exchange words between lanes.
void Selector::pieces(const MicroOp& op) {
    Instruction i;
    i.op = Op::MoveMatrix;
    i.guard = guard_;
    i.origins = {form_.pcs[op_]};
    stand_for(i);
    std::vector<Operand> words; // in front of the mask
    for (std::size_t s = 0; s < 3; ++s)
        if (const Place p = op.src.at(s); p != ir::kNowhere)
            for (unsigned w = 0; w < ((i.mods.wide_sources >> s & 1) != 0 ? 2U : 1U); ++w)
                words.push_back(word(p, w));
    i.src[0] = group(words);
    if (op.src[3] != ir::kNowhere)
        i.src[1] = member(word(op.src[3]));
    if (op.src[4] != ir::kNowhere)
        i.src[2] = in_register(word(op.src[4]));
    unsigned width = 0;
    for (const Place d : op.dst)
        if (d != ir::kNowhere && form_.draft.registers[d].type != ir::Type::Pred)
            width += storage(d) / 4;
    if (!kept_.empty() || width == 0)
        refuse();
    const Operand to = temporary(width == 3 ? 4 : width);
    i.dst[0] = to;
    unsigned at = 0;
    for (const Place d : op.dst) {
        if (d == ir::kNowhere)
            continue;
        if (form_.draft.registers[d].type == ir::Type::Pred) {
            i.dst[1] = value(d);
            continue;
        }
        const unsigned size = storage(d) / 4;
        values_[d] = width == size ? to : part_of(to, at, size);
        at += size;
    }
    out_.blocks[block_].code.push_back(std::move(i));
}

// Those of the factors that lie in registers, and of C: groups of consecutive registers.
std::array<Operand, 3> Selector::fragments(const ir::Matrix& matrix) {
    const std::array<unsigned, 3> sizes = {matrix.a_registers(), matrix.b_registers(), matrix.c_registers};
    const std::array<ir::Element, 3> element = {matrix.a.element, matrix.b.element, matrix.c.element};
    std::array<Operand, 3> fragment;
    unsigned next = 0;
    for (std::size_t f = 0; f < 3; ++f) {
        std::vector<Operand> words;
        for (unsigned r = 0; r < sizes.at(f); ++r) {
            const Place p = matrix.source.at(next++);
            for (unsigned w = 0; w < (element.at(f) == ir::Element::F64 ? 2U : 1U); ++w)
                words.push_back(word(p, w));
        }
        if (!words.empty())
            fragment.at(f) = f < 2 ? factor(words) : group(words);
    }
    return fragment;
}

// Words do not change within a block, as registers in SSA form do not.
Operand Selector::factor(const std::vector<Operand>& words) {
    const bool unguarded = guard_.is(Operand::Kind::None);
    for (const Factor& f : factors_)
        if (unguarded && f.words == words)
            return f.group;
    const Operand out = group(words);
    if (unguarded)
        factors_.push_back({words, out});
    return out;
}

void Selector::product(const MicroOp& op) {
    const std::array<Operand, 3> fragment = fragments(form_.draft.matrices[static_cast<std::size_t>(op.imm)]);
    const bool of_warpgroup = op.opcode == ir::Opcode::Wgmma;
    const Operand metadata = op.src[4] == ir::kNowhere ? Operand{} : in_register(word(op.src[4]));
    std::vector<Place> results;
    unsigned width = 0;
    for (const Place d : op.dst)
        if (d != ir::kNowhere) {
            results.push_back(d);
            width += storage(d) / 4;
        }
    if (results.empty() || width > 8 || !kept_.empty())
        refuse();
    const Operand to = temporary(width == 3 ? 4 : width);
    const Operand mask = op.src[3] == ir::kNowhere ? Operand{} : member(word(op.src[3]));
    if (of_warpgroup)
        multiply_in_memory(op, to, fragment, {mask, metadata});
    else
        stand_for(emit(Op::Mma, {to}, {fragment[0], fragment[1], fragment[2], mask, metadata}));
    unsigned at = 0;
    for (const Place d : results) {
        const unsigned words = storage(d) / 4;
        if (guard_.kind == Operand::Kind::None)
            values_[d] = width == words ? to : part_of(to, at, words);
        else
            refuse();
        at += words;
    }
}

// A factor of a warpgroup's product lies where a descriptor says; a predicate says whether C is added.
void Selector::multiply_in_memory(const MicroOp& op, const Operand& to, const std::array<Operand, 3>& fragment,
                                  const std::array<Operand, 2>& rest) {
    const auto descriptor = [&](Place p) { return p == ir::kNowhere ? Operand{} : pair(p); };
    const Operand a = op.src[0] == ir::kNowhere ? fragment[0] : Operand{};
    const Operand adds = predicate(op.src[2], op.has(ir::kSourceNegated));
    Instruction& i =
        emit(Op::Gmma, {to}, {a, fragment[2], descriptor(op.src[0]), descriptor(op.src[1]), adds, rest[0], rest[1]});
    stand_for(i);
    i.mods.wide_sources = static_cast<std::uint8_t>(i.mods.wide_sources | (op.src[0] == ir::kNowhere ? 2U : 3U));
}

void Selector::barrier(const MicroOp& op) {
    const bool cluster = op.sub == ir::Sub::BarClusterArrive || op.sub == ir::Sub::BarClusterWait;
    Operand result;
    if (op.dst[0] != ir::kNowhere)
        result = value(op.dst[0]);
    Instruction& i = emit(Op::Bar, {result}, {});
    stand_for(i);
    if (cluster)
        return;
    i.src[0] = word(op.src[0]);
    if (op.src[1] != ir::kNowhere)
        i.src[1] = word(op.src[1]);
    if (op.src[2] != ir::kNowhere)
        i.src[2] = predicate(op.src[2], op.has(ir::kSourceNegated));
}

} // namespace heddle::native
