// Sequences worked out by hand from the definitions of the policies.
#include "contract/policy_cache.h"

namespace heddle::mem {
namespace {

std::vector<Address> victims(PolicyCache& cache, std::initializer_list<Address> lines) {
    std::vector<Address> out;
    for (const Address line : lines) {
        EXPECT_FALSE(cache.access(line)) << line;
        out.push_back(cache.put_out);
    }
    return out;
}
void bring(PolicyCache& cache, std::initializer_list<Address> lines) {
    for (const Address line : lines)
        EXPECT_FALSE(cache.access(line)) << line;
}
void hit(PolicyCache& cache, std::initializer_list<Address> lines) {
    for (const Address line : lines)
        EXPECT_TRUE(cache.access(line)) << line;
}

TEST(TreePseudoLru, GoesWhereTheBitsPoint) {
    // Ways 0 to 3 hold A to D, filled in order: the root points to the lower half, that to way 0, the upper to way 2.
    PolicyCache cache("plru", {1, 4});
    bring(cache, {'A', 'B', 'C', 'D'});
    hit(cache, {'A'}); // root: upper; lower half: way 1
    // E takes way 2 (C): root: lower, upper half: way 3. F takes way 1 (B): root: upper, lower half: way 0. G takes
    // way 3 (D): root: lower. H takes way 0 (A).
    EXPECT_EQ(victims(cache, {'E', 'F', 'G', 'H'}), (std::vector<Address>{'C', 'B', 'D', 'A'}));
}

TEST(TreePseudoLru, IsNotLru) {
    PolicyCache cache("plru", {1, 4});
    bring(cache, {'A', 'B', 'C', 'D'});
    hit(cache, {'A', 'C'}); // the least recently used is B; the root points to the lower half, that to way 1
    EXPECT_EQ(victims(cache, {'E'}), (std::vector<Address>{'B'}));
    PolicyCache other("plru", {1, 4});
    bring(other, {'A', 'B', 'C', 'D'});
    hit(other, {'C', 'A'}); // the least recently used is B, but the root points to the upper half
    EXPECT_EQ(victims(other, {'E'}), (std::vector<Address>{'D'}));
}

TEST(TreePseudoLru, PassesOverWaysThatHaveToStay) {
    PolicyCache cache("plru", {1, 8});
    bring(cache, {0, 1, 2, 3, 4, 5, 6, 7}); // the bits point to way 0
    cache.candidates = 0b10100000;          // nothing in the lower half; way 4 and 6 stay
    EXPECT_EQ(victims(cache, {10}), (std::vector<Address>{5}));
    cache.candidates = 0b00000001;
    EXPECT_EQ(victims(cache, {11}), (std::vector<Address>{0}));
}

TEST(TreePseudoLru, RefusesWaysThatMakeNoTree) {
    for (const unsigned ways : {1U, 2U, 16U, 64U})
        EXPECT_EQ(replacements().make("plru", {4, ways})->objection(), "") << ways;
    EXPECT_EQ(replacements().make("plru", {4, 6})->objection(), "its tree needs a power of two of ways, not 6");
}

TEST(StaticReReference, KeepsWhatHitAgainstAScan) {
    // ISCA 2010, Figure 2 (b), hit priority: two lines that are used again, then a scan of new ones, four ways.
    // RRPVs by way:          a  b  .  .
    //   fill a, b; hit both  0  0
    //   scan 1, 2            0  0  2  2
    //   scan 3: all age      1  1  3  3 -> way 2: 1 1 2 3
    //   scan 4               way 3:      1 1 2 2
    //   scan 5: all age      2  2  3  3 -> way 2: 2 2 2 3
    //   scan 6               way 3:      2 2 2 2
    //   a hits               0  2  2  2
    //   scan 7: all age      1  3  3  3 -> way 1, b
    PolicyCache cache("srrip", {1, 4});
    bring(cache, {'a', 'b'});
    hit(cache, {'a', 'b'});
    bring(cache, {1, 2});
    EXPECT_EQ(victims(cache, {3, 4, 5, 6}), (std::vector<Address>{1, 2, 3, 4}));
    hit(cache, {'a'});
    EXPECT_EQ(victims(cache, {7}), (std::vector<Address>{'b'}));
}

TEST(StaticReReference, HeldLinesAgeAndStay) {
    PolicyCache cache("srrip", {1, 2});
    bring(cache, {'a', 'b'}); // 2 2
    cache.candidates = 0b10;
    EXPECT_EQ(victims(cache, {1}), (std::vector<Address>{'b'})); // 3 2
    cache.candidates = 0b11;
    EXPECT_EQ(victims(cache, {2}), (std::vector<Address>{'a'}));
}

TEST(BimodalReReference, InsertsOneIn32Long) {
    // In one way beside a line that hit, a new line is predicted distant, and the next one takes its place; one that is
    // predicted long makes all lines age first. The line that hit has interval 0: it goes after three such.
    PolicyCache cache("brrip", {1, 2, 99});
    bring(cache, {'a', 'b'});
    unsigned fills = 0, losses = 0;
    for (Address line = 1000; fills < 32000; ++line, ++fills) {
        if (!cache.access('a'))
            ++losses;
        cache.access(line);
    }
    EXPECT_EQ(losses, 0U) << "a line that hits again and again stays";
    // Without hits: a stays until the others were long three times (0 -> 3), each 32 fills on average.
    unsigned until = 0, rounds = 0;
    for (Address line = 100000; rounds < 200; ++rounds) {
        cache.access('a');
        cache.access('a');
        while (cache.has('a')) {
            cache.access(line++);
            ++until;
        }
    }
    EXPECT_NEAR(until / 200.0, 3 * 32, 20);
}

TEST(DynamicReReference, FollowersDoAsTheBetterLeader) {
    // 64 sets: set 0, 8, 16 ... lead for SRRIP, 4, 12, ... for BRRIP. A set that is cycled through by more lines than
    // it has ways never hits under SRRIP; under BRRIP part of them stay.
    PolicyCache cache("drrip", {64, 4, 5});
    const auto cycle = [&](unsigned rounds) {
        std::vector<unsigned> hits(64);
        for (unsigned round = 0; round < rounds; ++round)
            for (Address tag = 0; tag < 6; ++tag)
                for (unsigned set = 0; set < 64; ++set)
                    hits[set] += cache.access(tag * 64 + set) ? 1 : 0;
        return hits;
    };
    cycle(100);
    const std::vector<unsigned> hits = cycle(100);
    for (unsigned set = 0; set < 64; set += 8)
        EXPECT_EQ(hits[set], 0U) << set;
    for (unsigned set = 4; set < 64; set += 8)
        EXPECT_GT(hits[set], 100U) << set;
    EXPECT_GT(hits[1], 100U) << "a follower";
    EXPECT_GT(hits[63], 100U) << "a follower";
}

TEST(DynamicReReference, FollowersInsertAsSrripAsLongAsBothMissAlike) {
    PolicyCache cache("drrip", {64, 2, 5});
    // One miss in each leading set, so that neither has more; then the follower set 1.
    for (unsigned set = 0; set < 64; set += 4)
        cache.access(set);
    bring(cache, {64 + 1, 128 + 1});                                       // 2 2
    hit(cache, {64 + 1});                                                  // 0 2
    EXPECT_EQ(victims(cache, {192 + 1}), (std::vector<Address>{128 + 1})); // 1 2: long, as SRRIP has it
    EXPECT_EQ(victims(cache, {256 + 1}), (std::vector<Address>{192 + 1})); // 2 2: of BRRIP all but one in 32 leave 1 3
    EXPECT_EQ(victims(cache, {320 + 1}), (std::vector<Address>{64 + 1}));
}

TEST(HitPredictor, AScanningPcIsInsertedDistant) {
    // MICRO 2011: PC 7 brings lines that are used again, PC 9 scans. After two of its lines have left unused, PC 9's
    // counter, 1 at first, is 0: its lines are predicted distant and go before those of PC 7.
    PolicyCache cache("ship", {1, 4});
    cache.access('a', 7);
    cache.access('b', 7);
    EXPECT_TRUE(cache.access('a', 7)); // the counter of PC 7 is 2,
    EXPECT_TRUE(cache.access('b', 7)); // then 3
    cache.access(1, 9);                // 0 0 2 .
    cache.access(2, 9);                // 0 0 2 2
    cache.access(3, 9);                // 1 1 3 3: 1 leaves unused, the counter of PC 9 is 0. 3 is distant: 1 1 3 3
    EXPECT_EQ(cache.put_out, 1U);
    for (Address line = 4; line < 90; ++line) {
        cache.access(line, 9); // in way 2, for ever: nothing ages any more
        EXPECT_EQ(cache.put_out, line - 1);
    }
    EXPECT_TRUE(cache.access(2, 9)) << "the line beside it was not touched";
    EXPECT_TRUE(cache.access('a', 7));
    EXPECT_TRUE(cache.access('b', 7));
}

TEST(HitPredictor, APcThatIsUsedAgainIsPredictedAnew) {
    PolicyCache cache("ship", {1, 1});
    cache.access(1, 9);
    cache.access(2, 9);              // 1 left unused: counter 0
    EXPECT_TRUE(cache.access(2, 9)); // counter 1
    PolicyCache two("ship", {1, 2});
    two.access(1, 9);
    two.access(2, 9);
    two.access(3, 9);              // 1 left unused: 0; 3 distant, 2 aged: 3 3
    EXPECT_TRUE(two.access(3, 9)); // 0 3; counter 1
    two.access(4, 9);              // 2 left unused: 0; 4 distant: 0 3
    EXPECT_EQ(two.put_out, 2U);
    EXPECT_TRUE(two.access(4, 9)); // counter 1: 0 0
    EXPECT_TRUE(two.access(3, 9)); // counter 2
    two.access(5, 9);              // 3 leaves, used: the counter stays. 5 is long, after ageing: 2 3
    EXPECT_EQ(two.put_out, 3U);
    two.access(6, 9);
    EXPECT_EQ(two.put_out, 4U);
}

TEST(HitPredictor, WhatHasNoPcDoesNotTrain) {
    // Lines that leave unused, but are predicted long for ever: in two ways they leave in the order in which they came
    // (2 2 -> 3 3 -> 2 3 -> 2 2). Predicted distant they would all take the same way.
    PolicyCache cache("ship", {1, 2});
    for (Address line = 0; line < 20; ++line) {
        cache.access({.address = line << 7, .kind = AccessKind::WriteBack, .writes = true});
        if (line >= 2) {
            EXPECT_EQ(cache.put_out, line - 2);
        }
    }
}

} // namespace
} // namespace heddle::mem
