// Who is aligned with whom.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::oracle {

// What pairs of sequences save, by their numbers.
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

// As many pairs as there can be, the lower number first; of an odd number of sequences one is in none.
using Pairs = std::vector<std::pair<unsigned, unsigned>>;

// Up to so many sequences best_pairing() looks at every pairing (DWF07's warps are 16 wide).
inline constexpr unsigned kAllPairings = 16;

// The pairing that saves most. Of more than kAllPairings sequences: the pair that saves most, then the next of those
// left, and so on.
[[nodiscard]] Pairs best_pairing(const Savings& savings);

} // namespace heddle::oracle
