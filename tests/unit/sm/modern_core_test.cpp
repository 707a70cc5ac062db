// What sub-cores of chips after 2017 add to the scoreboarded core, cycle by cycle: one warp of four threads, whose
// first instruction issues at kStart (scoreboarded_core_test.cpp). Operands are read from t + 2 to t + 4, execution
// begins at t + 5, and a result is written in the cycle behind it.
#include <gtest/gtest.h>

#include "core_rig.h"

namespace heddle::sm::test::modern_core {
namespace {

constexpr Cycle kStart = kMemory + 2;

const std::vector<std::string> kSubCore = {"scoreboard.buffer=8",   "scoreboard.register_file=own",
                                           "scoreboard.dispatch=1", "sub_core.read_stages=3",
                                           "register_file.banks=2", "pipe.sp.shared=false"};

// All instructions have a fixed latency and a result.
void fixed(ir::Program& program) {
    program.native.assign(program.ops.size(), {});
    for (ir::NativeInstruction& native : program.native) {
        native.fixed = true;
        native.results = 1;
    }
}

struct Sm : CoreRun {
    Sm(const std::string& body, const std::vector<std::string>& settings, const Prepare& prepare = fixed,
       std::uint32_t threads = 4)
        : CoreRun(with(with(kScoreboard, kSubCore), settings), body, threads, 1, true, prepare) {}
};

TEST(ModernCore, AWideProductKeepsTheIssuePort) {
    const auto wide = [](ir::Program& program) {
        fixed(program);
        program.native[0].wide_product = true;
    };
    const char* const body = "mul.wide.u32 %d1, %r1, %r2; mov.u32 %r3, 2; mov.u32 %r4, 3; exit;";
    const Sm plain(body, {}, wide);
    EXPECT_EQ(plain.at(1), plain.at(0) + 1);
    const Sm busy(body, {"sub_core.wide_product=1"}, wide);
    EXPECT_EQ(busy.at(1), busy.at(0) + 2);
    EXPECT_EQ(busy.at(2), busy.at(0) + 3);
}

const char* const kChain = "mov.u32 %r1, 7; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 2; exit;";

TEST(ModernCore, AScoreboardLetsAResultThroughOnABypass) {
    const Sm r(kChain, {});
    EXPECT_EQ(r.at(0), kStart);
    EXPECT_EQ(r.at(1), r.at(0) + 1);
    EXPECT_EQ(r.at(2), r.at(1) + 4);
}

// Written at t + 5 + latency, which issue sees in the next cycle.
TEST(ModernCore, AScoreboardLetsAResultThroughWhenItIsWritten) {
    const Sm r(kChain, {"hazards.release=write"});
    EXPECT_EQ(r.at(1), r.at(0) + 1 + 6);
    EXPECT_EQ(r.at(2), r.at(1) + 4 + 6);
}

// A store that issues at t has read its registers at t + 5.
TEST(ModernCore, ARegisterIsNotWrittenBeforeItIsRead) {
    const char* const body = "mov.u32 %r1, 7; ld.param.u64 %d1, [x]; st.global.u32 [%d1], %r1; mov.u32 %r1, 8; exit;";
    const Sm uncounted(body, {});
    EXPECT_EQ(uncounted.at(3), uncounted.at(2) + 1);
    const Sm counted(body, {"hazards.readers=63"});
    EXPECT_EQ(counted.at(3), counted.at(2) + 5);
    EXPECT_EQ(counted.word(0), 7U);
}

TEST(ModernCore, ARegisterHasNoMoreReadersThanAreCounted) {
    const char* const body = "mov.u32 %r1, 7; ld.param.u64 %d1, [x]; st.global.u32 [%d1], %r1;\n"
                             "st.global.u32 [%d1+4], %r2; exit;";
    const Sm two(body, {"hazards.readers=2"});
    EXPECT_EQ(two.at(3), two.at(2) + 1);
    const Sm one(body, {"hazards.readers=1"});
    EXPECT_EQ(one.at(3), one.at(2) + 5);
}

// The uniform path has its results before others, by a scoreboard as by control bits.
TEST(ModernCore, UniformResultsAreLaterForVectorInstructions) {
    const auto uniform = [](ir::Program& program) {
        fixed(program);
        program.native[0].type = program.native[1].type = ir::NativeInstruction::Class::Uniform;
    };
    const char* const body = "mov.u32 %r1, 7; add.u32 %r2, %r1, 1; add.u32 %r3, %r1, 2; exit;";
    const std::vector<std::string> path = {"uniform.latency=4", "uniform.vector_latency=13"};
    const Sm bypass(body, path, uniform);
    EXPECT_EQ(bypass.at(1), bypass.at(0) + 4);
    EXPECT_EQ(bypass.at(2), bypass.at(0) + 13);
    const Sm late(body, with(path, {"hazards.release=write"}), uniform);
    EXPECT_EQ(late.at(1), late.at(0) + 4 + 6);
    EXPECT_EQ(late.at(2), late.at(0) + 13);
}

// Lines of 64 bytes in a sub-core, of 1024 in the SM, which is 39 cycles away.
const std::vector<std::string> kConstants = {"icache.mshrs=4",      "icache_l1.size=4KiB",  "icache_l1.line=1024",
                                             "icache_l1.mshrs=4",   "icache_l1.request=39", "icache_l1.reply=39",
                                             "ccache_l0.size=2KiB", "ccache_l0.line=64",    "ccache_l0.ways=4",
                                             "ccache_l0.mshrs=16",  "icache.size=4KiB"};

CoreRun::Prepare reads_constants(const std::vector<std::uint32_t>& offsets) { // of instructions 1, 2, ...
    return [offsets](ir::Program& program) {
        fixed(program);
        for (std::size_t i = 0; i < offsets.size(); ++i)
            program.native[i + 1].constant = {offsets[i], 0, true};
    };
}

TEST(ModernCore, AConstantIsThereOrComesFromTheCacheOfTheSm) {
    const char* const body = "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; mov.u32 %r4, 4; exit;";
    const Sm r(body, kConstants, reads_constants({0x160, 0x164, 0x200}));
    EXPECT_EQ(r.at(1), r.at(0) + 1 + 39 + kMemory + 39);
    EXPECT_EQ(r.at(2), r.at(1) + 1);           // the same line
    EXPECT_EQ(r.at(3), r.at(2) + 1 + 39 + 39); // another one, of the same line of the SM's cache
    EXPECT_EQ(r.counter("ccache_l0.hits"), 1U);
    EXPECT_EQ(r.counter("ccache_l0.misses"), 2U);
}

// The stack pointer of Hopper: its load goes on, and the end of the warp waits for the line.
TEST(ModernCore, AConstantAheadHoldsItsWarpLater) {
    const char* const body = "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; exit;";
    const Sm r(body, kConstants, [](ir::Program& program) {
        fixed(program);
        program.native[0].constant = {.offset = 0x28, .is_read = true, .ahead = true};
        program.native[2].constant = {.offset = 0x0, .is_read = true};
    });
    EXPECT_EQ(r.at(1), r.at(0) + 1);
    EXPECT_EQ(r.at(2), r.at(0) + 39 + kMemory + 39); // the same line
    EXPECT_EQ(r.counter("ccache_l0.misses"), 1U);
}

TEST(ModernCore, WithoutAConstantCacheConstantsAreThere) {
    const char* const body = "mov.u32 %r1, 1; mov.u32 %r2, 2; exit;";
    const Sm r(body, {}, reads_constants({0x160}));
    EXPECT_EQ(r.at(1), r.at(0) + 1);
}

// Greedy, then youngest: the first warp begins, because its instructions are fetched first, and misses in the next
// cycle.
TEST(ModernCore, AMissOfTheWarpThatIssuedLastHoldsTheOthers) {
    const char* const body = "mov.u32 %r1, 1; mov.u32 %r2, 2; exit;";
    const auto settings = with(kConstants, {"core.scheduler=gty"});
    const Sm held(body, with(settings, {"ccache_l0.hold=4"}), reads_constants({0x160}), 8);
    EXPECT_EQ(held.at(0, 1), held.at(0, 0) + 1 + 4);
    EXPECT_EQ(held.at(1, 1), held.at(0, 0) + 1 + 39 + kMemory + 39); // both wait for the line; the younger one is next
    const Sm free(body, with(settings, {"ccache_l0.hold=0"}), reads_constants({0x160}), 8);
    EXPECT_EQ(free.at(0, 1), free.at(0, 0) + 1);
}

TEST(ModernCore, ScoreboardsOfAWarpNeedAFormationOfWarps) {
    const auto refused = [](const std::vector<std::string>& settings) {
        try {
            (void)near_machine(with(with(kScoreboard, kSubCore), settings));
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(
        refused({"hazards.readers=1", "core.formation=dwf", "core.scheduler=dmaj"}).find("[hazards] needs a formation"),
        std::string::npos);
    EXPECT_NE(refused({"hazards.readers=1", "register_file.banks=0"}).find("[hazards] needs register_file.banks"),
              std::string::npos);
    EXPECT_EQ(refused({"hazards.readers=1"}), "");
}

} // namespace
} // namespace heddle::sm::test::modern_core
