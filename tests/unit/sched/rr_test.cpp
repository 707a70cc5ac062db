#include <gtest/gtest.h>

#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// PRO I calls it loose round-robin.
class RoundRobin : public testing::TestWithParam<std::string> {};

TEST_P(RoundRobin, GoesRoundTheReadyOnes) {
    const config::Machine machine = config::Machine::defaults({});
    const auto rr = schedulers().make(GetParam(), {.units = 8}, machine);
    warp::UnitTable units(8);
    UnitSet can(8), none(8);
    const warp::View view{.units = units,
                          .long_wait = none,
                          .at_barrier = none,
                          .progress = {},
                          .blocks = {},
                          .blocks_left = false,
                          .program = nullptr};
    for (const UnitId u : {UnitId{1}, UnitId{3}, UnitId{6}})
        can.insert(u);
    std::vector<UnitId> order;
    for (Cycle now = 0; now < 4; ++now)
        order.push_back(rr->pick(can, view, now));
    EXPECT_EQ(order, (std::vector<UnitId>{1, 3, 6, 1}));
    can.erase(3);
    can.insert(0);
    EXPECT_EQ(rr->pick(can, view, 4), 6); // 3 is skipped, its turn is lost
    EXPECT_EQ(rr->pick(can, view, 5), 0);
}

INSTANTIATE_TEST_SUITE_P(, RoundRobin, testing::Values("rr", "lrr"));

} // namespace
} // namespace heddle::sched
