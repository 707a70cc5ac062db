#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe/residency.h"

namespace heddle::probe {
namespace {

using testing::ElementsAre;

// An SM of 8 rows of 32 threads and 4 blocks, sampled every 100 cycles.
Residency residency(std::size_t limit = 1000) {
    return {limit, 100, 8, 4};
}

std::vector<Cycle> cycles(const Residency& r) {
    std::vector<Cycle> out;
    for (const Sample& s : r.samples())
        out.push_back(s.at);
    return out;
}

TEST(Residency, ABlockLastsUpToTheCycleAfterItsLastExit) {
    Residency r = residency();
    r.begin_launch(3);
    r.started(1, 42, 2, 64, 32, 10);
    EXPECT_EQ(r.block_in(1), 42U);
    r.ended(1, 99);
    ASSERT_EQ(r.blocks().size(), 1U);
    const BlockSpan& b = r.blocks()[0];
    EXPECT_EQ(b.start, 10U);
    EXPECT_EQ(b.end, 100U);
    EXPECT_EQ(b.global_id, 42U);
    EXPECT_EQ(b.launch, 3U);
    EXPECT_EQ(b.slot, 1U);
    EXPECT_TRUE(b.ended);
}

// Two blocks: rows 0 and 1 with 32 and 8 threads, row 4 with 32. Row 0 executes 3 instructions, row 1 one of 8 threads
// and one of 4, row 4 ten.
TEST(Residency, ASampleOfTwoBlocks) {
    Residency r = residency();
    r.started(0, 5, 0, 40, 32, 0);
    r.started(2, 6, 4, 32, 32, 0);
    for (int i = 0; i < 3; ++i)
        r.progressed(0, 32);
    r.progressed(1, 8);
    r.progressed(1, 4);
    for (int i = 0; i < 10; ++i)
        r.progressed(4, 32);
    r.executed(400);
    EXPECT_EQ(r.due(), 101U);
    r.sample(101, std::vector<std::uint64_t>{6, 5}, 7);
    ASSERT_EQ(r.samples().size(), 1U);
    const Sample& s = r.samples()[0];
    EXPECT_EQ(s.at, 100U);
    EXPECT_EQ(s.threads, 72U);
    EXPECT_EQ(s.warps, 3U);
    EXPECT_EQ(s.requests, 7U);
    EXPECT_EQ(s.thread_instructions, 400U);
    EXPECT_EQ(s.progress.least, 12U);
    EXPECT_EQ(s.progress.most, 320U);
    EXPECT_EQ(s.progress.sum, 96U + 12 + 320);
    const auto blocks = r.blocks_of(s);
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].global_id, 5U);
    EXPECT_EQ(blocks[0].progress, 108U);
    EXPECT_EQ(blocks[0].warps.least, 12U);
    EXPECT_EQ(blocks[0].warps.most, 96U);
    EXPECT_EQ(blocks[0].rank, 1U);
    EXPECT_EQ(blocks[1].progress, 320U);
    EXPECT_EQ(blocks[1].rank, 0U);
}

TEST(Residency, WarpsThatAreGoneCountInTheirBlockOnly) {
    Residency r = residency();
    r.started(0, 5, 0, 64, 32, 0);
    r.progressed(0, 32);
    r.progressed(1, 20);
    r.exited(0, 32);
    r.exited(1, 2);
    r.sample(101, {}, 0);
    const Sample& s = r.samples()[0];
    EXPECT_EQ(s.threads, 30U);
    EXPECT_EQ(s.warps, 1U);
    EXPECT_EQ(s.progress.least, 20U);
    EXPECT_EQ(s.progress.sum, 20U);
    EXPECT_EQ(r.blocks_of(s)[0].progress, 52U);
    EXPECT_EQ(r.blocks_of(s)[0].rank, SampledBlock::kUnranked);
}

TEST(Residency, ARowStartsAnewWithItsBlock) {
    Residency r = residency();
    r.started(0, 5, 0, 32, 32, 0);
    r.progressed(0, 32);
    r.ended(0, 10);
    r.started(0, 6, 0, 32, 32, 11);
    r.sample(101, {}, 0);
    EXPECT_EQ(r.blocks_of(r.samples()[0])[0].progress, 0U);
}

