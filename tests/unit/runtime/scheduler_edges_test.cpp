// The calls of a core to its scheduler, recorded by a scheduler that keeps lists.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel_run.h"
#include "sched/scheduler.h"

namespace heddle::runtime::test {
namespace {

using sched::BlockEvent;

struct Record {
    std::vector<std::pair<unsigned, BlockEvent>> blocks;
    std::map<UnitId, int> inside; // entered and not left
    std::uint64_t entered = 0, left = 0;
    bool in_order = true; // no unit entered or left twice in a row, and only members are picked
    int waiting = 0;      // long waits that have not ended
    std::uint64_t waits = 0;
};
Record record; // of the last scheduler made

class Recorder final : public sched::Scheduler {
public:
    Recorder(const sched::Share& /*share*/, const config::Machine& /*machine*/) {
        record = {};
    }
    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        const UnitId unit = can_issue.first();
        record.in_order &= record.inside[unit] == 1;
        return unit;
    }
    bool keeps_lists() const override {
        return true;
    }
    void entered(UnitId unit, Pc /*pc*/, unsigned threads) override {
        ++record.entered;
        record.in_order &= ++record.inside[unit] == 1 && threads % 32 == 0;
    }
    void left(UnitId unit) override {
        ++record.left;
        record.in_order &= --record.inside[unit] == 0;
    }
    void long_wait(UnitId /*unit*/, bool waits) override {
        record.waiting += waits ? 1 : -1;
        record.waits += waits ? 1 : 0;
    }
    void block_event(std::uint16_t block, BlockEvent event, const warp::View& /*view*/, Cycle /*now*/) override {
        record.blocks.emplace_back(block, event);
    }
};

HEDDLE_SCHEDULER(Recorder, "recorder", "the lowest unit; keeps what it is told", "tests");

// One block of two warps: a barrier, then both exit.
TEST(SchedulerEdges, WhatBecomesOfABlock) {
    run_kernel("bar.sync 0; ret;", 64, 1, {"core.scheduler=recorder"});
    const std::vector<std::pair<unsigned, BlockEvent>> expected = {
        {0, BlockEvent::Started},         {0, BlockEvent::AtBarrier}, {0, BlockEvent::AtBarrier},
        {0, BlockEvent::BarrierReleased}, {0, BlockEvent::Exited},    {0, BlockEvent::Finished}};
    EXPECT_EQ(record.blocks, expected);
}

// The exit of the last warp that a barrier waits for releases it.
TEST(SchedulerEdges, AnExitMayReleaseABarrier) {
    run_kernel("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra wait;\n"
               "add.u32 %r2, %r1, 1; add.u32 %r2, %r2, 1; exit;\nwait: bar.sync 0; ret;",
               64, 1, {"core.scheduler=recorder"});
    const std::vector<std::pair<unsigned, BlockEvent>> expected = {{0, BlockEvent::Started},
                                                                   {0, BlockEvent::AtBarrier},
                                                                   {0, BlockEvent::Exited},
                                                                   {0, BlockEvent::BarrierReleased},
                                                                   {0, BlockEvent::Finished}};
    EXPECT_EQ(record.blocks, expected);
}

TEST(SchedulerEdges, AUnitEntersAndLeavesOnceAnInstruction) {
    const KernelRun run = run_kernel("ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                                     "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; st.global.u32 [%rd2], %r2; ret;",
                                     256, 2, {"core.scheduler=recorder"});
    EXPECT_TRUE(record.in_order);
    EXPECT_EQ(record.left, record.entered); // a unit that has left cannot enter again
    EXPECT_EQ(record.left, run.result["totals"]["warp_instructions"].get<std::uint64_t>());
    EXPECT_EQ(record.waits, run.counter("data", "put_aside"));
    EXPECT_GT(record.waits, 0U);
    EXPECT_EQ(record.waiting, 0);
}

// A large warp could be fetched again, while others hold the front end, when its last row misses: it leaves, and enters
// again when the data are back.
TEST(SchedulerEdges, AUnitLeavesThatIsEligibleNoMore) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                             "and.b32 %r6, %r1, 127; setp.lt.u32 %p1, %r6, 96; @%p1 ld.global.u32 %r2, [%rd2+4096];\n"
                             "bar.sync 0; ld.global.u32 %r3, [%rd2+4096]; add.u32 %r4, %r1, %r1; ret;";
    const KernelRun run = run_kernel(body, 512, 1, {"core.scheduler=recorder", "core.formation=lwm", "lwm.size=128"});
    EXPECT_TRUE(record.in_order);
    EXPECT_EQ(record.left, record.entered);
    const std::uint64_t fetches = run.counter("lwm", "instructions") + run.counter("lwm", "residues");
    EXPECT_GT(record.entered, fetches); // else the kernel shows nothing
}

// Five blocks of two warps, two at a time; each block's warps come to each of two barriers one after the other. Three
// blocks have ended before the last one is assigned, and their first warps before their second: finishWait. Of the two
// that are left at least the younger ends in the slow phase.
TEST(SchedulerEdges, ProHearsOfBarriersAndExits) {
    const KernelRun run =
        run_kernel("bar.sync 0; bar.sync 0; ret;", 64, 5, {"core.scheduler=pro", "core.blocks=2", "pro.threshold=10"});
    EXPECT_EQ(run.counter("pro", "barrier_waits"), 10U);
    EXPECT_GE(run.counter("pro", "finish_waits"), 3U);
    EXPECT_LE(run.counter("pro", "finish_waits"), 4U);
    EXPECT_EQ(run.counter("pro", "slow_phases"), 1U);
    EXPECT_GE(run.counter("pro", "sorts"), 1U);
}

// A scheduler that is due again and again (pro, every 1000 cycles) does not keep a core from seeing that nothing can go
// on.
TEST(SchedulerEdges, ATickHidesNoDeadlock) {
    for (const char* const machine : {"lwm11", "gtx480"}) { // the barrel core and the scoreboarded one
        RunSetup setup{.machine = machine, .settings = {"core.scheduler=pro"}};
        setup.options.max_cycles = 100000;
        try {
            static_cast<void>(run_kernel_on(setup, "bar.sync 1, 64; ret;", 32));
            ADD_FAILURE() << "no error on " << machine;
        } catch (const std::exception& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("deadlock in kernel 'k' at cycle")) << machine;
        }
    }
}

} // namespace
} // namespace heddle::runtime::test
