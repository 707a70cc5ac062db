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
#include "native/unroll/counted_block.h"
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

class Writer {
public:
    Writer(Code& code, const SsaForm& form, const InnerLoop& loop, const CountedBlock& counted)
        : code_(code), draft_(code.recovered.draft), form_(form), loop_(loop), counted_(counted), to_(code) {}

    // False: the bound is a constant from which three steps back wrap around.
    bool run() {
        if (counted_.bound && counted_.how != Sub::Ne && !is_far(*counted_.bound))
            return false;
        code_.marks[counted_.first].settled = true;
        to_.append_around(form_, loop_.holds);
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
            const std::optional<CountedBlock> counted = counted_block(form, recovered.draft, definitions, loop);
            if (size && *size <= kMostSize && counted && recovered.draft.ops.size() < kMostOps &&
                Writer(code, form, loop, *counted).run()) {
                changed = true;
                break;
            }
        }
    }
}

} // namespace heddle::native
