// What formations and schedulers add to a trace.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// Lines of the trace that hold `word`, by cycle.
std::vector<Cycle> cycles_with(const std::string& word, const std::string& body, std::uint32_t threads,
                               const std::vector<std::string>& settings, std::uint32_t blocks = 1) {
    std::vector<Cycle> out;
    RunSetup setup{.settings = settings};
    setup.options.trace = [&](std::string_view line) {
        if ((std::string(line) + " ").find(" " + word + " ") != std::string::npos)
            out.push_back(std::stoull(std::string(line)));
    };
    static_cast<void>(run_kernel_on(setup, body, threads, blocks));
    return out;
}

using Cycles = std::vector<Cycle>;

// Fetched at 300 and, when its first sub-warp is through, at 307; a sub-warp is packed in the cycle after.
TEST(Trace, ThreadsLeftToPack) {
    const std::vector<std::string> lwm = {"core.formation=lwm", "lwm.size=96"};
    EXPECT_EQ(cycles_with("left:u0/64", "mov.u32 %r1, 1; ret;", 96, lwm), (Cycles{301, 308}));
    EXPECT_EQ(cycles_with("left:u0/32", "mov.u32 %r1, 1; ret;", 96, lwm), (Cycles{302, 309}));
}

// The branch is the third instruction: fetched at 314 and 315, the first warp written back at 320. The others make two
// warps, fetched at 322 and 323, whose adds end at the join at 328 and 329.
TEST(Trace, WarpsThatWaitForTheirBlock) {
    const std::string body = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16; @%p1 bra J; add.u32 %r1, %r1, 1; J: ret;";
    EXPECT_EQ(cycles_with("arrived:1", body, 64, {"core.formation=tbc"}), (Cycles{320, 328}));
}

// Two warps are in the pool when the first is fetched; each leaves it in decode. With the extra stage they come back at
// 307 and 308, and the first is decoded at 309.
TEST(Trace, WarpsInThePool) {
    const std::vector<std::string> dwf = {"core.formation=dwf", "core.scheduler=dmaj"};
    const Cycles two = cycles_with("pool:2", "mov.u32 %r1, 1; ret;", 64, dwf);
    ASSERT_GE(two.size(), 2U);
    EXPECT_EQ(two[two.size() - 2], 300U);
    EXPECT_EQ(two.back(), 308U);
}

// Only the first warp loads, with its fourth instruction: fetched at 321, put aside at 326. From the next pick on the
// second warp's group goes first.
TEST(Trace, TheGroupThatGoesFirst) {
    const std::string body = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; ld.param.u64 %rd1, [x];\n"
                             "@%p1 ld.global.u32 %r2, [%rd1+4096]; add.u32 %r3, %r1, 1; add.u32 %r3, %r3, 1; ret;";
    const Cycles second = cycles_with("first:1", body, 64, {"core.scheduler=two-level", "two-level.group=1"});
    ASSERT_FALSE(second.empty());
    EXPECT_EQ(second.front(), 329U); // its load is fetched at 322 and its add 7 cycles later
}

// Room for two blocks of seven warps, and a third one waits. The warps of block 0 fill the seven stages: its 7 x 4
// instructions are fetched from 300 to 327, its first warp's last one at 321 (written back at 327: finishWait, and
// first still), the last at 327. With the write-back at 333 it has ended. Block 2 takes its place, nothing is left to
// be assigned, and with no progress it goes before block 1, which has begun at 328.
TEST(Trace, TheOrderOfBlocks) {
    const std::string body = "mov.u32 %r1, 1; add.u32 %r2, %r1, 1; add.u32 %r3, %r1, 1; ret;";
    const std::vector<std::string> pro = {"core.scheduler=pro", "core.blocks=2"};
    const Cycles first = cycles_with("order:0,1", body, 224, pro, 3);
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(first.back(), 332U);
    EXPECT_EQ(cycles_with("order:1", body, 224, pro, 3).front(), 333U);
    EXPECT_EQ(cycles_with("order:2,1", body, 224, pro, 3).front(), 334U);
}

// Picked at 0, 1 and 2, to find no instruction; fetched at 300, 301 and 302, and again at 307, 308 and 309.
TEST(Trace, TheActiveUnits) {
    const std::vector<std::string> tl = {"core.scheduler=tl", "tl.active=2"};
    // 0 and 1 are active: behind 0's turn it is 1's. 2 goes out of turn.
    EXPECT_EQ(cycles_with("active:1,0", "mov.u32 %r1, 1; ret;", 96, tl), (Cycles{0, 300, 307}));
}

} // namespace
} // namespace heddle::runtime
