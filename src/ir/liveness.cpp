#include "ir/liveness.h"

#include <algorithm>
#include <bit>

namespace heddle::ir {

namespace {

constexpr std::uint32_t kUnseen = 0xffffffffU;

using Bits = std::vector<std::uint64_t>;

struct Sets { // of a block, over registers that cross blocks, renumbered densely
    Bits in, kill;
};

// Registers read in some block before it defines them: only they can be alive between blocks.
std::vector<std::uint32_t> crossing_registers(const Draft& draft, const Cfg& cfg) {
    std::vector<std::uint32_t> defined_in(draft.registers.size(), kUnseen);
    std::vector<bool> crosses(draft.registers.size(), false);
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
        for (std::uint32_t i = cfg.blocks[b].begin; i < cfg.blocks[b].end; ++i) {
            const MicroOp& op = draft.ops[i];
            each_use(op, [&](Place r) { crosses[r] = crosses[r] || defined_in[r] != b; });
            each_definition(op, [&](Place r) {
                if (op.guard == kNowhere)
                    defined_in[r] = b;
                else if (defined_in[r] != b)
                    crosses[r] = true; // the old value may shine through
            });
        }
    std::vector<std::uint32_t> list;
    for (std::uint32_t r = 0; r < crosses.size(); ++r)
        if (crosses[r])
            list.push_back(r);
    return list;
}

Sets sets_of(const Draft& draft, const Block& block, const std::vector<std::uint32_t>& dense, std::size_t words) {
    Sets sets{Bits(words, 0), Bits(words, 0)};
    for (std::uint32_t i = block.end; i-- > block.begin;) {
        const MicroOp& op = draft.ops[i];
        if (op.guard == kNowhere)
            each_definition(op, [&](Place r) {
                if (const std::uint32_t d = dense[r]; d != kUnseen) {
                    sets.kill[d / 64] |= 1ULL << (d % 64);
                    sets.in[d / 64] &= ~(1ULL << (d % 64));
                }
            });
        each_use(op, [&](Place r) {
            if (const std::uint32_t d = dense[r]; d != kUnseen)
                sets.in[d / 64] |= 1ULL << (d % 64);
        });
    }
    return sets;
}

} // namespace

std::vector<std::vector<std::uint32_t>> live_out(const Draft& draft, const Cfg& cfg) {
    const std::vector<std::uint32_t> crossing = crossing_registers(draft, cfg);
    std::vector<std::uint32_t> dense(draft.registers.size(), kUnseen);
    for (std::uint32_t d = 0; d < crossing.size(); ++d)
        dense[crossing[d]] = d;
    const std::size_t words = (crossing.size() + 63) / 64;
    const std::size_t n = cfg.blocks.size();
    std::vector<Sets> sets;
    sets.reserve(n);
    std::vector<std::vector<std::uint32_t>> predecessors(n);
    for (std::uint32_t b = 0; b < n; ++b) {
        sets.push_back(sets_of(draft, cfg.blocks[b], dense, words));
        for (const std::uint32_t s : cfg.graph.successors[b])
            predecessors[s].push_back(b);
    }
    // Blocks come in text order, which is near a topological one: a stack filled in that order takes the last first.
    std::vector<std::uint32_t> work(n);
    std::vector<bool> queued(n, true);
    for (std::uint32_t b = 0; b < n; ++b)
        work[b] = b;
    while (!work.empty()) {
        const std::uint32_t b = work.back();
        work.pop_back();
        queued[b] = false;
        bool changed = false;
        for (const std::uint32_t s : cfg.graph.successors[b])
            for (std::size_t w = 0; w < words; ++w) {
                const std::uint64_t more = sets[s].in[w] & ~sets[b].kill[w] & ~sets[b].in[w];
                sets[b].in[w] |= more;
                changed = changed || more != 0;
            }
        if (!changed)
            continue;
        for (const std::uint32_t p : predecessors[b])
            if (!queued[p]) {
                queued[p] = true;
                work.push_back(p);
            }
    }
    std::vector<std::vector<std::uint32_t>> out(n);
    Bits joined(words);
    for (std::uint32_t b = 0; b < n; ++b) {
        std::fill(joined.begin(), joined.end(), 0);
        for (const std::uint32_t s : cfg.graph.successors[b])
            for (std::size_t w = 0; w < words; ++w)
                joined[w] |= sets[s].in[w];
        for (std::size_t w = 0; w < words; ++w)
            for (std::uint64_t bits = joined[w]; bits != 0; bits &= bits - 1)
                out[b].push_back(crossing[w * 64 + static_cast<unsigned>(std::countr_zero(bits))]);
    }
    return out;
}

} // namespace heddle::ir
