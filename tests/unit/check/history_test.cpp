#include <gtest/gtest.h>

#include "check/history.h"

namespace heddle::check {
namespace {

constexpr unsigned kAll = 0xf;

// Two blocks of 32 threads. The place of an access is its PC.
class HistoryTest : public testing::Test {
protected:
    HistoryTest() {
        clocks.begin(64, 32);
        clocks.start_block(0);
        clocks.start_block(1);
        histories.begin(32, clocks);
    }
    std::optional<Party> access(ThreadId thread, Pc pc, How how, Strength strength = Strength::Weak,
                                unsigned mask = kAll, std::optional<std::uint32_t> value = {}) {
        return histories.access(word, mask, {clocks.accessor(thread), thread / 32, pc, how, strength, value});
    }
    void meet(const std::vector<ThreadId>& threads) {
        Meeting meeting;
        for (const ThreadId t : threads)
            clocks.arrive(meeting, t, true);
        clocks.meet(meeting, threads);
    }

    ThreadClocks clocks;
    Histories histories;
    Histories::Word word;
};

TEST_F(HistoryTest, AReadAfterAWriteOfAnotherThreadRaces) {
    EXPECT_FALSE(access(0, 10, How::Write));
    EXPECT_FALSE(access(0, 11, How::Read));
    const auto other = access(1, 12, How::Read);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->id, 0U);
    EXPECT_EQ(other->pc, 10U);
    EXPECT_EQ(other->how, How::Write);
}

TEST_F(HistoryTest, AWriteAfterReadsRacesWithTheReaderThatIsNotKnown) {
    EXPECT_FALSE(access(1, 10, How::Read));
    EXPECT_FALSE(access(2, 10, How::Read));
    EXPECT_FALSE(access(3, 10, How::Read));
    meet({0, 1, 2});
    const auto other = access(0, 11, How::Write);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->id, 3U);
    EXPECT_EQ(other->pc, 10U);
}

TEST_F(HistoryTest, ReadersOfSeveralInstructionsAreAllKept) {
    EXPECT_FALSE(access(1, 10, How::Read));
    EXPECT_FALSE(access(5, 11, How::Read));
    EXPECT_FALSE(access(9, 12, How::Read));
    meet({0, 1, 9});
    const auto other = access(0, 13, How::Write);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->id, 5U);
    EXPECT_EQ(other->pc, 11U);
}

TEST_F(HistoryTest, ThoseWhoHaveMetDoNotRace) {
    EXPECT_FALSE(access(0, 10, How::Write));
    meet({0, 1});
    EXPECT_FALSE(access(1, 11, How::Read));
    EXPECT_FALSE(access(0, 12, How::Read));
    meet({0, 1});
    EXPECT_FALSE(access(1, 13, How::Write));
}

TEST_F(HistoryTest, AtomicOperationsDoNotRaceWithEachOtherButWithOthers) {
    EXPECT_FALSE(access(0, 10, How::Atomic, Strength::Device));
    EXPECT_FALSE(access(40, 10, How::Atomic, Strength::Device));
    EXPECT_FALSE(access(1, 11, How::Read, Strength::Device)); // volatile
    EXPECT_TRUE(access(2, 12, How::Read));
}

TEST_F(HistoryTest, AtomicOperationsOfTheBlockRaceWithThoseOfAnotherBlock) {
    EXPECT_FALSE(access(0, 10, How::Atomic, Strength::Block));
    EXPECT_FALSE(access(1, 10, How::Atomic, Strength::Block));
    EXPECT_TRUE(access(32, 10, How::Atomic, Strength::Device));
}

TEST_F(HistoryTest, StoresOfOneValueDoNotRace) {
    EXPECT_FALSE(access(0, 10, How::Write, Strength::Weak, kAll, 7));
    EXPECT_FALSE(access(1, 10, How::Write, Strength::Weak, kAll, 7));
    EXPECT_TRUE(access(2, 10, How::Write, Strength::Weak, kAll, 8));
    EXPECT_TRUE(access(3, 10, How::Write)); // of a value that is not known
}

TEST_F(HistoryTest, BytesOfAWordHaveHistoriesOfTheirOwn) {
    for (ThreadId t = 0; t < 4; ++t)
        EXPECT_FALSE(access(t, 10, How::Write, Strength::Weak, 1U << t));
    const auto other = access(1, 11, How::Read, Strength::Weak, 0b1100);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->id, 2U);
    EXPECT_FALSE(access(1, 12, How::Read, Strength::Weak, 0b0010));
    EXPECT_TRUE(access(0, 13, How::Read)); // the whole word
    meet({0, 1, 2, 3});
    EXPECT_FALSE(access(0, 14, How::Write));
    EXPECT_TRUE(access(3, 15, How::Read, Strength::Weak, 0b1000));
}

TEST_F(HistoryTest, OfTooManyReadersTheLastAreKept) {
    for (ThreadId t = 1; t < 31; t += 2) // 15 readers that are no neighbours
        EXPECT_FALSE(access(t, 10, How::Read));
    const auto other = access(0, 11, How::Write);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->pc, 10U);
}

TEST_F(HistoryTest, ACopyThatIsNotWaitedForRacesWithItsOwnThread) {
    EXPECT_FALSE(histories.access(word, kAll, {clocks.copies_of(5), 0, 10, How::Write, Strength::Weak, {}}));
    const auto other = access(5, 11, How::Read);
    ASSERT_TRUE(other);
    EXPECT_EQ(clocks.owner(other->id), 5U);
    EXPECT_NE(other->id, 5U);
    clocks.wait_for_copies(5, 0, true);
    EXPECT_FALSE(access(5, 12, How::Read));
}

} // namespace
} // namespace heddle::check
