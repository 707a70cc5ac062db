#include "native/unroll/trips.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "native/integer_pair.h"

namespace heddle::native {

namespace {

using ir::Kind;
using ir::MicroOp;
using ir::Opcode;
using ir::Place;

// The one value that a phi has from outside the loop, or from inside it; kNowhere: several.
Place value_from(const SsaForm& form, const Definitions& definitions, const InnerLoop& loop, const Phi& phi,
                 bool inside) {
    Place value = ir::kNowhere;
    const auto& from = form.predecessors[loop.header];
    for (std::size_t p = 0; p < phi.from.size(); ++p) {
        if ((p < from.size() && loop.holds[from[p]]) != inside)
            continue;
        const Place here = definitions.past_copies(phi.from[p]);
        if (value != ir::kNowhere && here != value)
            return ir::kNowhere;
        value = here;
    }
    return value;
}

// The values of one round after the other.
class Rounds {
public:
    Rounds(const SsaForm& form, const Definitions& definitions, const std::vector<Induction>& all)
        : form_(form), definitions_(definitions) {
        for (const Induction& i : all)
            if (i.begin)
                now_[i.phi->dst] = *i.begin;
        for (const Induction& i : all)
            if (i.begin)
                steps_.push_back(i);
    }
    [[nodiscard]] std::optional<std::uint64_t> value(Place place, unsigned steps = 0) const {
        constexpr unsigned kMostSteps = 16; // of a chain of operations
        place = definitions_.past_copies(place);
        if (place == ir::kNowhere || place == kUndefined || steps == kMostSteps)
            return std::nullopt;
        if (is_constant(place))
            return bits_of(form_.draft, place);
        if (const auto found = now_.find(place); found != now_.end())
            return found->second;
        const MicroOp* op = definitions_.op(place);
        if (op == nullptr || op->guard != ir::kNowhere || op->kind != Kind::Alu || op->dst[1] != ir::kNowhere ||
            cuts_pair(*op))
            return std::nullopt;
        std::array<std::uint64_t, 3> source{};
        for (std::size_t s = 0; s < op->src.size(); ++s) {
            if (op->src.at(s) == ir::kNowhere)
                continue;
            const std::optional<std::uint64_t> known = s < 3 ? value(op->src.at(s), steps + 1) : std::nullopt;
            if (!known)
                return std::nullopt;
            source.at(s) = *known;
        }
        std::uint64_t result = 0;
        return fold(*op, source, result) ? std::optional(result) : std::nullopt;
    }
    void next() {
        std::vector<std::uint64_t> values;
        for (const Induction& i : steps_)
            values.push_back(value(i.addition->dst[0]).value_or(0)); // a sum of two constants
        for (std::size_t i = 0; i < steps_.size(); ++i)
            now_[steps_[i].phi->dst] = values[i];
    }

private:
    // ptxas does not follow a 64-bit value into a comparison of its lower word.
    [[nodiscard]] static bool cuts_pair(const MicroOp& op) {
        return op.opcode == Opcode::Cvt && ptx::size_of(op.from) == 8 && ptx::size_of(op.type) < 8;
    }

    const SsaForm& form_;
    const Definitions& definitions_;
    std::vector<Induction> steps_;
    std::unordered_map<Place, std::uint64_t> now_; // by phi; looked up only
};

std::optional<Trips> count(const SsaForm& form, const Definitions& definitions, const std::vector<Induction>& all,
                           const LoopExit& exit) {
    const MicroOp& branch = form.draft.ops[exit.branch];
    const Place guard = definitions.past_copies(branch.guard);
    const std::uint32_t compare = definitions.number(guard);
    if (compare == Definitions::kNone)
        return std::nullopt;
    Trips trips;
    trips.exit = exit;
    trips.compare = compare;
    const MicroOp& test = form.draft.ops[compare];
    trips.operand = is_constant(definitions.past_copies(test.src[0])) ? 1 : 0;
    Rounds rounds(form, definitions, all);
    for (; trips.stays <= kMostRounds; ++trips.stays, rounds.next()) {
        const std::optional<std::uint64_t> taken = rounds.value(guard);
        if (!taken)
            return std::nullopt;
        trips.tested.push_back(rounds.value(test.src.at(trips.operand)).value_or(0));
        if (((*taken & 1) != 0) != branch.guard_negated ? !exit.taken_stays : exit.taken_stays)
            return trips;
    }
    return std::nullopt;
}

} // namespace

std::vector<Induction> inductions(const SsaForm& form, const Definitions& definitions, const InnerLoop& loop) {
    std::vector<Induction> out;
    for (const Phi& phi : form.phis[loop.header]) {
        const Place round = value_from(form, definitions, loop, phi, true);
        const MicroOp* op = definitions.op(round);
        if (op == nullptr || op->kind != Kind::Alu || op->guard != ir::kNowhere || op->dst[1] != ir::kNowhere ||
            (op->opcode != Opcode::Add && op->opcode != Opcode::Sub) || op->has(ir::kSaturate) ||
            is_integer_pair(op->type))
            continue;
        const Place a = definitions.past_copies(op->src[0]);
        const Place b = definitions.past_copies(op->src[1]);
        const bool steps =
            (a == phi.dst && is_constant(b)) || (b == phi.dst && is_constant(a) && op->opcode == Opcode::Add);
        if (!steps)
            continue;
        const Place begin = value_from(form, definitions, loop, phi, false);
        Induction induction{&phi, std::nullopt, op};
        std::uint64_t result = 0; // whether such sums are folded
        if (begin != ir::kNowhere && is_constant(begin) && begin != kUndefined && fold(*op, {0, 0, 0}, result))
            induction.begin = bits_of(form.draft, begin);
        out.push_back(induction);
    }
    return out;
}

std::optional<Trips> constant_trips(const SsaForm& form, const Definitions& definitions, const InnerLoop& loop) {
    const std::vector<Induction> all = inductions(form, definitions, loop);
    std::optional<Trips> best;
    for (const LoopExit& exit : exits_of_each_round(form, loop))
        if (std::optional<Trips> trips = count(form, definitions, all, exit);
            trips && (!best || trips->stays < best->stays))
            best = std::move(trips);
    return best;
}

} // namespace heddle::native
