#include "oracle/merge.h"

#include <algorithm>
#include <utility>

#include "oracle/pairing.h"

namespace heddle::oracle {

namespace {

// A pass is followed by another if it has shortened the order by more than 1 / kWorthwhile.
constexpr std::uint64_t kWorthwhile = 200;

// An order of some threads, as two parallel lists: alignment only reads the blocks.
struct Bundle {
    Sequence blocks;
    std::vector<LaneMask> threads;

    void append(Block block, LaneMask executing) {
        blocks.push_back(block);
        threads.push_back(executing);
    }
};

// Each different sequence, with the threads that have it.
std::vector<Bundle> different_ones(std::span<const Sequence> threads) {
    std::vector<Bundle> out;
    for (std::size_t lane = 0; lane < threads.size(); ++lane) {
        if (threads[lane].empty())
            continue;
        auto at = std::find_if(out.begin(), out.end(), [&](const Bundle& b) { return b.blocks == threads[lane]; });
        if (at == out.end())
            at = out.insert(out.end(), {threads[lane], std::vector<LaneMask>(threads[lane].size(), 0)});
        for (LaneMask& mask : at->threads)
            mask |= LaneMask{1} << lane;
    }
    return out;
}

Bundle together(const Bundle& a, const Bundle& b, Aligner& aligner) {
    Bundle out;
    std::size_t of_a = 0, of_b = 0;
    for (const Step step : aligner.align(a.blocks, b.blocks)) {
        const bool takes_a = step != Step::Second, takes_b = step != Step::First;
        out.append(takes_a ? a.blocks[of_a] : b.blocks[of_b],
                   (takes_a ? a.threads[of_a] : 0) | (takes_b ? b.threads[of_b] : 0));
        of_a += takes_a ? 1 : 0;
        of_b += takes_b ? 1 : 0;
    }
    return out;
}

Bundle without(const Bundle& order, LaneMask threads) {
    Bundle out;
    for (std::size_t i = 0; i < order.blocks.size(); ++i)
        if (const LaneMask left = order.threads[i] & ~threads; left != 0)
            out.append(order.blocks[i], left);
    return out;
}

class Merger {
public:
    Merger(std::span<const Sequence> threads, std::span<const std::uint32_t> weights, std::uint32_t band)
        : weights_(weights), aligner_(weights, band), sequences_(different_ones(threads)) {}

    Merged run(const Order& known) {
        out_.at_least = fewest_of_each_block();
        if (sequences_.empty())
            return out_;
        Bundle best = in_rounds();
        out_.in_pairs = instructions(best);
        if (sequences_.size() > 2) { // with two sequences the order is optimal already
            improve(best);
            if (instructions(best) > out_.at_least && !known.empty())
                improve_from(known, best);
        }
        out_.instructions = instructions(best);
        for (std::size_t i = 0; i < best.blocks.size(); ++i)
            out_.order.push_back({best.blocks[i], best.threads[i]});
        return out_;
    }

private:
    [[nodiscard]] std::uint64_t instructions(const Bundle& bundle) const {
        std::uint64_t sum = 0;
        for (const Block block : bundle.blocks)
            sum += weights_[block];
        return sum;
    }

    // Every order holds each block as often as the thread that executes it most often.
    [[nodiscard]] std::uint64_t fewest_of_each_block() const {
        std::vector<std::uint64_t> most(weights_.size()), own(weights_.size());
        for (const Bundle& sequence : sequences_) {
            std::fill(own.begin(), own.end(), 0);
            for (const Block block : sequence.blocks)
                most[block] = std::max(most[block], ++own[block]);
        }
        std::uint64_t sum = 0;
        for (std::size_t block = 0; block < most.size(); ++block)
            sum += most[block] * weights_[block];
        return sum;
    }

    Bundle in_rounds() {
        std::vector<Bundle> bundles = sequences_;
        for (bool first = true; bundles.size() > 1; first = false)
            bundles = paired(bundles, look_at_pairs(bundles, first));
        return bundles.front();
    }

    // In the first round bundles are whole sequences of threads: each pair gives a lower bound of the best order.
    Savings look_at_pairs(const std::vector<Bundle>& bundles, bool first) {
        const auto count = static_cast<unsigned>(bundles.size());
        Savings savings(count);
        for (unsigned a = 0; a < count; ++a)
            for (unsigned b = a + 1; b < count; ++b) {
                const Saving saving = aligner_.saving(bundles[a].blocks, bundles[b].blocks);
                savings.set(a, b, saving.instructions);
                out_.in_band = out_.in_band && saving.best;
                if (first && saving.best)
                    out_.at_least = std::max(out_.at_least,
                                             instructions(bundles[a]) + instructions(bundles[b]) - saving.instructions);
            }
        return savings;
    }

    std::vector<Bundle> paired(const std::vector<Bundle>& bundles, const Savings& savings) {
        std::vector<Bundle> next;
        std::vector<bool> done(bundles.size());
        for (const auto& [a, b] : best_pairing(savings)) {
            next.push_back(together(bundles[a], bundles[b], aligner_));
            done[a] = done[b] = true;
        }
        for (std::size_t i = 0; i < bundles.size(); ++i)
            if (!done[i])
                next.push_back(bundles[i]);
        return next;
    }

    // An alignment as good as the last one is also kept: it may lead to a better one.
    void improve(Bundle& order) {
        std::uint64_t needed = instructions(order), before = 0;
        do {
            before = needed;
            for (const Bundle& sequence : sequences_) {
                Bundle again = together(without(order, sequence.threads.front()), sequence, aligner_);
                if (const std::uint64_t now = instructions(again); now <= needed) {
                    needed = now;
                    order = std::move(again);
                }
            }
        } while (needed < before - before / kWorthwhile && needed > out_.at_least);
    }

    // Uses the improved form of another order when that is shorter.
    void improve_from(const Order& known, Bundle& best) {
        Bundle other;
        for (const Issue& issue : known)
            other.append(issue.block, issue.threads);
        improve(other);
        if (instructions(other) < instructions(best))
            best = std::move(other);
    }

    std::span<const std::uint32_t> weights_;
    Aligner aligner_;
    std::vector<Bundle> sequences_;
    Merged out_;
};

} // namespace

Merged merge(std::span<const Sequence> threads, const Order& known, std::span<const std::uint32_t> weights,
             std::uint32_t band) {
    return Merger(threads, weights, band).run(known);
}

} // namespace heddle::oracle
