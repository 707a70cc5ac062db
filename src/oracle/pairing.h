// The pairs of sequences to align.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::oracle {

// The savings of pairs of sequences, by their numbers.
class Savings {
public:
    explicit Savings(unsigned sequences) : sequences_(sequences), of_(std::size_t{sequences} * sequences) {}

    [[nodiscard]] unsigned sequences() const {
        return sequences_;
    }
    void set(unsigned a, unsigned b, std::uint64_t saving) {
        of_[std::size_t{a} * sequences_ + b] = of_[std::size_t{b} * sequences_ + a] = saving;
    }
    [[nodiscard]] std::uint64_t of(unsigned a, unsigned b) const {
        return of_[std::size_t{a} * sequences_ + b];
    }

private:
    unsigned sequences_;
    std::vector<std::uint64_t> of_;
};

// A largest set of pairs, the lower number first in each; with an odd number of sequences one has no pair.
using Pairs = std::vector<std::pair<unsigned, unsigned>>;

// Up to so many sequences best_pairing() looks at every pairing (DWF07's warps are 16 wide).
inline constexpr unsigned kAllPairings = 16;

// The pairing with the largest saving. With more than kAllPairings sequences: the pair with the largest saving, then
// the next of the remaining pairs, and so on.
[[nodiscard]] Pairs best_pairing(const Savings& savings);

} // namespace heddle::oracle
