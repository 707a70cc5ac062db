#include <gmock/gmock.h>

#include "probe/miss_intervals.h"

namespace heddle::probe {
namespace {

using ::testing::ElementsAre;

TEST(MissIntervals, AnIntervalEndsBeforeItsMultiple) {
    MissIntervals all(100, 4);
    all.missed(1, true, 0);
    all.missed(1, true, 99);
    all.missed(2, true, 100);
    all.missed(4, false, 199); // all threads missed: not divergent
    ASSERT_EQ(all.rows().size(), 2U);
    EXPECT_EQ(all.rows()[0].missed, 2U);
    EXPECT_EQ(all.rows()[1].missed, 2U);
    EXPECT_EQ(all.rows()[1].divergent, 1U);
    EXPECT_THAT(all.degrees(0), ElementsAre(0, 2, 0, 0, 0));
    EXPECT_THAT(all.degrees(1), ElementsAre(0, 0, 1, 0, 0));
}

// 3 lines in cycles 98 to 301: 2 cycles of the first interval, all 100 of two, 2 of the last.
TEST(MissIntervals, LinesAreSharedOutOverTheIntervals) {
    MissIntervals all(100, 4);
    all.on_their_way(3, 98, 302);
    all.on_their_way(5, 302, 303);
    ASSERT_EQ(all.rows().size(), 4U);
    EXPECT_EQ(all.rows()[0].line_cycles, 6U);
    EXPECT_EQ(all.rows()[1].line_cycles, 300U);
    EXPECT_EQ(all.rows()[2].line_cycles, 300U);
    EXPECT_EQ(all.rows()[3].line_cycles, 11U);
    EXPECT_EQ(all.rows()[2].most_lines, 3U);
    EXPECT_EQ(all.rows()[3].most_lines, 5U);
}

TEST(MissIntervals, ASpanThatEndsAtAMultipleLeavesTheNextIntervalAlone) {
    MissIntervals all(100, 4);
    all.on_their_way(2, 50, 100);
    EXPECT_EQ(all.rows().size(), 1U);
    all.on_their_way(7, 100, 100); // no cycle
    EXPECT_EQ(all.rows().size(), 1U);
    EXPECT_EQ(all.rows()[0].most_lines, 2U);
    EXPECT_EQ(all.rows()[0].line_cycles, 100U);
}

TEST(MissIntervals, ExtendedToTheEndOfTheRun) {
    MissIntervals all(100, 4);
    all.extend(0);
    EXPECT_TRUE(all.rows().empty());
    all.extend(300);
    EXPECT_EQ(all.rows().size(), 3U);
    all.extend(301);
    EXPECT_EQ(all.rows().size(), 4U);
    all.extend(5);
    EXPECT_EQ(all.rows().size(), 4U);
    EXPECT_EQ(all.cycles_of(2), 100U);
    EXPECT_EQ(all.cycles_of(3), 1U);
    all.missed(1, true, 349);
    EXPECT_EQ(all.cycles_of(3), 50U);
}

// One access a 10 cycles, of 1 + i mod 3 threads: the 4097th interval does not fit, and each two become one.
TEST(MissIntervals, PairsAreMergedWhenTheyAreTooMany) {
    MissIntervals all(10, 4);
    for (std::uint64_t i = 0; i < MissIntervals::kMost; ++i)
        all.missed(static_cast<unsigned>(1 + i % 3), true, 10 * i + 9);
    EXPECT_EQ(all.length(), 10U);
    ASSERT_EQ(all.rows().size(), MissIntervals::kMost);
    all.on_their_way(6, 40957, 40962); // 3 cycles of the last row, 2 of the next
    EXPECT_EQ(all.length(), 20U);
    ASSERT_EQ(all.rows().size(), 2049U); // 0 to 40960 of 20 each
    EXPECT_EQ(all.rows()[0].missed, 2U);
    EXPECT_THAT(all.degrees(0), ElementsAre(0, 1, 1, 0, 0));    // accesses 0 and 1
    EXPECT_THAT(all.degrees(1), ElementsAre(0, 1, 0, 1, 0));    // 2 and 3: of 3 threads and of 1
    EXPECT_THAT(all.degrees(2047), ElementsAre(0, 1, 0, 1, 0)); // 4094 and 4095: 4094 mod 3 = 2
    EXPECT_EQ(all.rows()[2047].line_cycles, 18U);
    EXPECT_EQ(all.rows()[2048].line_cycles, 12U);
    EXPECT_EQ(all.rows()[2048].missed, 0U);
    EXPECT_EQ(all.rows()[2048].most_lines, 6U);
    std::uint64_t sum = 0;
    for (const MissInterval& row : all.rows())
        sum += row.missed;
    EXPECT_EQ(sum, MissIntervals::kMost);
}

TEST(MissIntervals, ALongWayAtOnce) {
    MissIntervals all(1, 4);
    all.missed(1, true, 0);
    all.missed(3, true, 1'000'000'000'000);
    // 10^12 / 4096 = 244140625, between 2^27 and 2^28
    EXPECT_EQ(all.length(), Cycle{1} << 28);
    EXPECT_LE(all.rows().size(), MissIntervals::kMost);
    EXPECT_EQ(all.rows().front().missed, 1U);
    EXPECT_EQ(all.rows().back().missed, 1U);
    EXPECT_EQ(all.degrees(all.rows().size() - 1)[3], 1U);
}

TEST(MissIntervals, OfSeveralCachesAreAdded) {
    MissIntervals first(10, 4), second(10, 4);
    first.missed(1, true, 5);
    first.missed(2, true, 15);
    first.on_their_way(4, 0, 10);
    second.missed(1, true, 9);
    second.on_their_way(3, 0, 30);
    MissIntervals sum = first;
    sum.add(second);
    ASSERT_EQ(sum.rows().size(), 3U);
    EXPECT_EQ(sum.rows()[0].missed, 2U);
    EXPECT_THAT(sum.degrees(0), ElementsAre(0, 2, 0, 0, 0));
    EXPECT_EQ(sum.rows()[0].line_cycles, 70U); // 4 x 10 + 3 x 10
    EXPECT_EQ(sum.rows()[0].most_lines, 4U);   // to one cache
    EXPECT_EQ(sum.rows()[2].line_cycles, 30U);
    EXPECT_EQ(sum.cycles_of(2), 10U);

    second.missed(4, false, 10 * MissIntervals::kMost); // second has intervals of 20 from here on
    ASSERT_EQ(second.length(), 20U);
    for (const bool longer_first : {false, true}) {
        MissIntervals both = longer_first ? second : first;
        both.add(longer_first ? first : second);
        EXPECT_EQ(both.length(), 20U);
        EXPECT_EQ(both.rows()[0].missed, 3U);
        EXPECT_THAT(both.degrees(0), ElementsAre(0, 2, 1, 0, 0));
        EXPECT_EQ(both.rows()[0].line_cycles, 100U);
        EXPECT_EQ(both.rows().back().missed, 1U);
    }
}

} // namespace
} // namespace heddle::probe
