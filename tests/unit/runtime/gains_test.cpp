// What each mechanism gains where its gain can be computed: kernels of one effect, with memory that is ideal but for
// the latency in question. The cycles of a round are those of a long run less those of a short one, over the rounds
// between, so that nothing of the beginning and the end is in them. Expected values are arithmetic on issue slots; a
// mechanism has to come within 2 % of its own, and of the gain over its baseline.

#include <functional>

#include <gtest/gtest.h>

#include "kernel_run.h"
#include "wpu_run.h"

namespace heddle::runtime::test {
namespace {

using Settings = std::vector<std::string>;

std::string times(unsigned n, const std::string& line) {
    std::string out;
    for (unsigned i = 0; i < n; ++i)
        out += line;
    return out;
}

// One SM of lwm11 whose code stays in its instruction cache.
struct Case {
    std::function<std::string(unsigned rounds)> body;
    std::uint32_t threads, blocks;
    Settings settings;
    unsigned few = 8, many = 24; // rounds

    [[nodiscard]] double cycles_of_a_round(const Settings& mechanism) const {
        RunSetup setup{.settings = {"icache.size=64KiB"}, .buffer = 1 << 24};
        setup.settings.insert(setup.settings.end(), settings.begin(), settings.end());
        setup.settings.insert(setup.settings.end(), mechanism.begin(), mechanism.end());
        const Cycle short_run = run_kernel_on(setup, body(few), threads, blocks).cycles;
        const Cycle long_run = run_kernel_on(setup, body(many), threads, blocks).cycles;
        return static_cast<double>(long_run - short_run) / (many - few);
    }
};

void expect_within_2_percent(double measured, double computed) {
    EXPECT_NEAR(measured, computed, 0.02 * computed);
}
void expect_gain(double base, double measured, double computed_base, double computed) {
    expect_within_2_percent(base, computed_base);
    expect_within_2_percent(measured, computed);
    expect_within_2_percent(base / measured, computed_base / computed);
}

// ---- divergence: each thread takes one of four paths of kPath additions, in each round another ----

// Of the 32 lanes of a row 8 take each path, and of the 8 rows of a block the same 2 rows of each lane: threads that
// keep their lanes can be packed without a gap.
constexpr unsigned kPath = 40;

std::string four_paths(unsigned rounds) {
    const std::string path = times(kPath, "add.u32 %r3, %r3, %r1;\n");
    return "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; add.u32 %r2, %r2, %r1; mov.u32 %r4, 0; mov.u32 %r3, 0;\n"
           "L: and.b32 %r5, %r2, 3; setp.eq.u32 %p1, %r5, 0; setp.eq.u32 %p2, %r5, 1; setp.eq.u32 %p3, %r5, 2;\n"
           "@%p1 bra A; @%p2 bra B; @%p3 bra C;\n" +
           path + "bra J;\nA: " + path + "bra J;\nB: " + path + "bra J;\nC: " + path +
           "J: add.u32 %r2, %r2, 1; add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, " + std::to_string(rounds) +
           "; @%p4 bra L; ret;";
}

class FourPaths : public testing::Test {
protected:
    // A warp issues all four paths, three with a jump behind them, and 11 instructions around them.
    static constexpr double kApart = 32 * (11 + 4 * kPath + 3);
    // Packed, a path takes 8 of 32 warps, and the branches to A, B and C are issued by 32, 24 and 16 warps.
    static constexpr double kPacked = 32 * 8 + (32 + 24 + 16) + 8 * (4 * kPath + 3);

    const Case case_{four_paths, 256, 4, {}};

