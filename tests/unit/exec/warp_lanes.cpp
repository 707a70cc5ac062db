#include "exec/warp_lanes.h"

#include "state_rig.h"

namespace heddle::exec::test {
namespace {

class WarpLanesOf : public StateRig, public ::testing::WithParamInterface<Rows> {};
INSTANTIATE_TEST_SUITE_P(Rows, WarpLanesOf, ::testing::ValuesIn(kRows), rows_name);

TEST_P(WarpLanesOf, RegistersAreReadAndWrittenByLaneid) {
    start_state(GetParam(), {64});
    const WarpLanes lanes(state);
    for (unsigned t = 0; t < 64; ++t)
        put32(r(0), t, 100 + t);
    std::array<std::uint32_t, kPtxWarp> value{}, next;
    for (unsigned i = 0; i < kPtxWarp; ++i)
        next[i] = 1000 + i;
    std::uint32_t present = 0;
    for (const Segment& s : segments_of(group(0, 32, 60), MicroOp{})) {
        present |= lanes.laneids(s);
        lanes.read(r(0), s, value.data());
        lanes.write(s, r(1), next.data());
        lanes.write(s, ir::kNowhere, next.data());
        EXPECT_EQ(lanes.warp_of(s), 1U);
    }
    EXPECT_EQ(present, first_lanes(28));
    for (unsigned t = 32; t < 64; ++t) {
        if (t < 60) {
            EXPECT_EQ(value[t - 32], 100 + t);
        }
        EXPECT_EQ(take32(r(1), t), t < 60 ? 1000 + t - 32 : 0) << t;
    }
}

TEST_P(WarpLanesOf, LiveThreadsOfTheWarp) {
    start_state(GetParam(), {48});
    const WarpLanes lanes(state);
    const auto live_at = [&](unsigned thread) {
        return lanes.live_of_warp(segments_of(group(0, thread, thread + 1), MicroOp{})[0]);
    };
    EXPECT_EQ(live_at(5), ~0U);
    EXPECT_EQ(live_at(40), 0xffffU);
    state.end_threads(row_of(35, 0), LaneMask{1} << lane_of(35, 0));
    EXPECT_EQ(live_at(40), 0xfff7U);
    EXPECT_EQ(live_at(5), ~0U);
}

} // namespace
} // namespace heddle::exec::test
