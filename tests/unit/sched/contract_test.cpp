// What every scheduler must keep to, run over all that are registered.

#include <random>

#include <gtest/gtest.h>

#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

constexpr unsigned kUnits = 100;
constexpr Cycle kMostEmptySlots = 10000; // that schedulers may have
constexpr unsigned kPcs = 40;            // more than the table of dmaj holds

class SchedulerContract : public testing::TestWithParam<std::string> {
protected:
    config::Machine machine = config::Machine::defaults({});
    warp::UnitTable units{kUnits};
    UnitSet can_issue{kUnits};
    UnitSet long_wait{kUnits};
    UnitSet at_barrier{kUnits};
    std::vector<std::uint64_t> progress = std::vector<std::uint64_t>(kUnits);
    std::vector<warp::BlockView> blocks = std::vector<warp::BlockView>(4);
    ir::Program program;
    warp::View view{.units = units,
                    .long_wait = long_wait,
                    .at_barrier = at_barrier,
                    .progress = progress,
                    .blocks = blocks,
                    .blocks_left = false,
                    .program = &program};

    void SetUp() override {
        for (UnitId u = 0; u < kUnits; ++u) {
            units.alive.insert(u);
            units.eligible.insert(u);
            units.block[u] = u / 25;
            units.threads[u] = 32;
            units.set_birth(u, u);
        }
        for (warp::BlockView& b : blocks)
            b = {.resident = true, .live_threads = 25 * 32};
        program.ops.resize(kPcs);
    }
    // Scheduler `index` of a core, notified of the blocks and of its units, at different PCs.
    [[nodiscard]] std::unique_ptr<Scheduler> make(unsigned index = 0, unsigned count = 1) {
        const Share share{.units = kUnits, .index = index, .count = count, .block_slots = 4};
        std::unique_ptr<Scheduler> scheduler = schedulers().make(GetParam(), share, machine);
        for (std::uint16_t b = 0; b < 4; ++b)
            scheduler->block_event(b, BlockEvent::Started, view, 0);
        for (UnitId u = 0; u < kUnits; ++u)
            if (share.has(u))
                enter(*scheduler, u);
        return scheduler;
    }
    void enter(Scheduler& scheduler, UnitId u) {
        units.pc[u] = u % kPcs;
        if (scheduler.keeps_lists())
            scheduler.entered(u, units.pc[u], units.threads[u]);
    }
    // As a core does: a unit that is picked leaves, and comes back.
    UnitId pick(Scheduler& scheduler, Cycle now) {
        UnitId unit = scheduler.pick(can_issue, view, now);
        for (Cycle later = 1; unit == kNoUnit && later < kMostEmptySlots; ++later) // it leaves slots empty
            unit = scheduler.pick(can_issue, view, now + later);
        if (scheduler.keeps_lists() && can_issue.contains(unit)) {
            scheduler.left(unit);
            enter(scheduler, unit);
        }
        return unit;
    }
    // A random set of the share's units that is not empty.
    void draw(std::mt19937& random, const Share& share = {.units = kUnits}) {
        can_issue = UnitSet(kUnits);
        do {
            for (UnitId u = 0; u < kUnits; ++u)
                if (random() % 4 == 0 && share.has(u))
                    can_issue.insert(u);
        } while (can_issue.empty());
    }
    // Each unit waits for memory or for a barrier, or not; the phase of the kernel changes now and then.
    void unsettle(Scheduler& scheduler, std::mt19937& random, Cycle now) {
        const auto u = static_cast<UnitId>(random() % kUnits);
        switch (random() % 4) {
        case 0:
            if (const bool waits = !long_wait.contains(u); !can_issue.contains(u) || !waits) {
                long_wait.put(u, waits);
                scheduler.long_wait(u, waits);
            }
            break;
        case 1:
            at_barrier.put(u, random() % 2 == 0);
            units.eligible.put(u, can_issue.contains(u) || random() % 2 == 0);
            break;
        case 2:
            progress[u] += 32;
            blocks[units.block[u]].progress += 32;
            break;
        default:
            view.blocks_left = random() % 8 == 0 ? !view.blocks_left : view.blocks_left;
        }
        if (scheduler.wake <= now)
            scheduler.tick(view, now);
    }
};

TEST_P(SchedulerContract, PicksAMember) {
    const auto scheduler = make();
    std::mt19937 random(1);
    for (Cycle now = 0; now < 10000; ++now) {
        draw(random);
        const UnitId unit = pick(*scheduler, now);
        ASSERT_TRUE(can_issue.contains(unit));
    }
}

TEST_P(SchedulerContract, PicksTheOnlyOne) {
    const auto scheduler = make();
    for (UnitId u = 0; u < kUnits; ++u) {
        can_issue = UnitSet(kUnits);
        can_issue.insert(u);
        EXPECT_EQ(pick(*scheduler, u), u);
    }
}

TEST_P(SchedulerContract, TheSameCallsGiveTheSamePicks) {
    const auto first = make();
    const auto second = make();
    std::mt19937 random(2);
    for (Cycle now = 0; now < 5000; ++now) {
        draw(random);
        ASSERT_EQ(pick(*first, now), pick(*second, now));
    }
}

TEST_P(SchedulerContract, PicksAMemberWhateverTheOthersDo) {
    const auto scheduler = make();
    std::mt19937 random(3);
    for (Cycle now = 0; now < 10000; ++now) {
        draw(random);
        unsettle(*scheduler, random, now);
        ASSERT_TRUE(can_issue.contains(pick(*scheduler, now)));
    }
}

// Two schedulers share the units: each picks of its own, and what the other does is none of its business.
TEST_P(SchedulerContract, SchedulersOfACorePickOfTheirOwn) {
    const std::unique_ptr<Scheduler> pair[] = {make(0, 2), make(1, 2)};
    const auto alone = make(1, 2);
    std::mt19937 random(4);
    for (Cycle now = 0; now < 5000; ++now) {
        draw(random, {.units = kUnits, .index = 0, .count = 2});
        ASSERT_TRUE(can_issue.contains(pick(*pair[0], now)));
        draw(random, {.units = kUnits, .index = 1, .count = 2});
        const UnitId unit = pick(*pair[1], now);
        ASSERT_TRUE(can_issue.contains(unit));
        ASSERT_EQ(pick(*alone, now), unit);
    }
}

INSTANTIATE_TEST_SUITE_P(All, SchedulerContract, testing::ValuesIn(schedulers().names()), [](const auto& info) {
    std::string name = info.param;
    for (char& c : name)
        if (c == '-')
            c = '_';
    return name;
});

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
