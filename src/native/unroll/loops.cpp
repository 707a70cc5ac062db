#include <algorithm>

#include "native/unroll/trips.h"

namespace heddle::native {

using ir::MicroOp;
using ir::Place;

std::vector<InnerLoop> inner_loops(const SsaForm& form) {
    const ir::Loops loops = ir::find_loops(form.cfg.graph);
    const auto blocks = static_cast<std::uint32_t>(form.cfg.blocks.size());
    std::vector<bool> holds_loop(blocks, false);
    for (std::uint32_t b = 0; b < blocks; ++b)
        if (loops.innermost[b] == b && loops.around[b] != ir::kNoLoop)
            holds_loop[loops.around[b]] = true;
    std::vector<std::vector<std::uint32_t>> members(blocks); // by header
    for (std::uint32_t b = 0; b < blocks; ++b)
        if (loops.innermost[b] < blocks)
            members[loops.innermost[b]].push_back(b);
    std::vector<InnerLoop> out;
    for (std::uint32_t h = 0; h < blocks; ++h) {
        if (loops.innermost[h] != h || holds_loop[h])
            continue;
        InnerLoop loop;
        loop.header = h;
        loop.holds.assign(blocks, false);
        for (const std::uint32_t b : members[h]) {
            loop.holds[b] = true;
            loop.blocks.push_back(b);
        }
        std::rotate(loop.blocks.begin(), std::find(loop.blocks.begin(), loop.blocks.end(), h), loop.blocks.end());
        out.push_back(std::move(loop));
    }
    return out;
}

namespace {

bool dominates(const SsaForm& form, std::uint32_t a, std::uint32_t b) {
    while (b != a && form.idom[b] != b)
        b = form.idom[b];
    return a == b;
}

} // namespace

std::vector<LoopExit> exits_of_each_round(const SsaForm& form, const InnerLoop& loop) {
    std::vector<LoopExit> out;
    for (const std::uint32_t b : loop.blocks) {
        const std::uint32_t last = form.cfg.blocks[b].end - 1;
        const MicroOp& branch = form.draft.ops[last];
        if (!branch.is_conditional_branch() || b + 1 >= form.cfg.blocks.size())
            continue;
        const std::uint32_t taken = form.cfg.block_of[branch.target];
        if (loop.holds[taken] == loop.holds[b + 1])
            continue;
        const auto& from = form.predecessors[loop.header];
        const bool always = std::all_of(from.begin(), from.end(),
                                        [&](std::uint32_t p) { return !loop.holds[p] || dominates(form, b, p); });
        if (!always)
            continue;
        LoopExit exit;
        exit.block = b;
        exit.branch = last;
        exit.taken_stays = loop.holds[taken];
        exit.inside = exit.taken_stays ? taken : b + 1;
        exit.outside = exit.taken_stays ? b + 1 : taken;
        out.push_back(exit);
    }
    return out;
}

Definitions::Definitions(const SsaForm& form)
    : form_(form), op_of_(form.draft.registers.size(), kNone), only_(form.draft.registers.size(), ir::kNowhere) {
    for (std::uint32_t i = 0; i < form.draft.ops.size(); ++i)
        for (const Place d : form.draft.ops[i].dst)
            if (d != ir::kNowhere)
                op_of_[d] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& list : form.phis)
            for (const Phi& phi : list)
                changed = find_only_value(phi) || changed;
    }
}

// A phi of a register that its loop only reads has one value.
bool Definitions::find_only_value(const Phi& phi) {
    if (only_[phi.dst] != ir::kNowhere)
        return false;
    Place only = ir::kNowhere;
    for (Place from : phi.from) {
        while (is_register(from) && only_[from] != ir::kNowhere)
            from = only_[from];
        if (from == phi.dst || from == only)
            continue;
        if (only != ir::kNowhere || from == kUndefined)
            return false;
        only = from;
    }
    only_[phi.dst] = only;
    return only != ir::kNowhere;
}

std::uint32_t Definitions::number(Place place) const {
    return place != ir::kNowhere && is_register(place) ? op_of_[place] : kNone;
}

const MicroOp* Definitions::op(Place place) const {
    const std::uint32_t n = number(place);
    return n == kNone ? nullptr : &form_.draft.ops[n];
}

Place Definitions::past_copies(Place place) const {
    for (;;) {
        if (place == ir::kNowhere || is_constant(place))
            return place;
        if (only_[place] != ir::kNowhere) {
            place = only_[place];
            continue;
        }
        const MicroOp* copy = op(place);
        if (copy == nullptr || !is_copy(*copy))
            return place;
        place = copy->src[0];
    }
}

bool Definitions::is_copy(const MicroOp& op) const {
    const Place from = op.src[0];
    if (op.opcode != ir::Opcode::Mov || op.kind != ir::Kind::Alu || op.guard != ir::kNowhere || from == kUndefined ||
        op.has(ir::kSourceNegated) || op.dst[1] != ir::kNowhere)
        return false;
    const auto storage = [&](Place p) { return form_.draft.registers[p].storage(); };
    return (op.type == ir::Type::Pred || ptx::size_of(op.type) >= 4) &&
           (is_constant(from) || storage(from) == storage(op.dst[0]));
}

} // namespace heddle::native
