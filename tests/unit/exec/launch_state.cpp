#include "state_rig.h"

namespace heddle::exec::test {
namespace {

class LaunchStates : public StateRig, public ::testing::WithParamInterface<Rows> {};
INSTANTIATE_TEST_SUITE_P(Rows, LaunchStates, ::testing::ValuesIn(kRows), rows_name);

TEST_P(LaunchStates, ThreadsOfABlockLieInItsRows) {
    start_state(GetParam(), {10, 7}, 2);
    unsigned live = 0;
    for (unsigned t = 0; t < 70; ++t) {
        const RowId row = row_of(t, 1);
        EXPECT_EQ(state.thread_of(row, lane_of(t, 1)), t);
        EXPECT_EQ(state.ctaid(row), (Dim3{1, 0, 0}));
        EXPECT_NE(state.row(row).live >> lane_of(t, 1) & 1, 0U);
        live += t % launch.width == 0 ? count_lanes(state.row(row).live) : 0;
    }
    EXPECT_EQ(live, 70U);
    state.end_threads(row_of(3, 1), LaneMask{1} << lane_of(3, 1));
    EXPECT_EQ(state.row(row_of(3, 1)).live >> lane_of(3, 1) & 1, 0U);
}

TEST_P(LaunchStates, SegmentsHoldTheThreadsWithATrueGuard) {
    start_state(GetParam(), {64});
    MicroOp op;
    op.guard = p(1);
    for (unsigned t = 0; t < 64; ++t)
        put_guard(p(1), t, t % 3 == 0);
    for (const bool negated : {false, true}) {
        op.guard_negated = negated;
        std::uint64_t threads = 0;
        for (const Segment& s : segments_of(group(0, 0, 64), op))
            for (unsigned i = 0; i < 32; ++i)
                if ((s.mask >> i & 1) != 0)
                    threads |= std::uint64_t{1} << state.thread_of(s.row, s.lane(i));
        Outcome taken;
        const Group g = group(0, 0, 64);
        state.take_by_guard(g, op, taken);
        EXPECT_EQ(taken.executed, negated ? 42 : 22);
        for (unsigned t = 0; t < 64; ++t) {
            const bool expected = (t % 3 == 0) != negated;
            EXPECT_EQ((threads >> t & 1) != 0, expected) << t;
            EXPECT_EQ((taken.taken[t / launch.width] >> lane_of(t, 0) & 1) != 0, expected) << t;
        }
    }
}

TEST_P(LaunchStates, ABlockStartsWithZeroes) {
    kernel().static_shared = 100;
    kernel().local_bytes = 20;
    start_state(GetParam(), {64}, 2);
    for (unsigned b = 0; b < 2; ++b) {
        std::memset(state.shared_of(row_of(0, b)), 0xff, 100);
        std::memset(state.local_of(row_of(63, b), lane_of(63, b)), 0xff, 20);
    }
    put32(r(3), 63, 7);
    state.start_block(0, {5, 0, 0}, 0);
    EXPECT_EQ(take32(r(3), 63), 0U);
    EXPECT_EQ(std::to_integer<int>(state.shared_of(row_of(63, 0))[99]), 0);
    EXPECT_EQ(std::to_integer<int>(state.local_of(row_of(63, 0), lane_of(63, 0))[19]), 0);
    EXPECT_EQ(std::to_integer<int>(state.shared_of(row_of(63, 1))[99]), 0xff); // the other block is as it was
    EXPECT_EQ(std::to_integer<int>(state.local_of(row_of(63, 1), lane_of(63, 1))[19]), 0xff);
    EXPECT_EQ(state.ctaid(row_of(63, 0)), (Dim3{5, 0, 0}));
}

using Stacks = StateRig;
TEST_F(Stacks, OnlyKernelsWithCallsHaveThem) {
    emit(control(Opcode::Exit, Kind::Exit));
    start_state({32, false}, {32});
    EXPECT_TRUE(state.calls().empty());
    emit(control(Opcode::Call, Kind::Call));
    start_state({32, false}, {64});
    ASSERT_FALSE(state.calls().empty());
    state.calls().of(1, 31).frames.push_back({5, 0});
    EXPECT_TRUE(state.calls().of(1, 30).frames.empty());
    state.start_block(0, {}, 0);
    EXPECT_TRUE(state.calls().of(1, 31).frames.empty());
}

using Threads = StateRig;
TEST_F(Threads, TheTableHasIndicesAndMasks) {
    ThreadTable table;
    table.fill({5, 4, 3});
    const auto value = [&](ir::SpecialRegister which, unsigned thread) {
        return *table.values(ThreadTable::column_of(which).value(), thread);
    };
    EXPECT_EQ(value(ir::SpecialRegister::TidX, 59), 4U);
    EXPECT_EQ(value(ir::SpecialRegister::TidY, 59), 3U);
    EXPECT_EQ(value(ir::SpecialRegister::TidZ, 59), 2U);
    EXPECT_EQ(value(ir::SpecialRegister::Laneid, 59), 27U);
    EXPECT_EQ(value(ir::SpecialRegister::Warpid, 59), 1U);
    EXPECT_EQ(value(ir::SpecialRegister::LanemaskLt, 59), (1U << 27) - 1);
    EXPECT_EQ(value(ir::SpecialRegister::LanemaskGe, 59), ~((1U << 27) - 1));
    EXPECT_EQ(value(ir::SpecialRegister::TidX, 60), 0U); // no such thread
    EXPECT_FALSE(ThreadTable::column_of(ir::SpecialRegister::CtaidX));
}

using Shared = StateRig;
TEST_F(Shared, ExecutorsOfADeviceReadOneSetOfTables) {
    const Place five = constant32(5);
    emit(control(Opcode::Exit, Kind::Exit));
    parameters.resize(8, std::byte{9});
    start_state({32, false}, {32});
    LaunchState second;
    second.code().share_tables_of(state.code());
    second.code().bind(program);
    second.begin(launch, image);
    EXPECT_EQ(second.pool(), state.pool());
    EXPECT_EQ(second.code().parameters(), state.code().parameters());
    EXPECT_EQ(&second.code().bound(0), &state.code().bound(0));
    EXPECT_EQ(std::to_integer<int>(*second.code().parameters()), 9);
    std::uint32_t value;
    std::memcpy(&value, source(five, state.frame(0, 0), second.pool()), sizeof value);
    EXPECT_EQ(value, 5U);
}

} // namespace
} // namespace heddle::exec::test
