// Loops of one block that go round as often as a comparison with an unknown bound says.
//
//     begin:  if (!(four more)) goto rest      four more: the comparisons of the next three rounds hold
//     four:   round; round; round; round; if (four more) goto four
//             if (!(i < bound)) goto behind
//     rest:   round; if (!(i < bound)) goto behind
//             round; if (!(i < bound)) goto behind
//             round; if (i < bound) goto rest  which happens only where a bound would wrap around
//     behind:
#include <algorithm>

#include "ir/analysis/liveness.h"
#include "ir/selection/make_op.h"
#include "native/unroll/code.h"
#include "native/unroll/size.h"
#include "native/unroll/unroll.h"

namespace heddle::native {

namespace {

using ir::MicroOp;
using ir::Opcode;
using ir::Place;
using ir::Sub;

constexpr unsigned kRounds = 4;
constexpr unsigned kMostSize = 18;         // of a round (round_size())
constexpr std::size_t kMostOps = 1U << 15; // of a kernel

// A loop of one block that ends with `i += step; if (i how bound) goto its begin`.
struct CountedBlock {
    std::uint32_t first = 0, branch = 0, compare = 0; // ops
    Place variable = ir::kNowhere;                    // i, at the begin and at the end of the block
    unsigned operand = 0;                             // of the comparison that is i
    Sub how = Sub::None;                              // of i with the bound where a thread stays
    ir::Type type = ir::Type::None;
    std::int64_t step = 0;
    std::optional<std::uint64_t> bound; // where it is constant
    std::uint32_t outside = 0;          // op at which a thread goes on that leaves
};

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
        const std::uint64_t step = form_.draft.constants[definitions_.past_copies(addition.src[1]) & ~ir::kPool].bits;
        out.step =
            bytes == 8 ? static_cast<std::int64_t>(step) : static_cast<std::int64_t>(static_cast<std::int32_t>(step));
        if (is_constant(bound) && bound != kUndefined)
            out.bound = form_.draft.constants[bound & ~ir::kPool].bits;
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

class Writer {
public:
    Writer(Code& code, const SsaForm& form, const InnerLoop& loop, const CountedBlock& counted)
        : code_(code), draft_(code.recovered.draft), form_(form), loop_(loop), counted_(counted), to_(code) {}

    // False: the bound is a constant from which three steps back wrap around.
    bool run() {
        if (counted_.bound && counted_.how != Sub::Ne && !is_far(*counted_.bound))
            return false;
        code_.marks[counted_.first].settled = true;
        others();
        const Rewriter::Label four = to_.fresh();
        const Rewriter::Label rest = to_.fresh();
        to_.place(counted_.first);
        const Place enters = append_entry();
        branch(enters, true, rest);
        to_.place(four);
        for (unsigned i = 0; i < kRounds; ++i)
            round(false);
        branch(append_four_more(), false, four);
        to_.append(draft_.ops[counted_.compare], counted_.compare);
        leave();
        to_.place(rest);
        for (unsigned i = 1; i < kRounds; ++i) {
            round(true);
            if (i + 1 < kRounds)
                leave();
        }
        MicroOp again = draft_.ops[counted_.branch];
        again.guard_negated = again.guard_negated != (form_.cfg.block_of[again.target] != loop_.header);
        to_.append(again, counted_.branch, rest);
        to_.jump(counted_.outside, counted_.branch);
        to_.finish();
        return true;
    }

private:
    void others() {
        for (std::uint32_t b = 0; b < form_.cfg.blocks.size(); ++b) {
            if (loop_.holds[b] || !form_.cfg.reachable[b])
                continue;
            const ir::Block& range = form_.cfg.blocks[b];
            to_.place(range.begin);
            for (std::uint32_t i = range.begin; i < range.end; ++i) {
                const MicroOp& op = draft_.ops[i];
                to_.append(op, i, op.kind == ir::Kind::Branch ? op.target : Rewriter::kNoLabel);
            }
            if (ir::falls_through(draft_.ops[range.end - 1]) && b + 1 < form_.cfg.blocks.size())
                to_.jump(form_.cfg.blocks[b + 1].begin, range.end - 1);
        }
    }

    void round(bool tests) {
        for (std::uint32_t i = counted_.first; i < counted_.branch; ++i)
            if (tests || i != counted_.compare || is_read_in_round())
                to_.append(draft_.ops[i], i);
    }
    // Whether an op of the loop other than the branch reads the result of the comparison.
    [[nodiscard]] bool is_read_in_round() const {
        const Place guard = form_.draft.ops[counted_.compare].dst[0];
        bool read = false;
        for (std::uint32_t i = counted_.first; i < counted_.branch; ++i)
            ir::each_use(form_.draft, form_.draft.ops[i], [&](Place p) { read = read || p == guard; });
        for (const Phi& phi : form_.phis[loop_.header])
            read = read || std::find(phi.from.begin(), phi.from.end(), guard) != phi.from.end();
        return read;
    }

