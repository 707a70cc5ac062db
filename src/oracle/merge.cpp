#include "oracle/merge.h"

#include <algorithm>

#include "oracle/pairing.h"

namespace heddle::oracle {

namespace {

// Threads that go together: their blocks, and who of them executes each.
struct Bundle {
    Sequence blocks;
    std::vector<LaneMask> threads;
};

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
        out.blocks.push_back(takes_a ? a.blocks[of_a] : b.blocks[of_b]);
        out.threads.push_back((takes_a ? a.threads[of_a] : 0) | (takes_b ? b.threads[of_b] : 0));
        of_a += takes_a ? 1 : 0;
        of_b += takes_b ? 1 : 0;
    }
    return out;
}

class Rounds {
public:
    Rounds(std::vector<Bundle> bundles, std::span<const std::uint32_t> weights, std::uint32_t band)
        : weights_(weights), aligner_(weights, band), bundles_(std::move(bundles)) {
        for (const Bundle& bundle : bundles_)
            out_.at_least = std::max(out_.at_least, instructions(bundle));
    }

    Merged run() {
        for (bool first = true; bundles_.size() > 1; first = false)
            pair_up(look_at_pairs(first));
        if (bundles_.empty())
            return out_;
        out_.instructions = instructions(bundles_.front());
        for (std::size_t i = 0; i < bundles_.front().blocks.size(); ++i)
            out_.order.push_back({bundles_.front().blocks[i], bundles_.front().threads[i]});
        return out_;
    }

private:
    [[nodiscard]] std::uint64_t instructions(const Bundle& bundle) const {
        std::uint64_t sum = 0;
        for (const Block block : bundle.blocks)
            sum += weights_[block];
        return sum;
    }

    // In the first round bundles are whole sequences of threads: two of them bound the best order from below.
    Savings look_at_pairs(bool first) {
        const auto count = static_cast<unsigned>(bundles_.size());
        Savings savings(count);
        for (unsigned a = 0; a < count; ++a)
            for (unsigned b = a + 1; b < count; ++b) {
                const Saving saving = aligner_.saving(bundles_[a].blocks, bundles_[b].blocks);
                savings.set(a, b, saving.instructions);
                out_.in_band = out_.in_band && saving.best;
                if (first && saving.best)
                    out_.at_least = std::max(out_.at_least, instructions(bundles_[a]) + instructions(bundles_[b]) -
                                                                saving.instructions);
            }
        return savings;
    }

    void pair_up(const Savings& savings) {
        std::vector<Bundle> next;
        std::vector<bool> paired(bundles_.size());
        for (const auto& [a, b] : best_pairing(savings)) {
            next.push_back(together(bundles_[a], bundles_[b], aligner_));
            paired[a] = paired[b] = true;
        }
        for (std::size_t i = 0; i < bundles_.size(); ++i)
            if (!paired[i])
                next.push_back(std::move(bundles_[i]));
        bundles_ = std::move(next);
    }

    std::span<const std::uint32_t> weights_;
    Aligner aligner_;
    std::vector<Bundle> bundles_;
    Merged out_;
};

} // namespace

Merged merge(std::span<const Sequence> threads, std::span<const std::uint32_t> weights, std::uint32_t band) {
    return Rounds(different_ones(threads), weights, band).run();
}

} // namespace heddle::oracle
