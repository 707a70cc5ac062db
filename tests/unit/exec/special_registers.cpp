#include "rig.h"

namespace heddle::exec::test {
namespace {

using ir::SpecialRegister;

class SpecialRegisters : public Rig, public ::testing::WithParamInterface<Rows> {};
INSTANTIATE_TEST_SUITE_P(Rows, SpecialRegisters, ::testing::ValuesIn(kRows), rows_name);

TEST_P(SpecialRegisters, FollowThreadsNotRows) {
    std::vector<Pc> pcs;
    const SpecialRegister all[] = {SpecialRegister::TidX,       SpecialRegister::TidY,
                                   SpecialRegister::TidZ,       SpecialRegister::Laneid,
                                   SpecialRegister::Warpid,     SpecialRegister::LanemaskEq,
                                   SpecialRegister::LanemaskLe, SpecialRegister::LanemaskLt,
                                   SpecialRegister::LanemaskGe, SpecialRegister::LanemaskGt};
    for (unsigned i = 0; i < 10; ++i)
        pcs.push_back(emit(special(all[i], r(i))));
    start(GetParam(), {10, 3, 2}); // 60 threads: the last row is filled in part
    for (const Pc pc : pcs)
        run(pc);
    for (unsigned t = 0; t < 60; ++t) {
        const std::uint32_t bit = 1U << (t % 32);
        EXPECT_EQ(get(r(0), t), t % 10);
        EXPECT_EQ(get(r(1), t), t / 10 % 3);
        EXPECT_EQ(get(r(2), t), t / 30);
        EXPECT_EQ(get(r(3), t), t % 32);
        EXPECT_EQ(get(r(4), t), t / 32);
        EXPECT_EQ(get(r(5), t), bit);
        EXPECT_EQ(get(r(6), t), bit | (bit - 1));
        EXPECT_EQ(get(r(7), t), bit - 1);
        EXPECT_EQ(get(r(8), t), ~(bit - 1));
        EXPECT_EQ(get(r(9), t), ~(bit | (bit - 1)));
    }
}

TEST_P(SpecialRegisters, OfBlockGridMachineAndTime) {
    kernel().static_shared = 20;
    const std::pair<SpecialRegister, std::uint32_t> expected[] = {
        {SpecialRegister::NtidX, 5},
        {SpecialRegister::NtidY, 4},
        {SpecialRegister::NtidZ, 2},
        {SpecialRegister::CtaidX, 1},
        {SpecialRegister::CtaidY, 0},
        {SpecialRegister::NctaidX, 2},
        {SpecialRegister::NctaidZ, 1},
        {SpecialRegister::Nwarpid, 2},
        {SpecialRegister::Smid, 3},
        {SpecialRegister::Nsmid, 7},
        {SpecialRegister::Clock, 0x89abcdef},
        {SpecialRegister::ClockHi, 0x4567},
        {SpecialRegister::GlobaltimerHi, 0x4567},
        {SpecialRegister::DynamicSmemSize, 100},
        {SpecialRegister::TotalSmemSize, 132}}; // 20 rounded up to 32, and 100
    for (const auto& [which, value] : expected)
        emit(special(which, r(0)));
    const Pc clock64 = emit(special(SpecialRegister::Clock64, rd(0), 8));
    const Pc tid64 = emit(special(SpecialRegister::TidX, rd(1), 8));
    start(GetParam(), {5, 4, 2}, 2, 100);
    const Cycle now = 0x456789abcdef;
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        run(group(static_cast<Pc>(i), 0, 40, 1), now);
        EXPECT_EQ(get(r(0), 0, 1), expected[i].second) << i;
        EXPECT_EQ(get(r(0), 39, 1), expected[i].second) << i;
    }
    run(group(clock64, 0, 40, 1), now);
    run(group(tid64, 0, 40, 1), now);
    EXPECT_EQ(get64(rd(0), 17, 1), now);
    EXPECT_EQ(get64(rd(1), 18, 1), 3U);
    EXPECT_EQ(outcome.executed, 40);
}

} // namespace
} // namespace heddle::exec::test
