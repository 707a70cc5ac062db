#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/align.h"
#include "sequences.h"

namespace heddle::oracle {
namespace {

using testing::ElementsAre;
using enum Step;

constexpr std::uint32_t kWide = 1000;

TEST(Aligner, TheSameStandsSideBySide) {
    const std::vector<std::uint32_t> weights{3, 5};
    Aligner aligner(weights, kWide);
    const Sequence a{0, 1, 0};
    EXPECT_EQ(aligner.saving(a, a).instructions, 11U);
    EXPECT_TRUE(aligner.saving(a, a).best);
    EXPECT_THAT(aligner.align(a, a), ElementsAre(Both, Both, Both));
}

TEST(Aligner, NothingInCommon) {
    const std::vector<std::uint32_t> weights{3, 5};
    Aligner aligner(weights, kWide);
    EXPECT_EQ(aligner.saving(Sequence{0, 0}, Sequence{1}).instructions, 0U);
    EXPECT_EQ(aligner.align(Sequence{0, 0}, Sequence{1}).size(), 3U);
    EXPECT_THAT(aligner.align({}, Sequence{1}), ElementsAre(Second));
    EXPECT_THAT(aligner.align(Sequence{1}, {}), ElementsAre(First));
    EXPECT_THAT(aligner.align({}, {}), ElementsAre());
}

// 0 1 2 3 against 1 3 4: 1 and 3 are common.
TEST(Aligner, GapsWhereOnlyOneExecutes) {
    const std::vector<std::uint32_t> weights{1, 2, 4, 8, 16};
    Aligner aligner(weights, kWide);
    EXPECT_EQ(aligner.saving(Sequence{0, 1, 2, 3}, Sequence{1, 3, 4}).instructions, 2U + 8U);
    EXPECT_THAT(aligner.align(Sequence{0, 1, 2, 3}, Sequence{1, 3, 4}), ElementsAre(First, Both, First, Both, Second));
    EXPECT_THAT(aligner.align(Sequence{1, 3, 4}, Sequence{0, 1, 2, 3}), ElementsAre(Second, Both, Second, Both, First));
}

// 0 and 1 cross: only one of them can be shared, the longer one. Two short ones outweigh one long one where they do.
TEST(Aligner, InstructionsCountAndNotBlocks) {
    const std::vector<std::uint32_t> weights{5, 2, 4};
    Aligner aligner(weights, kWide);
    EXPECT_THAT(aligner.align(Sequence{0, 1}, Sequence{1, 0}), ElementsAre(Second, Both, First));
    EXPECT_EQ(aligner.saving(Sequence{0, 1}, Sequence{1, 0}).instructions, 5U);
    EXPECT_EQ(aligner.saving(Sequence{0, 1, 2}, Sequence{1, 2, 0}).instructions, 2U + 4U);
}

// What both share stands four places apart.
TEST(Aligner, ABandThatIsTooNarrowIsSaid) {
    const std::vector<std::uint32_t> weights(8, 1);
    const Sequence a{0, 1, 2, 3, 4, 5, 6, 7}, b{4, 5, 6, 7, 0, 1, 2, 3};
    const auto saving = [&](std::uint32_t band) { return Aligner(weights, band).saving(a, b); };
    EXPECT_EQ(saving(3).instructions, 0U);
    EXPECT_FALSE(saving(3).best);
    EXPECT_EQ(saving(4).instructions, 4U);
    EXPECT_FALSE(saving(4).best) << "nobody has looked outside";
    EXPECT_EQ(saving(8).instructions, 4U);
    EXPECT_TRUE(saving(8).best);
}

// The band is about what lies between common ends.
TEST(Aligner, CommonEndsNeedNoBand) {
    const std::vector<std::uint32_t> weights(3, 1);
    Sequence a(100, 0), b(100, 0);
    a.insert(a.begin() + 50, {1, 2});
    b.insert(b.begin() + 50, {2});
    const Saving saving = Aligner(weights, 1).saving(a, b);
    EXPECT_EQ(saving.instructions, 101U);
    EXPECT_TRUE(saving.best);
}

void check_steps(const std::vector<Step>& steps, const Sequence& a, const Sequence& b,
                 const std::vector<std::uint32_t>& weights, std::uint64_t expected_saving) {
    std::size_t of_a = 0, of_b = 0;
    std::uint64_t saved = 0;
    for (const Step step : steps) {
        if (step == Both) {
            ASSERT_EQ(a.at(of_a), b.at(of_b));
            saved += weights[a[of_a]];
        }
        of_a += step != Second ? 1 : 0;
        of_b += step != First ? 1 : 0;
    }
    EXPECT_EQ(of_a, a.size());
    EXPECT_EQ(of_b, b.size());
    EXPECT_EQ(saved, expected_saving);
}

TEST(Aligner, NoWayOfSharingSavesMore) {
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        std::vector<std::uint32_t> weights(1 + below(4, random));
        for (std::uint32_t& weight : weights)
            weight = 1 + below(9, random);
        const auto blocks = static_cast<unsigned>(weights.size());
        const Sequence a = random_sequence(random, 12, blocks), b = random_sequence(random, 12, blocks);
        Aligner aligner(weights, kWide);
        const Saving saving = aligner.saving(a, b);
        EXPECT_TRUE(saving.best);
        EXPECT_EQ(instructions(a, weights) + instructions(b, weights) - saving.instructions,
                  FewestInstructions({a, b}, weights).find());
        check_steps(aligner.align(a, b), a, b, weights, saving.instructions);
    }
}

TEST(Aligner, NarrowBandsGiveAlignmentsThatHold) {
    std::mt19937 random(2);
    const std::vector<std::uint32_t> weights{1, 2, 3};
    for (int i = 0; i < 2000; ++i) {
        const Sequence a = random_sequence(random, 40, 3), b = random_sequence(random, 40, 3);
        const std::uint64_t most = Aligner(weights, kWide).saving(a, b).instructions;
        std::uint64_t narrower = 0;
        for (std::uint32_t band = 1; band <= 40; band += 3) {
            Aligner aligner(weights, band);
            const Saving saving = aligner.saving(a, b);
            EXPECT_GE(saving.instructions, narrower);
            EXPECT_TRUE(saving.instructions == most || !saving.best);
            check_steps(aligner.align(a, b), a, b, weights, saving.instructions);
            narrower = saving.instructions;
        }
        EXPECT_EQ(narrower, most);
    }
}

} // namespace
} // namespace heddle::oracle