    // A branch to behind the loop by the comparison.
    void leave() {
        MicroOp op = draft_.ops[counted_.branch];
        op.guard_negated = op.guard_negated != (form_.cfg.block_of[op.target] == loop_.header);
        to_.append(op, counted_.branch, counted_.outside);
    }
    void branch(Place guard, bool negated, Rewriter::Label to) {
        MicroOp op = ir::make_op(Opcode::Bra);
        op.guard = guard;
        op.guard_negated = negated;
        to_.append(op, counted_.branch, to);
    }

    [[nodiscard]] Place fresh(ir::Type type) {
        draft_.registers.push_back({type});
        return static_cast<Place>(draft_.registers.size() - 1);
    }
    [[nodiscard]] unsigned bytes() const {
        return ptx::size_of(counted_.type);
    }
    [[nodiscard]] Place constant(std::int64_t value) {
        return constant_place(draft_, static_cast<std::uint64_t>(value), bytes());
    }
    Place append_sum(Opcode opcode, Place a, Place b) {
        MicroOp op = ir::make_op(opcode, bytes() == 8 ? ir::Type::U64 : ir::Type::U32);
        op.dst_bytes = op.src_bytes = static_cast<std::uint8_t>(bytes());
        op.dst[0] = fresh(op.type);
        op.src[0] = a;
        op.src[1] = b;
        to_.append(op, counted_.compare);
        return op.dst[0];
    }
    Place append_comparison(Sub how, ir::Type type, Place a, Place b, Place also = ir::kNowhere) {
        MicroOp op = ir::make_op(Opcode::Setp, type);
        op.sub = how;
        op.src_bytes = static_cast<std::uint8_t>(bytes());
        op.dst[0] = fresh(ir::Type::Pred);
        op.src[0] = a;
        op.src[1] = b;
        if (also != ir::kNowhere) {
            op.combine = ir::BoolOp::And;
            op.src[2] = also;
        }
        to_.append(op, counted_.compare);
        return op.dst[0];
    }

    [[nodiscard]] std::int64_t three_steps() const {
        return (kRounds - 1) * counted_.step;
    }
    [[nodiscard]] Sub strict() const {
        return counted_.step > 0 ? Sub::Lt : Sub::Gt;
    }
    // Whether a bound less three steps does not wrap around.
    [[nodiscard]] bool is_far(std::uint64_t bound) const {
        MicroOp op = ir::make_op(Opcode::Setp, counted_.type);
        op.sub = strict();
        op.dst[0] = 0;
        std::uint64_t result = 0;
        return fold(op, {bound - static_cast<std::uint64_t>(three_steps()), bound, 0}, result) && result != 0;
    }

    // The guard of the loop of four rounds where it is entered; prepares the bound of its comparison.
    Place append_entry() {
        if (counted_.how == Sub::Ne)
            return append_four_more();
        const Place bound = draft_.ops[counted_.compare].src.at(1 - counted_.operand);
        if (counted_.bound) {
            less_ = constant_place(draft_, *counted_.bound - static_cast<std::uint64_t>(three_steps()), bytes());
            return append_four_more();
        }
        less_ = append_sum(Opcode::Add, bound, constant(-three_steps()));
        return append_comparison(counted_.how, counted_.type, counted_.variable, less_,
                                 append_comparison(strict(), counted_.type, less_, bound));
    }
    // i + three steps how bound. Until a bound that is not met: the way to it is longer than three steps.
    Place append_four_more() {
        if (counted_.how != Sub::Ne)
            return append_comparison(counted_.how, counted_.type, counted_.variable, less_);
        const Place bound = draft_.ops[counted_.compare].src.at(1 - counted_.operand);
        const Place way = counted_.step > 0 ? append_sum(Opcode::Sub, bound, counted_.variable)
                                            : append_sum(Opcode::Sub, counted_.variable, bound);
        return append_comparison(Sub::Gt, bytes() == 8 ? ir::Type::U64 : ir::Type::U32, way,
                                 constant(counted_.step > 0 ? three_steps() : -three_steps()));
    }

    Code& code_;
    ir::Draft& draft_;
    const SsaForm& form_;
    const InnerLoop& loop_;
    const CountedBlock& counted_;
    Rewriter to_;
    Place less_ = ir::kNowhere; // the bound less three steps
};

} // namespace

void unroll_by_four(const ir::Program& program, Recovered& recovered, std::vector<bool>& forgets) {
    Code code{recovered, forgets, std::vector<Mark>(recovered.draft.ops.size())};
    for (bool changed = true; changed;) {
        changed = false;
        const SsaForm form = build_ssa(recovered.draft, forgets);
        const Definitions definitions(form);
        for (const InnerLoop& loop : inner_loops(form)) {
            const std::uint32_t first = form.cfg.blocks[loop.header].begin;
            if (code.marks[first].settled || first == 0 || asks_to_stay(program, recovered.pcs[first]) ||
                constant_trips(form, definitions, loop))
                continue;
            const std::optional<unsigned> size =
                round_size(form, loop, std::vector<bool>(form.draft.registers.size(), false));
            const std::optional<CountedBlock> counted = Recogniser(form, recovered.draft, definitions).recognise(loop);
            if (size && *size <= kMostSize && counted && recovered.draft.ops.size() < kMostOps &&
                Writer(code, form, loop, *counted).run()) {
                changed = true;
                break;
            }
        }
    }
}

} // namespace heddle::native
