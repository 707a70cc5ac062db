#include "oracle/pairing.h"

#include <algorithm>
#include <bit>

#include "base/types.h"

namespace heddle::oracle {

namespace {

using Set = std::uint32_t; // a set of sequences, a bit each

constexpr Set only(unsigned sequence) {
    return Set{1} << sequence;
}

// Best pairings of every set of sequences, from smaller sets to larger. The lowest sequence of a set is paired with one
// of the others, or alone where their number is odd.
Pairs best_of_all(const Savings& savings) {
    const unsigned count = savings.sequences();
    std::vector<std::uint64_t> best(std::size_t{1} << count, 0);
    std::vector<std::uint8_t> partner(best.size(), 0); // partner of the lowest sequence; itself: none
    for (Set set = 1; set < best.size(); ++set) {
        const auto low = static_cast<unsigned>(std::countr_zero(set));
        const Set others = set & ~only(low);
        bool found = count_lanes(set) % 2 != 0;
        partner[set] = static_cast<std::uint8_t>(low);
        best[set] = found ? best[others] : 0;
        for (Set left = others; left != 0; left &= left - 1) {
            const auto with = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t saving = savings.of(low, with) + best[others & ~only(with)];
            if (!found || saving > best[set]) {
                found = true;
                best[set] = saving;
                partner[set] = static_cast<std::uint8_t>(with);
            }
        }
    }
    Pairs pairs;
    for (auto set = static_cast<Set>(best.size() - 1); set != 0;) {
        const auto low = static_cast<unsigned>(std::countr_zero(set));
        if (partner[set] != low)
            pairs.emplace_back(low, partner[set]);
        set &= ~only(low) & ~only(partner[set]);
    }
    return pairs;
}

Pairs best_first(const Savings& savings) {
    Pairs all;
    for (unsigned a = 0; a < savings.sequences(); ++a)
        for (unsigned b = a + 1; b < savings.sequences(); ++b)
            all.emplace_back(a, b);
    std::stable_sort(all.begin(), all.end(), [&](const auto& one, const auto& other) {
        return savings.of(one.first, one.second) > savings.of(other.first, other.second);
    });
    std::vector<bool> taken(savings.sequences());
    Pairs pairs;
    for (const auto& [a, b] : all)
        if (!taken[a] && !taken[b]) {
            taken[a] = taken[b] = true;
            pairs.emplace_back(a, b);
        }
    return pairs;
}

} // namespace

Pairs best_pairing(const Savings& savings) {
    return savings.sequences() <= kAllPairings ? best_of_all(savings) : best_first(savings);
}

} // namespace heddle::oracle
