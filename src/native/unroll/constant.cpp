// Loops whose rounds are constant.
#include <algorithm>

#include "native/unroll/code.h"
#include "native/unroll/copy.h"
#include "native/unroll/size.h"
#include "native/unroll/unroll.h"

namespace heddle::native {

namespace {

using ir::MicroOp;

// The rules; sizes are instructions of a round (round_size()).
constexpr unsigned kMostRolled = 73;          // of a round of a loop that is unrolled in part
constexpr unsigned kMostPart = 350;           // of the rounds of such a loop and of those behind it
constexpr unsigned kMostWhole = 440;          // of all rounds together
constexpr unsigned kMostWholeLong = 380;      // where a round is longer than kMostRolled
constexpr std::uint64_t kMostSquare = 23'000; // of rounds times the square of their size and 1
constexpr std::size_t kMostOps = 1U << 15;    // of a kernel

// `copies`: a nest of loops counts as one loop of all its rounds.
bool is_unrolled_whole(std::uint64_t rounds, std::uint64_t size, std::uint64_t copies) {
    const std::uint64_t one = size / copies + 1;
    return rounds * size <= (size <= kMostRolled ? kMostWhole : kMostWholeLong) ||
           rounds * copies * one * one <= kMostSquare;
}

// The most rounds that leave few behind the loop; 1: the loop is not unrolled.
std::uint32_t rounds_of_part(std::uint32_t rounds, unsigned size) {
    if (size > kMostRolled)
        return 1;
    const std::uint32_t most = kMostPart / size;
    for (std::uint32_t n = std::min(most, rounds - 1); n > 1; --n)
        if (n + rounds % n <= most)
            return n;
    return 1;
}

class Unroller {
public:
    Unroller(const ir::Program& program, Recovered& recovered)
        : program_(program),
          forgets_(recovered.draft.ops.size(), false), code_{recovered, forgets_,
                                                             std::vector<Mark>(recovered.draft.ops.size())} {}

    void run() {
        while (step()) {
        }
    }

private:
    // Unrolls or settles one loop; false: all are settled.
    bool step() {
        const SsaForm form = build_ssa(code_.recovered.draft, forgets_);
        std::vector<InnerLoop> loops = inner_loops(form);
        std::erase_if(loops, [&](const InnerLoop& l) { return code_.marks[first_op(form, l)].settled; });
        if (loops.empty())
            return false;
        const Definitions definitions(form);
        for (const InnerLoop& loop : loops) {
            if (unroll(form, definitions, loop))
                return true;
            code_.marks[first_op(form, loop)].settled = true;
        }
        return true;
    }

    [[nodiscard]] static std::uint32_t first_op(const SsaForm& form, const InnerLoop& loop) {
        return form.cfg.blocks[loop.header].begin;
    }

    bool unroll(const SsaForm& form, const Definitions& definitions, const InnerLoop& loop) {
        if (first_op(form, loop) == 0 || asks_to_stay(program_, code_.recovered.pcs[first_op(form, loop)]))
            return false;
        const std::optional<Trips> trips = constant_trips(form, definitions, loop);
        if (!trips)
            return false;
        const std::optional<unsigned> size = round_size(form, loop, constant_in_rounds(form, definitions, loop));
        if (!size)
            return false;
        const bool tests_last = trips->exit.inside == loop.header;
        const std::uint32_t rounds = std::max(1U, trips->stays + (tests_last ? 1 : 0));
        const std::size_t others = form.draft.ops.size();
        const auto fits = [&](std::uint64_t n) { return others + n * *size * 2 <= kMostOps; };
        std::uint32_t copies = 1; // of ops by loops inside
        for (const std::uint32_t b : loop.blocks)
            for (std::uint32_t i = form.cfg.blocks[b].begin; i < form.cfg.blocks[b].end; ++i)
                copies = std::max(copies, code_.marks[i].copies);
        if (is_unrolled_whole(rounds, *size, copies) && fits(rounds)) {
            LoopCopier(code_, form, loop, *trips).unroll_whole(rounds);
            return true;
        }
        const std::uint32_t part = branches(form, loop) == 1 ? rounds_of_part(rounds, *size) : 1;
        if (part == 1 || !fits(2 * part))
            return false;
        return LoopCopier(code_, form, loop, *trips).unroll_part(part, tests_last ? part - 1 : 0);
    }

    [[nodiscard]] static std::size_t branches(const SsaForm& form, const InnerLoop& loop) {
        std::size_t n = 0;
        for (const std::uint32_t b : loop.blocks)
            n += form.draft.ops[form.cfg.blocks[b].end - 1].is_conditional_branch() ? 1 : 0;
        return n;
    }

    const ir::Program& program_;
    std::vector<bool> forgets_;
    Code code_;
};

// Guards that are constant now. True: there were some.
bool remove_constant_guards(Recovered& code) {
    const std::vector<bool> forgets(code.draft.ops.size(), false);
    SsaForm form = build_ssa(code.draft, forgets);
    simplify(form);
    bool found = false;
    for (std::size_t i = 0; i < code.draft.ops.size(); ++i) {
        const ir::Place guard = form.draft.ops[i].guard;
        MicroOp& op = code.draft.ops[i];
        if (guard == ir::kNowhere || !is_constant(guard) || guard == kUndefined)
            continue;
        found = true;
        const bool executes = ((bits_of(form.draft, guard) & 1) != 0) != form.draft.ops[i].guard_negated;
        if (executes) {
            op.guard = ir::kNowhere;
            op.guard_negated = false;
        } else {
            op = {};
            op.kind = ir::Kind::Nop;
        }
    }
    return found;
}

} // namespace

void unroll_constant(const ir::Program& program, Recovered& code) {
    Unroller(program, code).run();
    while (remove_constant_guards(code)) {
    }
}

} // namespace heddle::native