    void expect(const Settings& mechanism, double computed = kPacked) const {
        expect_gain(case_.cycles_of_a_round({}), case_.cycles_of_a_round(mechanism), kApart, computed);
    }
};

TEST_F(FourPaths, DynamicWarpsByMajority) {
    expect({"core.formation=dwf", "dwf.swizzle=false", "core.scheduler=dmaj"});
}
TEST_F(FourPaths, DynamicWarpsByPostDominators) {
    expect({"core.formation=dwf", "dwf.swizzle=false", "core.scheduler=dpdpri"});
}
TEST_F(FourPaths, ThreadBlockCompaction) {
    expect({"core.formation=tbc", "core.scheduler=srr"});
}
TEST_F(FourPaths, LargeWarps) { // each of the 3 jumps behind a path takes one sub-warp of a large warp, not 2
    expect({"core.formation=lwm", "lwm.size=256"}, kPacked - 3 * 4);
}

// ---- two phases: a load of a new line, then additions ----

constexpr unsigned kLatency = 300;
constexpr unsigned kPhase = 20; // instructions of a round
const Settings kSlowMemory{"dram.row_hit=300", "dram.row_conflict=300", "dram.bytes_per_cycle=4096"};

std::string two_phases(unsigned rounds) {
    return "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1; mov.u32 %r4, 0;\n"
           "mov.u32 %r2, 0;\n"
           "L: ld.global.u32 %r3, [%rd2]; add.s64 %rd2, %rd2, 4096;\n" +
           times(kPhase - 5, "add.u32 %r2, %r2, %r3;\n") + "add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, " +
           std::to_string(rounds) + "; @%p4 bra L; ret;";
}

// Round-robin: 32 warps come to their loads one after the other, so the first goes on a latency after its load, and 7
// cycles of the pipeline. Two-level: 24 other warps have 24 x 20 instructions, more than the latency: no slot is empty.
TEST(TwoPhases, FetchGroups) {
    const Case loads{two_phases, 1024, 1, kSlowMemory};
    const double rr = loads.cycles_of_a_round({"core.scheduler=rr"});
    for (const char* group : {"two-level.group=8", "two-level.group=16"})
        expect_gain(rr, loads.cycles_of_a_round({"core.scheduler=two-level", group}), 32 * (kPhase - 1) + kLatency + 7,
                    32 * kPhase);
}

// ---- imbalance: one block more than fit ----

// A warp alone issues every 7th cycle. 13 blocks of a warp share the slots of the pipeline, and the 14th comes when
// they end. Round-robin: all 13 end together, then the last runs alone, 13 + 7 cycles an instruction. By progress: 7
// run at full rate to their end, then the other 7: 7 + 7.
TEST(Imbalance, ProgressFirst) {
    const auto chain = [](unsigned rounds) {
        return "mov.u32 %r1, 0;\nL:\n" + times(97, "add.u32 %r2, %r1, %r1;\n") +
               "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " + std::to_string(rounds) + "; @%p1 bra L; ret;";
    };
    const Case blocks{chain, 32, 14, {"core.blocks=13"}};
    expect_gain(blocks.cycles_of_a_round({"core.scheduler=lrr"}), blocks.cycles_of_a_round({"core.scheduler=pro"}),
                100 * (13 + 7), 100 * (7 + 7));
}

// ---- gather: of two threads one misses in even rounds, the other in odd ones ----

constexpr unsigned kWork = 30; // additions with the loaded word

std::string gather(unsigned rounds) {
    return "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd1, %r1, 4, %rd1; mov.u32 %r4, 0;\n"
           "mov.u32 %r2, 0; mov.u32 %r6, 64;\n"
           "L: add.u32 %r5, %r4, %r1; and.b32 %r5, %r5, 1; mul.lo.u32 %r5, %r5, %r6; mad.wide.u32 %rd2, %r5, 1, %rd1;\n"
           "ld.global.u32 %r3, [%rd2]; add.u32 %r6, %r6, 64;\n" +
           times(kWork, "add.u32 %r2, %r2, %r3;\n") + "add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, " +
           std::to_string(rounds) + "; @%p4 bra L; ret;";
}

double wpu_cycles_of_a_round(const std::function<std::string(unsigned)>& body, std::uint32_t threads, Settings settings,
                             unsigned few, unsigned many) {
    settings.emplace_back("icache.size=16KiB");
    return static_cast<double>(run_wpu(body(many), threads, 2, settings).cycles -
                               run_wpu(body(few), threads, 2, settings).cycles) /
           (many - few);
}

// A warp waits in every round: 9 + 30 instructions, of which the load's cycle is in the miss. Divided, a thread waits
// in every second round, and the other one's wait is beside it: in two rounds 2 x 39 instructions, a miss and a hit.
TEST(Gather, WarpSubdivision) {
    constexpr double kRound = 9 + kWork;
    const double conventional = wpu_cycles_of_a_round(gather, 2, {"core.formation=pdom"}, 40, 120);
    for (const char* split : {"maws.split=aggress", "maws.split=lazy", "maws.split=latspec"}) {
        SCOPED_TRACE(split);
        expect_gain(conventional, wpu_cycles_of_a_round(gather, 2, {"core.formation=maws", split}, 40, 120),
                    kRound - 1 + kMiss, ((2 * kRound - 1) + kMiss + kHit) / 2);
    }
}

// ---- three warps: one misses every 20 instructions, two every 200; a turn lasts until an access ----

// A round of the test is 10 rounds of the short warp and 2.5 of each long one.
std::string unequal(unsigned rounds) {
    const auto loop = [](const std::string& name, unsigned instructions, unsigned n) {
        return name + ": ld.global.u32 %r3, [%rd2]; add.s64 %rd2, %rd2, 64;\n" +
               times(instructions - 5, "add.u32 %r2, %r2, %r3;\n") + "add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, " +
               std::to_string(n) + "; @%p4 bra " + name + "; ret;\n";
    };
    return "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; shr.u32 %r5, %r1, 1; mul.wide.u32 %rd2, %r5, 16384;\n"
           "add.s64 %rd2, %rd2, %rd1; mov.u32 %r4, 0; mov.u32 %r2, 0; setp.ne.u32 %p1, %r5, 0; @%p1 bra LONG;\n" +
           loop("SHORT", 20, 10 * rounds) + loop("LONG", 200, 5 * rounds / 2);
}

// In turn the short warp has a turn in 20 + 2 x 200 cycles. Shallowest first it has one after each turn of a long warp,
// 220 cycles. When the long warps are through, 2.5 rounds each, it goes on alone, every 20 + 100 cycles.
TEST(Unequal, ShallowestWarpFirst) {
    const Settings maws{"core.formation=maws", "maws.split=none"};
    const auto with = [&](const char* scheduler) {
        Settings settings = maws;
        settings.emplace_back(scheduler);
        return wpu_cycles_of_a_round(unequal, 6, settings, 4, 12);
    };
    expect_gain(with("core.scheduler=rr"), with("core.scheduler=swf"), 2.5 * 420 + (10 - 2.5) * 120,
                5 * 220 + (10 - 5) * 120);
}

} // namespace
} // namespace heddle::runtime::test
