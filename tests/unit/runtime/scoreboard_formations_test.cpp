// Cycle counts of dwf and lwm on gtx480's core that follow from docs/scoreboard.md, "dwf and lwm". Each is the slope
// between a shorter and a longer program.
//
// An instruction with k register operands writes its registers latency + k + 5 cycles behind its issue, as under pdom
// (scoreboard_timing_test.cpp): a mov of a register 7.
#include <regex>

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

using Settings = std::vector<std::string>;

KernelRun on_gtx480(Settings settings, const std::string& body, std::uint32_t threads) {
    settings.insert(settings.begin(), {"gpu.sms=1"});
    return run_kernel_on({.machine = "gtx480", .settings = settings, .launches = 2}, body, threads);
}

// Cycles an instruction that stands 200 or 40 times in a kernel whose code is in the instruction cache (256
// instructions), executed by the threads for which %p1 is true. DST stands for one of sixteen registers in turn, which
// are needed at the end.
double cycles_of(const std::string& line, std::uint32_t threads, const Settings& settings,
                 const std::string& who = "setp.lt.u32 %p1, %r4, 4096;") {
    const auto cycles = [&](unsigned times) {
        std::string body =
            "ld.param.u64 %rd1, [x]; mov.u32 %r1, 1; mov.u32 %r4, %tid.x;\n" + who + "\nbar.sync 0; @!%p1 bra done;\n";
        for (unsigned i = 0; i < times; ++i)
            body += std::regex_replace(line, std::regex("DST"), "%r" + std::to_string(10 + i % 16)) + "\n";
        for (unsigned r = 10; r < 26; ++r)
            body += "add.u32 %r1, %r1, %r" + std::to_string(r) + ";\n";
        body += "st.global.u32 [%rd1], %r1; done: ret;";
        return on_gtx480(settings, body, threads).cycles;
    };
    return static_cast<double>(cycles(200) - cycles(40)) / 160.0;
}

const std::string kDependent = "mov.u32 %r1, %r1;";
const std::string kIndependent = "mov.u32 DST, 5;";

