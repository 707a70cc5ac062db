// PRO's order of blocks is an SM's: its schedulers, each an object of its own, come to the same one (PRO III.E).

#include <array>

#include <gtest/gtest.h>

#include "kernel_run.h"
#include "sched/scheduler.h"

namespace heddle::runtime::test {
namespace {

using sched::BlockEvent;
using Orders = std::vector<std::vector<std::uint64_t>>;

struct Seen {
    Orders events; // after each event of the fast phase
    Orders ticks;
    std::vector<Cycle> at; // of the ticks
    unsigned picks = 0;
};
std::array<Seen, 2> seen; // by scheduler

// Asks pro, and keeps what order of blocks it has.
class ProWatched final : public sched::Scheduler {
public:
    ProWatched(const sched::Share& share, const config::Machine& machine)
        : seen_(seen.at(share.index)), pro_(sched::schedulers().make("pro", share, machine)) {
        seen_ = {};
    }
    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle now) override {
        ++seen_.picks;
        return pro_->pick(can_issue, view, now);
    }
    void block_event(std::uint16_t block, BlockEvent event, const warp::View& view, Cycle now) override {
        pro_->block_event(block, event, view, now);
        wake = pro_->wake;
        if (view.blocks_left)
            seen_.events.push_back(pro_->block_order(view));
    }
    void tick(const warp::View& view, Cycle now) override {
        pro_->tick(view, now);
        wake = pro_->wake;
        seen_.ticks.push_back(pro_->block_order(view));
        seen_.at.push_back(now);
    }

private:
    Seen& seen_;
    std::unique_ptr<sched::Scheduler> pro_;
};

HEDDLE_SCHEDULER(ProWatched, "pro-watched", "pro, whose order of blocks is kept", "tests");

// Blocks of three warps, so that the schedulers have one and two of a block's; each makes its own number of rounds with
// a load and a barrier.
TEST(BlockOrder, IsTheSameForAllSchedulersOfAnSm) {
    const std::string body =
        "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 96, %r1;\n"
        "and.b32 %r4, %r2, 3; add.u32 %r4, %r4, 4; mov.u32 %r5, 0;\n"
        "again: mad.lo.u32 %r6, %r5, 4096, %r3; and.b32 %r6, %r6, 262143; mul.wide.u32 %rd2, %r6, 4;\n"
        "add.u64 %rd2, %rd2, %rd1; ld.global.u32 %r7, [%rd2]; add.u32 %r8, %r8, %r7; bar.sync 0;\n"
        "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r4; @%p1 bra again; ret;";
    const RunSetup setup{.machine = "gtx480",
                         .settings = {"gpu.sms=1", "core.scheduler=pro-watched", "pro.threshold=50"}};
    static_cast<void>(run_kernel_on(setup, body, 96, 40));
    EXPECT_EQ(seen[0].events, seen[1].events);
    EXPECT_EQ(seen[0].ticks, seen[1].ticks);
    EXPECT_EQ(seen[0].at, seen[1].at);
    // Else it shows nothing.
    EXPECT_GT(seen[0].events.size(), 40U);
    EXPECT_GT(seen[0].ticks.size(), 10U);
    EXPECT_NE(seen[0].picks, seen[1].picks);
}

} // namespace
} // namespace heddle::runtime::test
