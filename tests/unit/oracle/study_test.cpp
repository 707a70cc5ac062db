#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/basic_blocks.h"
#include "oracle/study.h"

namespace heddle::oracle {
namespace {

using probe::LaunchTrace;
using testing::ElementsAre;

LaunchTrace launch_of(std::vector<probe::WarpTrace> warps) {
    LaunchTrace out;
    out.kernel = "k";
    out.warps = std::move(warps);
    return out;
}

// One thread executes 10 to 19 at a stretch, another leaves at 13 for 16, a third ends behind 17: pieces of 4, 2, 2, 2.
TEST(BasicBlocks, RunsAreCutWhereOthersBeginAndEnd) {
    const LaunchTrace launch = launch_of({{0, 0, 0, {{{10, 10, 0}}, {{10, 4, 0}, {16, 4, 0}}, {{10, 8, 0}}}, {}}});
    const BasicBlocks blocks(launch);
    EXPECT_THAT(blocks.weights(), ElementsAre(4U, 2U, 2U, 2U));
    EXPECT_EQ(blocks.executed(), 4U);
    const auto& threads = launch.warps[0].threads;
    EXPECT_THAT(blocks.sequences(threads[0]), ElementsAre(ElementsAre(0U, 1U, 2U, 3U)));
    EXPECT_THAT(blocks.sequences(threads[1]), ElementsAre(ElementsAre(0U, 2U, 3U)));
    EXPECT_THAT(blocks.sequences(threads[2]), ElementsAre(ElementsAre(0U, 1U, 2U)));
}

TEST(BasicBlocks, BetweenRunsThereMayBeCodeThatNobodyExecutes) {
    const BasicBlocks blocks(launch_of({{0, 0, 0, {{{10, 2, 0}, {20, 3, 0}}}, {}}}));
    EXPECT_THAT(blocks.weights(), ElementsAre(2U, 8U, 3U));
    EXPECT_EQ(blocks.executed(), 2U);
}

// Two threads execute the same two blocks in turn. Without a barrier the longer one is shared; with one in between the
// first thread's is over when the second's begins.
TEST(Study, NothingIsSharedAcrossABarrier) {
    const auto study_of = [](std::uint32_t second_epoch) {
        return study(launch_of({{0,
                                 0,
                                 10,
                                 {{{10, 3, 0}, {20, 2, second_epoch}}, {{20, 2, 0}, {10, 3, second_epoch}}},
                                 {{{10, 3, 0}, 0b01},
                                  {{20, 2, 0}, 0b10},
                                  {{20, 2, second_epoch}, 0b01},
                                  {{10, 3, second_epoch}, 0b10}}}}))
            .total;
    };
    EXPECT_EQ(study_of(0).oracle, 10U - 3U);
    EXPECT_EQ(study_of(0).at_least, 7U);
    EXPECT_EQ(study_of(1).oracle, 10U);
    EXPECT_EQ(study_of(1).at_least, 10U);
    EXPECT_EQ(study_of(1).best_warps, 1U);
    EXPECT_EQ(study_of(1).thread_instructions, 10U);
}

TEST(Study, WarpsAreForThemselves) {
    const probe::WarpTrace warp{0, 0, 5, {{{10, 5, 0}}, {{10, 5, 0}}}, {{{10, 5, 0}, 0b11}}};
    const LaunchStudy found = study(launch_of({warp, warp}));
    ASSERT_EQ(found.warps.size(), 2U);
    EXPECT_EQ(found.warps[0].oracle, 5U);
    EXPECT_EQ(found.total.warps, 2U);
    EXPECT_EQ(found.total.threads, 4U);
    EXPECT_EQ(found.total.pdom, 10U);
    EXPECT_EQ(found.total.oracle, 10U);
    EXPECT_EQ(found.total.thread_instructions, 20U);
    EXPECT_EQ(found.basic_blocks, 1U);
}

} // namespace
} // namespace heddle::oracle