Settings dwf(const Settings& more = {}) {
    Settings out{"core.formation=dwf", "core.scheduler=dmaj"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}
Settings lwm(const Settings& more = {}) {
    Settings out{"core.formation=lwm", "core.scheduler=lrr"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

// Its warps take an extra stage of the register file to read operands.
TEST(DwfOnTheScoreboard, OperandsTakeTheExtraStages) {
    EXPECT_EQ(cycles_of(kDependent, 32, dwf()), 7 + 1);
    EXPECT_EQ(cycles_of(kDependent, 32, dwf({"dwf.extra_stages=0"})), 7);
    EXPECT_EQ(cycles_of(kDependent, 32, dwf({"dwf.extra_stages=3"})), 7 + 3);
}

// A warp is in the pool for one instruction, which is fetched for it: in the cycle behind the issue that made it, and
// there scoreboard.decode cycles later.
TEST(DwfOnTheScoreboard, EachInstructionIsFetched) {
    EXPECT_EQ(cycles_of(kIndependent, 32, dwf()), 1 + 2);
    EXPECT_EQ(cycles_of(kIndependent, 32, dwf({"scoreboard.decode=5"})), 1 + 5);
}

// One warp a cycle is fetched for, whatever the schedulers could issue. Under pdom a fetch brings two instructions.
TEST(DwfOnTheScoreboard, AFrontEndFetchesForOneWarpACycle) {
    EXPECT_NEAR(cycles_of(kIndependent, 512, dwf()), 16, 0.1);
    EXPECT_LT(cycles_of(kIndependent, 512, {"core.formation=pdom"}), 9);
}

// Of two warps the threads in lanes 0 to 15 go on as one warp with two threads in each home lane: an operand takes two
// cycles of its bank.
TEST(DwfOnTheScoreboard, ThreadsOfOneLaneAreReadOneAfterTheOther) {
    const std::string low_lanes = "and.b32 %r5, %r4, 31; setp.lt.u32 %p1, %r5, 16;";
    const Settings conflict = dwf({"dwf.lanes=conflict"});
    EXPECT_EQ(cycles_of(kDependent, 64, conflict, low_lanes), 7 + 1 + 1);
    EXPECT_EQ(cycles_of("add.u32 %r1, %r1, %r4;", 64, conflict, low_lanes), 4 + 2 + 5 + 1 + 2);
    EXPECT_EQ(cycles_of(kDependent, 32, conflict, low_lanes), 7 + 1);
}

// A function with a barrier, called at four places: behind the barrier all threads are one warp, whose return goes to
// four PCs. The update registers take two of them a cycle (DWF07 4.2, footnote 4): both schedulers miss a slot.
TEST(DwfOnTheScoreboard, FourReturnAddressesHoldTheSchedulersForACycle) {
    const std::string body = "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;\n"
                             "and.b32 %r2, %r1, 2; setp.ne.u32 %p2, %r2, 0; @%p2 bra high;\n"
                             "@%p1 bra odd;\ncall f, (); exit;\nodd: call f, (); exit;\n"
                             "high: @%p1 bra highodd;\ncall f, (); exit;\nhighodd: call f, (); exit;\n";
    Settings settings = dwf({"gpu.sms=1"});
    const KernelRun run = run_kernel_on(
        {.machine = "gtx480", .settings = settings, .globals = ".func f()\n{\nbar.sync 0;\nret;\n}\n"}, body, 32);
    EXPECT_EQ(run.counter("dwf", "stall_cycles"), 1U);
    EXPECT_EQ(run.result["stalls"]["tables"], 2);
}

// Eight sub-warps issue one a cycle; the next instruction waits for the registers of the last. A buffer of two
// instructions is filled when the last sub-warp of the second has issued: a cycle is lost every other instruction.
TEST(LwmOnTheScoreboard, ALargeWarpTakesASlotASubWarp) {
    EXPECT_EQ(cycles_of(kDependent, 256, lwm()), (8 - 1) + 7);
    EXPECT_EQ(cycles_of(kIndependent, 256, lwm()), 8.5);
    EXPECT_EQ(cycles_of(kDependent, 128, lwm({"lwm.size=64"})), (2 - 1) + 7); // two of them, a scheduler each
}

// A block of fewer threads is a large warp of its rows.
TEST(LwmOnTheScoreboard, ASmallBlockIsASmallLargeWarp) {
    EXPECT_EQ(cycles_of(kDependent, 32, lwm()), 7);
    EXPECT_EQ(cycles_of(kDependent, 96, lwm()), (3 - 1) + 7);
}

// Even lanes of even rows and odd lanes of odd rows: two rows fit into a sub-warp.
TEST(LwmOnTheScoreboard, SubWarpsArePacked) {
    const std::string who = "shr.u32 %r5, %r4, 5; xor.b32 %r5, %r5, %r4; and.b32 %r5, %r5, 1; setp.eq.u32 %p1, %r5, 0;";
    EXPECT_EQ(cycles_of(kDependent, 256, lwm(), who), (4 - 1) + 7);
}

// The SFU begins a division in 8 cycles: the sub-warps behind it wait for it, and no other large warp of their
// scheduler goes in between, though its instructions are for SP.
TEST(LwmOnTheScoreboard, SubWarpsWaitForTheirPipe) {
    EXPECT_NEAR(cycles_of("div.u32 DST, %r4, 3;", 256, lwm()), 8 * 8, 0.5);
}

// What its threads execute while others hit and miss, wait at barriers, for atomics, fences and for their stores. Each
// slot has one cause, and no order of the SMs shows.
const char* const kMixed = R"(
    ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 96, %r1;
    mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2; and.b32 %r4, %r1, 7; mov.u32 %r5, 0;
again:
    setp.gt.u32 %p1, %r5, %r4; @%p1 bra out;
    and.b32 %r6, %r5, 1; setp.eq.u32 %p2, %r6, 0; @%p2 bra even;
    ld.global.u32 %r7, [%rd3]; add.u32 %r7, %r7, 1; st.global.u32 [%rd3], %r7; bra join;
even:
    atom.global.add.u32 %r8, [%rd1+65536], 1; membar.gl;
join:
    add.u32 %r5, %r5, 1; bra again;
out:
    bar.sync 0; @%p2 bra end;
    red.global.add.u32 [%rd1+65540], %r5;
end:
    st.global.u32 [%rd3+8192], %r5; ret;
)";

class MixedOnTheScoreboard : public testing::TestWithParam<Settings> {};

TEST_P(MixedOnTheScoreboard, EachSlotHasOneCause) {
    const auto run = [&](const char* order) {
        Settings settings{std::string("gpu.sm_order=") + order, "gpu.sms=3"};
        settings.insert(settings.end(), GetParam().begin(), GetParam().end());
        return run_kernel_on({.machine = "gtx480", .settings = settings}, kMixed, 96, 20);
    };
    const KernelRun one = run("ascending");
    std::uint64_t slots = 0;
    for (const auto& [cause, n] : one.result.at("kernels").at(0).at("stalls").items())
        slots += n.get<std::uint64_t>();
    EXPECT_EQ(slots, 2 * 3 * one.result.at("kernels").at(0).at("cycles").get<std::uint64_t>());
    // Of a block 12 threads have each of 0 to 7 for %r4: they go round %r4 + 1 times, every other time odd.
    std::uint32_t atomics = 0;
    for (std::uint32_t t = 0; t < 96; ++t) {
        const std::uint32_t rounds = t % 8 + 1;
        atomics += (rounds + 1) / 2;
        EXPECT_EQ(one.words[t], rounds / 2);
        EXPECT_EQ(one.words[8192 / 4 + 96 * 19 + t], rounds);
    }
    EXPECT_EQ(one.words[65536 / 4], 20 * atomics);
    nlohmann::json first = one.result, other = run("shuffled").result;
    for (nlohmann::json* result : {&first, &other}) {
        result->erase("host");
        result->erase("config");
    }
    EXPECT_EQ(other, first);
}

INSTANTIATE_TEST_SUITE_P(Runtime, MixedOnTheScoreboard,
                         testing::Values(dwf(), dwf({"core.scheduler=dtime"}), dwf({"core.scheduler=dpdpri"}),
                                         dwf({"core.scheduler=gto", "dwf.lanes=conflict"}),
                                         dwf({"dwf.miss=thread", "scoreboard.schedulers=2"}), lwm(),
                                         lwm({"core.scheduler=two-level"}), lwm({"core.scheduler=pro"}),
                                         lwm({"lwm.refetch=all"}), lwm({"lwm.miss=stall"}), lwm({"lwm.miss=warp"})));

} // namespace
} // namespace heddle::runtime
