#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/pairing.h"

namespace heddle::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

// The best single pair would leave two behind that have nothing in common.
TEST(BestPairing, AllPairsCountTogether) {
    Savings savings(4);
    savings.set(0, 1, 10);
    savings.set(0, 2, 8);
    savings.set(1, 3, 8);
    EXPECT_THAT(best_pairing(savings), UnorderedElementsAre(Pair(0U, 2U), Pair(1U, 3U)));
}

TEST(BestPairing, OfAnOddNumberOneIsLeft) {
    Savings savings(3);
    savings.set(0, 1, 2);
    savings.set(0, 2, 3);
    savings.set(1, 2, 4);
    EXPECT_THAT(best_pairing(savings), ElementsAre(Pair(1U, 2U)));
    EXPECT_THAT(best_pairing(Savings(1)), IsEmpty());
}

TEST(BestPairing, PairsThatSaveNothingAreMade) {
    EXPECT_EQ(best_pairing(Savings(6)).size(), 3U);
}

std::uint64_t total(const Savings& savings, const Pairs& pairs) {
    std::uint64_t sum = 0;
    for (const auto& [a, b] : pairs)
        sum += savings.of(a, b);
    return sum;
}

// Every pairing, by every order of the sequences.
std::uint64_t most(const Savings& savings) {
    std::vector<unsigned> order(savings.sequences());
    std::iota(order.begin(), order.end(), 0U);
    std::uint64_t best = 0;
    do {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i + 1 < order.size(); i += 2)
            sum += savings.of(order[i], order[i + 1]);
        best = std::max(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

TEST(BestPairing, NoPairingSavesMore) {
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        Savings savings(2 + static_cast<unsigned>(random() % 6));
        for (unsigned a = 0; a < savings.sequences(); ++a)
            for (unsigned b = a + 1; b < savings.sequences(); ++b)
                savings.set(a, b, random() % 20);
        const Pairs pairs = best_pairing(savings);
        EXPECT_EQ(pairs.size(), savings.sequences() / 2);
        EXPECT_EQ(total(savings, pairs), most(savings));
    }
}

// 18 sequences: the trap of four as above, and seven pairs that fit.
TEST(BestPairing, OfManyTheBestPairComesFirst) {
    Savings savings(18);
    savings.set(0, 1, 10);
    savings.set(0, 2, 8);
    savings.set(1, 3, 8);
    for (unsigned a = 4; a < 18; a += 2)
        savings.set(a, a + 1, 20);
    EXPECT_EQ(total(savings, best_pairing(savings)), 10U + 7 * 20U);
    EXPECT_EQ(best_pairing(savings).size(), 9U);
}

} // namespace
} // namespace heddle::oracle
