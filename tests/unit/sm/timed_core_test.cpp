// The contract of run(), wake() and catch_up() for all timed core models (sm/frame/core.h).
#include <gtest/gtest.h>

#include "core_rig.h"

namespace heddle::sm::test {
namespace {

// Loads, a barrier, a loop, stores: two warps.
const char* const kBody =
    "ld.param.u64 %d1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %d2, %r1, 64, %d1; mov.u32 %r3, 0;\n"
    "L: ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, 1; bar.sync 0; st.global.u32 [%d2], %r2;\n"
    "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3; @%p1 bra L; exit;";

std::vector<std::string> settings_of(const std::string& model) {
    if (model == "scoreboard")
        return kScoreboard;
    return {"core.model=" + model, "core.width=4", "core.threads=64"};
}

struct AllCores : testing::TestWithParam<const char*> {
    std::vector<std::string> settings = settings_of(GetParam());
    config::Machine machine = near_machine(settings);
    Kernel kernel{machine, kBody, 8};
    std::unique_ptr<Core> core =
        cores().make(machine.get<CoreConfig>().model, machine, 0U, kernel.image, kernel.lowered.program, TraceSink());

    void start() {
        core->begin(kernel.launch, 0);
        core->start_block({0, 0, 0}, 0, 0);
    }
};

// However often it stops meanwhile.
TEST_P(AllCores, RunsOfAnyLengthAddUpToTheSame) {
    const CoreRun whole(settings, kBody, 8, 1, false);
    start();
    Cycle now = 0;
    for (unsigned i = 0; core->resident_blocks() != 0 && i < 10'000; ++i) {
        const Cycle next = core->run(now, now + 1 + i % 3);
        ASSERT_GT(next, now);
        ASSERT_LE(next, now + 1 + i % 3);
        now = next;
    }
    EXPECT_EQ(now, whole.cycles);
    EXPECT_EQ(core->now(), now);
    EXPECT_EQ(core->stats().slots, whole.core->stats().slots);
}

// A core that sleeps up to wake(), which is read in each cycle, has the same counters. It sleeps at least while its
// first line is on its way.
TEST_P(AllCores, ASleepCountsAsIfItHadBeenSimulated) {
    const CoreRun whole(settings, kBody, 8, 1, false);
    start();
    Cycle now = 0;
    unsigned runs = 0;
    for (; core->resident_blocks() != 0 && runs < 10'000; ++runs)
        now = core->run(std::max(now, core->wake()), std::max(now, core->wake()) + 1);
    EXPECT_EQ(now, whole.cycles);
    EXPECT_LT(runs, now - kMemory / 2);
    EXPECT_EQ(core->stats().slots, whole.core->stats().slots);
    EXPECT_EQ(core->stats().cycles, now);
}

// Its first instruction is missing: nothing to do from cycle 1 or 2 on until the line comes.
TEST_P(AllCores, WakesForTheAnswerOfMemory) {
    start();
    EXPECT_EQ(core->wake(), 0U);
    core->run(0, 5);
    EXPECT_EQ(core->wake(), kMemory);
    core->catch_up(50);
    EXPECT_EQ(core->now(), 50U);
    EXPECT_EQ(core->stats().cycles, 50U);
    core->catch_up(40); // that has been counted
    EXPECT_EQ(core->stats().cycles, 50U);
}

TEST_P(AllCores, AnSmWithoutABlockHasNothingToDo) {
    core->begin(kernel.launch, 0);
    EXPECT_EQ(core->wake(), kNever);
    core->catch_up(30);
    EXPECT_EQ(core->stats().slots[static_cast<std::size_t>(probe::Slot::Empty)], 30U * core->issue_slots());
    EXPECT_TRUE(core->can_accept());
    core->start_block({0, 0, 0}, 0, 30);
    EXPECT_EQ(core->wake(), 30U);
}

// Of three launches this SM has a block of the first and the last. It goes on as one that was not told of the second.
TEST_P(AllCores, ALaunchWithoutABlockHereChangesNothing) {
    const auto sm = [&] {
        auto out = cores().make(machine.get<CoreConfig>().model, machine, 0U, kernel.image, kernel.lowered.program,
                                TraceSink());
        out->share_with(*core);
        return out;
    };
    const std::unique_ptr<Core> told = sm(), untold = sm();
    const auto run_block = [&](Core& on, Cycle now) {
        on.begin(kernel.launch, now);
        on.start_block({0, 0, 0}, 0, now);
        while (on.resident_blocks() != 0 && now < 10'000)
            now = on.run(now, now + 1000);
        return now;
    };
    core->begin(kernel.launch, 0);
    EXPECT_EQ(run_block(*told, 0), run_block(*untold, 0));
    core->begin(kernel.launch, 3000);
    told->begin(kernel.launch, 3000);
    EXPECT_EQ(told->wake(), kNever);
    EXPECT_TRUE(told->can_accept());
    core->begin(kernel.launch, 5000);
    const Cycle end = run_block(*untold, 5000);
    EXPECT_GT(end, 5000U);
    EXPECT_EQ(run_block(*told, 5000), end);
    EXPECT_EQ(told->stats().slots, untold->stats().slots);
    // Two blocks of eight threads: four instructions, three rounds of six and a branch that is taken twice, the exit.
    EXPECT_EQ(told->stats().thread_instructions, 2 * 8 * (4 + 3 * 6 + 2 + 1));
}

TEST_P(AllCores, ALaunchEndsOneThatWasStopped) {
    const auto sm =
        cores().make(machine.get<CoreConfig>().model, machine, 0U, kernel.image, kernel.lowered.program, TraceSink());
    sm->share_with(*core);
    core->begin(kernel.launch, 0);
    sm->begin(kernel.launch, 0);
    sm->start_block({0, 0, 0}, 0, 0);
    sm->run(0, kMemory + 20);
    ASSERT_EQ(sm->resident_blocks(), 1U);
    core->begin(kernel.launch, 5000);
    sm->begin(kernel.launch, 5000);
    EXPECT_EQ(sm->resident_blocks(), 0U);
    EXPECT_TRUE(sm->can_accept());
}

// run() comes back in the cycle behind a block's end, whatever is left of its time.
TEST_P(AllCores, ABlocksEndEndsARun) {
    const CoreRun whole(settings, kBody, 8, 1, false);
    start();
    EXPECT_EQ(core->run(0, 1'000'000), whole.cycles);
    EXPECT_EQ(core->resident_blocks(), 0U);
}

TEST_P(AllCores, ADeadlockIsAFault) {
    Kernel stuck(machine, "bar.sync 1, 32; exit;", 8);
    const auto sm =
        cores().make(machine.get<CoreConfig>().model, machine, 0U, stuck.image, stuck.lowered.program, TraceSink());
    sm->begin(stuck.launch, 0);
    sm->start_block({0, 0, 0}, 0, 0);
    try {
        sm->run(0, 10'000);
        FAIL();
    } catch (const exec::Fault& fault) {
        EXPECT_EQ(fault.kind(), exec::Fault::Kind::Stuck);
    }
    EXPECT_LT(sm->now(), 200U);
}

TEST_P(AllCores, AFaultKeepsItsCycleUncounted) {
    Kernel faulty(machine, "mov.u64 %d1, 8; ld.global.u32 %r1, [%d1]; exit;", 4);
    const auto sm =
        cores().make(machine.get<CoreConfig>().model, machine, 0U, faulty.image, faulty.lowered.program, TraceSink());
    sm->begin(faulty.launch, 0);
    sm->start_block({0, 0, 0}, 0, 0);
    EXPECT_THROW(sm->run(0, 10'000), exec::Fault);
    EXPECT_EQ(sm->stats().cycles, sm->now());
    std::uint64_t slots = 0;
    for (const std::uint64_t n : sm->stats().slots)
        slots += n;
    EXPECT_EQ(slots, sm->now() * sm->issue_slots());
}

INSTANTIATE_TEST_SUITE_P(TimedCore, AllCores, testing::Values("barrel", "scoreboard", "wpu"));

} // namespace
} // namespace heddle::sm::test
