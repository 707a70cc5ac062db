// Which unit goes under PRO, and when its order is made anew.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene.h"
#include "stats/snapshot.h"

namespace heddle::sched::test {
namespace {

using testing::ElementsAre;

// Three blocks of four units in slots 0 to 2: units 0 to 3, 4 to 7, 8 to 11; their indices in the grid are 5, 6, 7. The
// kernel has begun in cycle 0, and further blocks wait.
class Pro : public testing::Test {
protected:
    Scene scene{12};
    std::vector<warp::BlockView> views = std::vector<warp::BlockView>(3);
    std::vector<std::uint64_t> progress = std::vector<std::uint64_t>(12);
    std::unique_ptr<Scheduler> scheduler;

    void SetUp() override {
        use({});
    }
    void use(const std::vector<std::string>& settings, unsigned index = 0, unsigned count = 1) {
        scheduler = scene.make("pro", settings, {.units = 12, .index = index, .count = count, .block_slots = 3});
        scene.view.blocks = views;
        scene.view.progress = progress;
        scene.view.blocks_left = true;
        for (std::uint16_t b = 0; b < 3; ++b) {
            for (unsigned u = 4U * b; u < 4U * b + 4; ++u)
                scene.units.block[u] = b;
            views[b] = {.resident = true, .global_id = 5U + b, .live_threads = 128, .warps = 4};
            tell(b, BlockEvent::Started);
        }
    }
    void tell(std::uint16_t block, BlockEvent event) {
        scheduler->block_event(block, event, scene.view, scene.now);
    }
    void at_barrier(std::uint16_t block, unsigned warps) {
        views[block].waiting_warps = warps;
        tell(block, BlockEvent::AtBarrier);
    }
    void finished(std::uint16_t block, unsigned warps) {
        views[block].finished_warps = warps;
        tell(block, BlockEvent::Exited);
    }
    // Of a block's units; the block's is their sum.
    void advance(unsigned block, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
        progress[4U * block] = a;
        progress[4U * block + 1] = b;
        progress[4U * block + 2] = c;
        progress[4U * block + 3] = d;
        views[block].progress = a + b + c + d;
    }
    // All units in the order in which they would go.
    std::vector<UnitId> order(std::vector<UnitId> units = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
        std::vector<UnitId> out;
        while (!units.empty()) {
            scene.can = UnitSet(12);
            for (const UnitId u : units)
                scene.can.insert(u);
            out.push_back(scheduler->pick(scene.can, scene.view, scene.now));
            std::erase(units, out.back());
        }
        return out;
    }
    void tick(Cycle now) {
        scene.now = now;
        scheduler->tick(scene.view, now);
    }
};

TEST_F(Pro, BeginsInTheOrderOfBlocksAndUnits) {
    EXPECT_THAT(order(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    EXPECT_THAT(scheduler->block_order(scene.view), ElementsAre(5, 6, 7));
    EXPECT_EQ(scheduler->trace(), "order:5,6,7");
}

// III.C.1: blocks and their warps, both by falling progress.
TEST_F(Pro, SortsBlocksThatDoNotWaitEveryThreshold) {
    advance(0, 10, 40, 30, 20);
    advance(1, 32, 64, 0, 64);
    advance(2, 30, 30, 30, 20);
    EXPECT_THAT(order(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    tick(1000);
    EXPECT_THAT(order(), ElementsAre(5, 7, 4, 6, 8, 9, 10, 11, 1, 2, 3, 0));
    EXPECT_THAT(scheduler->block_order(scene.view), ElementsAre(6, 7, 5));
}

// Table IV: at 1000, 2000, ... cycles of the kernel.
TEST_F(Pro, IsDueAtMultiplesOfTheThreshold) {
    EXPECT_EQ(scheduler->wake, 1000U);
    tick(1000);
    EXPECT_EQ(scheduler->wake, 2000U);
    tick(3500); // nothing could be picked between 2000 and 3500
    EXPECT_EQ(scheduler->wake, 4000U);
    tick(4000);
    EXPECT_EQ(scheduler->wake, 5000U);
}

// Blocks of a kernel come by rising index, so 0 is another's.
TEST_F(Pro, CountsFromTheBeginningOfAKernel) {
    use({"pro.threshold=300"});
    EXPECT_EQ(scheduler->wake, 300U);
    scene.now = 120;
    views[0] = {.resident = true, .global_id = 8, .live_threads = 128, .warps = 4};
    tell(0, BlockEvent::Finished);
    tell(0, BlockEvent::Started);
    EXPECT_EQ(scheduler->wake, 300U);
    scene.now = 250;
    tell(0, BlockEvent::Finished);
    views[0].global_id = 0;
    tell(0, BlockEvent::Started);
    EXPECT_EQ(scheduler->wake, 550U);
}

// III.C.2 and III.C.3: the block goes first, the warps with the least progress first; later arrivals sort no warps.
TEST_F(Pro, ABlockWithAWarpAtABarrierGoesFirst) {
    advance(1, 30, 10, 40, 20);
    at_barrier(1, 1);
    EXPECT_THAT(order(), ElementsAre(5, 7, 4, 6, 0, 1, 2, 3, 8, 9, 10, 11));
    advance(1, 30, 60, 40, 20);
    at_barrier(1, 2);
    EXPECT_THAT(order({4, 5, 6, 7}), ElementsAre(5, 7, 4, 6));
    tick(1000); // nor does time
    EXPECT_THAT(order({4, 5, 6, 7}), ElementsAre(5, 7, 4, 6));
    views[1].waiting_warps = 0;
    tell(1, BlockEvent::BarrierReleased);
    EXPECT_THAT(order({4, 5, 6, 7}), ElementsAre(5, 7, 4, 6));
    tick(2000);
    EXPECT_THAT(order({4, 5, 6, 7}), ElementsAre(5, 6, 4, 7));
}

TEST_F(Pro, ABlockWithAFinishedWarpGoesBeforeIt) {
    at_barrier(1, 1);
    advance(2, 5, 50, 2, 1);
    finished(2, 1);
    EXPECT_THAT(order({0, 4, 8, 9, 10, 11}), ElementsAre(11, 10, 8, 9, 4, 0));
}

// III.D: least progress first, of blocks and of warps; blocks at a barrier before them, as they were.
TEST_F(Pro, InTheSlowPhaseTheLeastProgressGoesFirst) {
    advance(0, 40, 30, 20, 10);
    advance(1, 4, 3, 2, 1);
    advance(2, 1, 2, 4, 3);
    at_barrier(2, 1);
    EXPECT_THAT(order(), ElementsAre(8, 9, 11, 10, 0, 1, 2, 3, 4, 5, 6, 7));
    advance(2, 8, 2, 4, 3);
    scene.view.blocks_left = false; // noticed by the next pick
    EXPECT_THAT(order(), ElementsAre(8, 9, 11, 10, 7, 6, 5, 4, 3, 2, 1, 0));
    advance(1, 40, 30, 20, 11);
    EXPECT_THAT(order({0, 4, 5, 6, 7}), ElementsAre(7, 6, 5, 4, 0));
    advance(1, 10, 30, 20, 60);
    tick(1000);
    EXPECT_THAT(order({0, 1, 2, 3, 4, 5, 6, 7}), ElementsAre(3, 2, 1, 0, 4, 6, 5, 7));
    EXPECT_THAT(scheduler->block_order(scene.view), ElementsAre(7, 5, 6));
}

TEST_F(Pro, PartsCanBeSwitchedOff) {
    use({"pro.barrier=false", "pro.finish=false"});
    advance(1, 30, 10, 40, 20);
    at_barrier(1, 1);
    finished(2, 1);
    EXPECT_THAT(order(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

// The units of a block that has ended go with it; another's may have its slot and their numbers.
TEST_F(Pro, ABlockThatEndsMakesRoomForTheNext) {
    advance(1, 8, 8, 8, 8);
    advance(2, 4, 4, 4, 4);
    tick(1000);
    scene.units.alive = scene.set({4, 5, 6, 7, 8, 9, 10, 11});
    tell(0, BlockEvent::Finished);
    EXPECT_THAT(scheduler->block_order(scene.view), ElementsAre(6, 7));
    scene.units.alive = scene.set({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    advance(0, 0, 0, 0, 0);
    views[0].global_id = 8;
    tell(0, BlockEvent::Started);
    EXPECT_THAT(scheduler->block_order(scene.view), ElementsAre(6, 7, 8));
    EXPECT_THAT(order(), ElementsAre(4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3));
}

// serial and tbc make units while a block runs: behind the others of their block, until its units are sorted.
TEST_F(Pro, ANewUnitGoesBehindTheOthersOfItsBlock) {
    scene.units.alive = scene.set({0, 1, 2, 4, 5, 6});
    EXPECT_THAT(order({0, 1, 2, 4, 5, 6}), ElementsAre(0, 1, 2, 4, 5, 6));
    scene.units.alive = scene.set({0, 1, 2, 4, 5, 6, 7, 8});
    scene.units.block[7] = 0;
    scene.units.block[8] = 1;
    EXPECT_THAT(order({0, 1, 2, 4, 5, 6, 7, 8}), ElementsAre(0, 1, 2, 7, 4, 5, 6, 8));
    progress[7] = 9; // its number's
    tick(1000);
    EXPECT_THAT(order({0, 1, 2, 4, 5, 6, 7, 8}), ElementsAre(7, 0, 1, 2, 4, 5, 6, 8));
    scene.units.alive = scene.set({0, 1, 2, 4, 5, 6, 8});
    EXPECT_THAT(order({0, 1, 2, 4, 5, 6, 8}), ElementsAre(0, 1, 2, 4, 5, 6, 8));
}

// Footnote 4: both schedulers of an SM have its order of blocks, and take their own units by it.
TEST_F(Pro, SchedulersOfAnSmShareTheOrderOfBlocks) {
    const auto first = [&](unsigned index, const std::vector<UnitId>& own) {
        use({}, index, 2);
        advance(0, 1, 2, 3, 4);
        advance(1, 8, 7, 6, 5);
        advance(2, 0, 9, 9, 0);
        at_barrier(2, 1);
        tick(1000);
        EXPECT_THAT(scheduler->block_order(scene.view), ElementsAre(7, 6, 5));
        return order(own);
    };
    EXPECT_THAT(first(0, {0, 2, 4, 6, 8, 10}), ElementsAre(8, 10, 4, 6, 2, 0));
    EXPECT_THAT(first(1, {1, 3, 5, 7, 9, 11}), ElementsAre(11, 9, 5, 7, 3, 1));
}

TEST_F(Pro, ItsCountsAreTheSms) {
    stats::Tree tree;
    scheduler->add_statistics(tree);
    at_barrier(1, 1);
    finished(2, 1);
    tick(1000);
    scene.view.blocks_left = false;
    tick(2000);
    const stats::Snapshot now = tree.snapshot();
    EXPECT_EQ(now.counter("pro.sorts"), 2U);
    EXPECT_EQ(now.counter("pro.new_orders"), 0U); // the slow phase has brought 0 and 2 into order before the sort
    EXPECT_EQ(now.counter("pro.barrier_waits"), 1U);
    EXPECT_EQ(now.counter("pro.finish_waits"), 1U);
    EXPECT_EQ(now.counter("pro.slow_phases"), 1U);
    use({}, 1, 2); // the SM's second scheduler adds nothing: the first has counted
    stats::Tree second;
    scheduler->add_statistics(second);
    EXPECT_TRUE(second.snapshot().fields().empty());
}

TEST_F(Pro, UnitsMustBeOfOneBlockAndLive) {
    EXPECT_FALSE(scheduler->objection({.span_blocks = true}).empty());
    EXPECT_FALSE(scheduler->objection({.die_at_issue = true}).empty());
    EXPECT_EQ(scheduler->objection({.take_several_slots = true}), "");
}

// III.E: 4 W + 4 T + T + T bytes are 240 for W = 48 and T = 8.
TEST_F(Pro, CostsWhatThePaperSays) {
    std::uint64_t bits = 0;
    scheduler = scene.make("pro", {}, {.units = 48, .block_slots = 8});
    for (const cost::HardwareCost& row : scheduler->hardware_cost()) {
        EXPECT_EQ(row.source, "PRO III.E");
        bits += row.total_bits();
    }
    EXPECT_EQ(bits, 240U * 8);
}

} // namespace
} // namespace heddle::sched::test
