// Random sequences of basic blocks, and what a warp needs for them found by trying everything.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "oracle/align.h"

namespace heddle::oracle {

// 0 to n - 1.
inline unsigned below(unsigned n, std::mt19937& random) {
    return static_cast<unsigned>(random() % n);
}

inline Sequence random_sequence(std::mt19937& random, unsigned longest, unsigned blocks) {
    Sequence out(below(longest + 1, random));
    for (Block& block : out)
        block = below(blocks, random);
    return out;
}

inline std::uint64_t instructions(const Sequence& sequence, const std::vector<std::uint32_t>& weights) {
    std::uint64_t sum = 0;
    for (const Block block : sequence)
        sum += weights[block];
    return sum;
}

// Fewest instructions in which all sequences can be issued: all sequences at the block that is issued next advance.
class FewestInstructions {
public:
    FewestInstructions(std::vector<Sequence> sequences, std::vector<std::uint32_t> weights)
        : sequences_(std::move(sequences)), weights_(std::move(weights)) {}

    std::uint64_t find() {
        return from(std::vector<std::size_t>(sequences_.size(), 0));
    }

private:
    std::uint64_t from(const std::vector<std::size_t>& at) {
        if (const auto known = known_.find(at); known != known_.end())
            return known->second;
        std::uint64_t best = 0;
        bool any = false;
        for (Block block = 0; block < weights_.size(); ++block) {
            std::vector<std::size_t> next = at;
            for (std::size_t i = 0; i < sequences_.size(); ++i)
                if (at[i] < sequences_[i].size() && sequences_[i][at[i]] == block)
                    ++next[i];
            if (next == at)
                continue;
            const std::uint64_t needed = weights_[block] + from(next);
            best = any ? std::min(best, needed) : needed;
            any = true;
        }
        return known_[at] = best;
    }

    std::vector<Sequence> sequences_;
    std::vector<std::uint32_t> weights_;
    std::map<std::vector<std::size_t>, std::uint64_t> known_;
};

} // namespace heddle::oracle
