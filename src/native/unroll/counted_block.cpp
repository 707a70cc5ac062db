#include "native/unroll/counted_block.h"

#include <algorithm>

namespace heddle::native {

namespace {

using ir::MicroOp;
using ir::Opcode;
using ir::Place;
using ir::Sub;

Sub mirrored(Sub how) {
    switch (how) {
    case Sub::Lt:
        return Sub::Gt;
    case Sub::Le:
        return Sub::Ge;
    case Sub::Gt:
        return Sub::Lt;
    case Sub::Ge:
        return Sub::Le;
    default:
        return how;
    }
}

Sub inverted(Sub how) {
    switch (how) {
    case Sub::Lt:
        return Sub::Ge;
    case Sub::Le:
        return Sub::Gt;
    case Sub::Gt:
        return Sub::Le;
    case Sub::Ge:
        return Sub::Lt;
    case Sub::Eq:
        return Sub::Ne;
    case Sub::Ne:
        return Sub::Eq;
    default:
        return Sub::None;
    }
}

// Recognises the loops of a form.
class Recogniser {
public:
    Recogniser(const SsaForm& form, const ir::Draft& draft, const Definitions& definitions)
        : form_(form), draft_(draft), definitions_(definitions) {}

    [[nodiscard]] std::optional<CountedBlock> recognise(const InnerLoop& loop) const {
        const std::vector<LoopExit> exits = exits_of_each_round(form_, loop);
        if (loop.blocks.size() != 1 || exits.size() != 1)
            return std::nullopt;
        CountedBlock out;
        out.first = form_.cfg.blocks[loop.header].begin;
        out.branch = exits[0].branch;
        out.outside = form_.cfg.blocks[exits[0].outside].begin;
        const MicroOp& branch = form_.draft.ops[out.branch];
        out.compare = definitions_.number(branch.guard);
        if (out.compare == Definitions::kNone || out.compare < out.first || out.compare >= out.branch)
            return std::nullopt;
        const MicroOp& compare = form_.draft.ops[out.compare];
        if (!is_plain_comparison(compare))
            return std::nullopt;
        const bool stays = exits[0].taken_stays != branch.guard_negated;
        for (const Induction& i : inductions(form_, definitions_, loop))
            if (read_operands(loop, compare, i, stays, out) && keeps_to_end(out))
                return out;
        return std::nullopt;
    }

private:
    [[nodiscard]] static bool is_plain_comparison(const MicroOp& op) {
        const unsigned bytes = ptx::size_of(op.type);
        return op.opcode == Opcode::Setp && op.domain == ir::Domain::Int && op.guard == ir::kNowhere &&
               op.combine == ir::BoolOp::None && op.dst[1] == ir::kNowhere && (bytes == 4 || bytes == 8) &&
               op.type != ir::Type::Pred;
    }

    // The comparison is of what the induction is in the next round with a value from outside the loop.
    [[nodiscard]] bool read_operands(const InnerLoop& loop, const MicroOp& compare, const Induction& i, bool stays,
                                     CountedBlock& out) const {
        const MicroOp& addition = *i.addition;
        const unsigned bytes = ptx::size_of(compare.type);
        const auto is_sum = [&](Place p) { return p == addition.dst[0]; };
        if (addition.opcode != Opcode::Add || addition.domain != ir::Domain::Int ||
            ptx::size_of(addition.type) != bytes || addition.src[0] != i.phi->dst || !is_constant_step(addition))
            return false;
        out.operand = is_sum(compare.src[0]) ? 0 : 1;
        const Place bound = definitions_.past_copies(compare.src.at(1 - out.operand));
        if (!is_sum(compare.src.at(out.operand)) || bound == ir::kNowhere || is_inside(loop, bound))
            return false;
        out.how = out.operand == 0 ? compare.sub : mirrored(compare.sub);
        out.how = stays ? out.how : inverted(out.how);
        out.type = compare.type;
        const std::uint64_t step = bits_of(form_.draft, definitions_.past_copies(addition.src[1]));
        out.step =
            bytes == 8 ? static_cast<std::int64_t>(step) : static_cast<std::int64_t>(static_cast<std::int32_t>(step));
        if (is_constant(bound) && bound != kUndefined)
            out.bound = bits_of(form_.draft, bound);
        // The register that the sum reads is the one that it writes.
        const std::uint32_t number = definitions_.number(addition.dst[0]);
        out.variable = draft_.ops[number].dst[0];
        return number >= out.first && number < out.compare && draft_.ops[number].src[0] == out.variable &&
               draft_.ops[out.compare].src.at(out.operand) == out.variable && is_towards(out);
    }

    [[nodiscard]] bool is_constant_step(const MicroOp& addition) const {
        const Place step = definitions_.past_copies(addition.src[1]);
        return is_constant(step) && step != kUndefined;
    }

    [[nodiscard]] bool is_inside(const InnerLoop& loop, Place p) const {
        if (is_constant(p))
            return false;
        if (const std::uint32_t op = definitions_.number(p); op != Definitions::kNone)
            return loop.holds[form_.cfg.block_of[op]];
        const auto& phis = form_.phis[loop.header];
        return std::any_of(phis.begin(), phis.end(), [&](const Phi& phi) { return phi.dst == p; });
    }

    // Steps go to the bound, and are short.
    [[nodiscard]] static bool is_towards(const CountedBlock& loop) {
        constexpr std::int64_t kMostStep = 1 << 24;
        if (loop.step == 0 || loop.step > kMostStep || loop.step < -kMostStep)
            return false;
        switch (loop.how) {
        case Sub::Lt:
        case Sub::Le:
            return loop.step > 0;
        case Sub::Gt:
        case Sub::Ge:
            return loop.step < 0;
        default:
            return loop.how == Sub::Ne;
        }
    }

    // Nothing behind the comparison writes what it reads or its result, so that it may stand behind the last round.
    // Nothing in front of the sum writes i.
    [[nodiscard]] bool keeps_to_end(const CountedBlock& loop) const {
        const MicroOp& compare = draft_.ops[loop.compare];
        for (std::uint32_t i = loop.first; i < loop.branch; ++i)
            for (const Place d : draft_.ops[i].dst) {
                if (d == ir::kNowhere || i == loop.compare)
                    continue;
                const bool is_sum = draft_.ops[i].opcode == Opcode::Add && d == loop.variable;
                if (d == loop.variable && (!is_sum || i > loop.compare))
                    return false;
                if (i > loop.compare && (d == compare.src[0] || d == compare.src[1] || d == compare.dst[0]))
                    return false;
            }
        return draft_.ops[loop.branch].guard == compare.dst[0];
    }

    const SsaForm& form_;
    const ir::Draft& draft_;
    const Definitions& definitions_;
};

} // namespace

std::optional<CountedBlock> counted_block(const SsaForm& form, const ir::Draft& draft, const Definitions& definitions,
                                          const InnerLoop& loop) {
    return Recogniser(form, draft, definitions).recognise(loop);
}

} // namespace heddle::native
