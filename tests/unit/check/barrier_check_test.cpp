#include <gtest/gtest.h>

#include "check/barrier_check.h"

namespace heddle::check {
namespace {

constexpr Pc kHere = 10, kThere = 20;

// A block of 64 threads.
class BarrierCheckTest : public testing::Test {
protected:
    void arrive(std::uint32_t begin, std::uint32_t end, Pc pc, std::uint32_t expected = 0, bool aligned = true) {
        for (std::uint32_t t = begin; t < end; ++t)
            check.arrive(1, {t, pc, expected, true, aligned}, findings);
    }
    const Finding& only() {
        EXPECT_EQ(findings.all().size(), 1U);
        return findings.all().front();
    }

    BarrierCheck check{7, 64};
    Findings findings;
};

TEST_F(BarrierCheckTest, AllThreadsAtOneInstruction) {
    arrive(0, 64, kHere);
    check.complete(1, findings);
    arrive(0, 64, kThere);
    check.complete(1, findings);
    EXPECT_TRUE(findings.all().empty());
}

TEST_F(BarrierCheckTest, TwoWarpsAtTwoInstructions) {
    arrive(32, 64, kThere);
    arrive(0, 32, kHere);
    check.complete(1, findings);
    EXPECT_EQ(only().kind, Kind::BarrierInstruction);
    EXPECT_EQ(only().first.pc, kHere); // in the order of threads
    EXPECT_EQ(only().first.thread, 0U);
    EXPECT_EQ(only().second.pc, kThere);
    EXPECT_EQ(only().second.thread, 32U);
    EXPECT_EQ(only().second.block, 7U);
}

TEST_F(BarrierCheckTest, OneWarpAtTwoInstructions) {
    arrive(0, 40, kHere);
    arrive(40, 64, kThere);
    check.complete(1, findings);
    EXPECT_EQ(findings.all()[0].kind, Kind::BarrierWarp);
    EXPECT_EQ(findings.all()[0].first.thread, 32U);
    EXPECT_EQ(findings.all()[0].second.thread, 40U);
}

TEST_F(BarrierCheckTest, ABarrierThatIsNotAlignedMayBePartOfAWarps) {
    arrive(0, 48, kHere, 64, false);
    arrive(48, 64, kThere, 64, false);
    check.complete(1, findings);
    EXPECT_TRUE(findings.all().empty());
}

TEST_F(BarrierCheckTest, ThreadsThatHaveExited) {
    for (std::uint32_t t = 50; t < 64; ++t)
        check.exits(t, kThere);
    arrive(0, 50, kHere);
    check.complete(1, findings);
    EXPECT_EQ(only().kind, Kind::BarrierExited);
    EXPECT_EQ(only().first.pc, kHere);
    EXPECT_EQ(only().second.thread, 50U);
    EXPECT_EQ(only().second.pc, kThere);
}

TEST_F(BarrierCheckTest, ProducersAndConsumersMeetByTwoInstructions) {
    for (std::uint32_t t = 0; t < 32; ++t)
        check.arrive(1, {t, kHere, 64, false, true}, findings);
    arrive(32, 64, kThere, 64);
    check.complete(1, findings);
    EXPECT_TRUE(findings.all().empty());
}

TEST_F(BarrierCheckTest, DifferentCounts) {
    arrive(0, 32, kHere, 32);
    arrive(32, 33, kThere, 64);
    EXPECT_EQ(only().kind, Kind::BarrierCount);
    EXPECT_EQ(only().expected[0], 32U);
    EXPECT_EQ(only().expected[1], 64U);
}

TEST_F(BarrierCheckTest, MoreThreadsThanTheBlockHas) {
    arrive(0, 1, kHere, 96);
    EXPECT_EQ(only().kind, Kind::BarrierCount);
    EXPECT_EQ(only().first.pc, kNoPc);
}

TEST_F(BarrierCheckTest, PartOfAWarpAtACountedBarrier) {
    check.executes(63, kThere);
    arrive(0, 63, kHere, 64);
    check.complete(1, findings);
    EXPECT_EQ(only().kind, Kind::BarrierWarp);
    EXPECT_EQ(only().second.thread, 63U);
    EXPECT_EQ(only().second.pc, kThere);
}

TEST_F(BarrierCheckTest, ThoseWhoWaitForEver) {
    check.executes(5, kThere);
    arrive(0, 5, kHere);
    arrive(6, 64, kHere);
    check.stuck(findings);
    EXPECT_EQ(only().kind, Kind::BarrierStuck);
    EXPECT_EQ(only().first.pc, kHere);
    EXPECT_EQ(only().second.thread, 5U);
    EXPECT_EQ(only().second.pc, kThere);
}

} // namespace
} // namespace heddle::check