TEST(Residency, ASpanThatWasPassedOverIsSampledAllAlong) {
    Residency r = residency();
    r.sample(100, {}, 0); // not yet
    EXPECT_TRUE(r.samples().empty());
    r.sample(350, {}, 0);
    EXPECT_THAT(cycles(r), ElementsAre(100, 200, 300));
    EXPECT_EQ(r.due(), 401U);
}

TEST(Residency, TheEndOfALaunchIsSampledOnce) {
    Residency r = residency();
    r.started(0, 5, 0, 32, 32, 0);
    r.end_launch(251, {}, 0);
    EXPECT_THAT(cycles(r), ElementsAre(100, 200, 250));
    ASSERT_EQ(r.blocks().size(), 1U);
    EXPECT_FALSE(r.blocks()[0].ended);
    EXPECT_EQ(r.blocks()[0].end, 251U);
    r.end_launch(301, {}, 0);
    r.end_launch(301, {}, 0); // a launch without timing
    EXPECT_THAT(cycles(r), ElementsAre(100, 200, 250, 300));
    EXPECT_EQ(r.blocks().size(), 1U);
}

// A row of the limit for each sample and one for its block. The sixth sample makes 12 of 10.
TEST(Residency, TooManySamplesAreThinnedOut) {
    Residency r = residency(10);
    r.started(3, 9, 0, 32, 32, 0);
    for (Cycle at = 100; at <= 500; at += 100) {
        r.progressed(0, 1);
        r.sample(at + 1, {}, 0);
    }
    EXPECT_EQ(r.interval(), 100U);
    r.sample(601, {}, 0);
    EXPECT_THAT(cycles(r), ElementsAre(200, 400, 600));
    EXPECT_EQ(r.interval(), 200U);
    EXPECT_EQ(r.due(), 801U);
    r.sample(1601, {}, 0); // 800 and 1000 fill it, 1200 thins it out again: 400, 800, 1200, then 1600
    EXPECT_THAT(cycles(r), ElementsAre(400, 800, 1200, 1600));
    EXPECT_EQ(r.blocks_of(r.samples()[0])[0].progress, 4U);
    EXPECT_EQ(r.blocks_of(r.samples()[3])[0].progress, 5U);
}

TEST(Residency, ALimitThatNoSampleFitsInKeepsNone) {
    Residency r = residency(1);
    r.started(0, 9, 0, 32, 32, 0);
    r.sample(1'000'001, {}, 0);
    r.end_launch(1, {}, 0);
    EXPECT_TRUE(r.samples().empty());
    EXPECT_GT(r.due(), 1'000'001U);
}

TEST(Residency, BlocksThatComeTooLateAreCounted) {
    Residency r = residency(2);
    for (std::uint64_t id = 0; id < 5; ++id) {
        r.started(0, id, 0, 32, 32, id * 10);
        r.ended(0, id * 10 + 8);
    }
    EXPECT_EQ(r.blocks().size(), 2U);
    EXPECT_EQ(r.dropped_blocks(), 3U);
}

// Of cycles 200 to 399. The first sample counts from the last one before them.
TEST(Residency, KeepsWhatIsInItsRange) {
    Residency r(1000, 100, 8, 4, {200, 400});
    r.started(0, 1, 0, 32, 32, 0);
    r.executed(5);
    r.sample(201, {}, 0); // at 100 and 200
    r.ended(0, 198);      // up to before 199
    r.started(1, 2, 1, 32, 32, 150);
    r.ended(1, 200);
    r.started(2, 3, 2, 32, 32, 399);
    r.ended(2, 500);
    r.started(3, 4, 3, 32, 32, 400);
    r.sample(600, {}, 0);
    r.end_launch(600, {}, 0);
    EXPECT_THAT(cycles(r), ElementsAre(200, 300));
    EXPECT_EQ(r.start().at, 101U);
    EXPECT_EQ(r.start().thread_instructions, 5U);
    std::vector<std::uint64_t> blocks;
    for (const BlockSpan& b : r.blocks())
        blocks.push_back(b.global_id);
    EXPECT_THAT(blocks, ElementsAre(2, 3));
    EXPECT_EQ(r.dropped_blocks(), 0U);
}

} // namespace
} // namespace heddle::probe
