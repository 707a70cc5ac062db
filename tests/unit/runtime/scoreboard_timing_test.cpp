// Cycle counts of gtx480 that follow from its parameters (machines/gtx480.toml). Each is the slope between a shorter
// and a longer program: what comes before and after is the same in both.
//
// An instruction with k register operands issues at t. It reads them at t + 2 ... t + 2 + k - 1 (one a cycle), begins
// to execute 3 cycles behind the last read, gives its result after its latency, and writes it a cycle later. So what
// depends on it issues
//      2 + (k - 1) + 3 + latency + 1 = latency + k + 5   cycles later; k may be 0.
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

std::string repeated(const std::string& line, unsigned times) {
    std::string out;
    for (unsigned i = 0; i < times; ++i)
        out += line + "\n";
    return out;
}

// Executes `body` twice, so that its code is in the instruction cache; gives the time of the second pass as its first
// thread reads it from %clock64, which is the cycle of issue.
Cycle clocked(const std::string& prelude, const std::string& body, std::uint32_t threads = 1,
              const std::vector<std::string>& settings = {}) {
    const std::string program = "ld.param.u64 %rd1, [x]; mov.u32 %r1, 1; mov.u32 %r2, 3; mov.u32 %r50, 0;\n"
                                "mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000;\n" +
                                prelude + "\nagain: bar.sync 0; mov.u64 %rd60, %clock64;\n" + body +
                                "mov.u64 %rd61, %clock64; add.u32 %r50, %r50, 1; setp.lt.u32 %p7, %r50, 2;\n"
                                "@%p7 bra again;\nsub.u64 %rd62, %rd61, %rd60; mov.u32 %r51, %tid.x;\n"
                                "setp.eq.u32 %p6, %r51, 0; @%p6 st.global.u64 [%rd1], %rd62; ret;";
    std::vector<std::string> all{"gpu.sms=1"};
    all.insert(all.end(), settings.begin(), settings.end());
    const KernelRun run = run_kernel_on({.machine = "gtx480", .settings = all}, program, threads);
    return run.words[0];
}

// Cycles an instruction of a chain in which each depends on the one before.
double chain(const std::string& line, const std::string& prelude = "") {
    return static_cast<double>(clocked(prelude, repeated(line, 120)) - clocked(prelude, repeated(line, 40))) / 80.0;
}

TEST(Gtx480Chains, LatencyPlusOperandsPlusFive) {
    EXPECT_EQ(chain("mov.u32 %r1, %r1;"), 1 + 1 + 5);
    EXPECT_EQ(chain("add.u32 %r1, %r1, 7;"), 4 + 1 + 5);
    EXPECT_EQ(chain("add.u32 %r1, %r1, %r2;"), 4 + 2 + 5);
    EXPECT_EQ(chain("mad.lo.u32 %r1, %r1, %r2, %r1;"), 5 + 3 + 5);
    EXPECT_EQ(chain("mul.lo.u32 %r1, %r1, %r2;"), 4 + 2 + 5);
    EXPECT_EQ(chain("max.u32 %r1, %r1, %r2;"), 13 + 2 + 5);
    EXPECT_EQ(chain("div.u32 %r1, %r1, %r2;"), 145 + 2 + 5);
    EXPECT_EQ(chain("add.f32 %f1, %f1, %f2;"), 4 + 2 + 5);
    EXPECT_EQ(chain("fma.rn.f32 %f1, %f1, %f2, %f1;"), 5 + 3 + 5);
    EXPECT_EQ(chain("div.rn.f32 %f1, %f1, %f2;"), 39 + 2 + 5);
    EXPECT_EQ(chain("rcp.approx.f32 %f1, %f1;"), 8 + 1 + 5);
    EXPECT_EQ(chain("shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;"), 32 + 1 + 5);
}

TEST(Gtx480Chains, DoublePrecision) { // a 64-bit register is one operand
    const std::string prelude = ".reg .f64 %d<4>; mov.f64 %d1, 0d3FF0000000000000; mov.f64 %d2, %d1;";
    EXPECT_EQ(chain("add.rn.f64 %d1, %d1, %d2;", prelude), 8 + 2 + 5);
    EXPECT_EQ(chain("max.f64 %d1, %d1, %d2;", prelude), 19 + 2 + 5);
    EXPECT_EQ(chain("div.rn.f64 %d1, %d1, %d2;", prelude), 330 + 2 + 5);
}

// 16 x 8 x 8 multiply-adds are 32 a lane, four at once: 8 cycles of what an fma takes in one, 5. Five of the seven
// operands are read before.
const std::string kProduct =
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, ";

TEST(Gtx480Chains, MatrixProducts) {
    const std::string zero = "mov.u32 %r3, 0; mov.f32 %f3, 0f00000000; mov.f32 %f4, %f3;";
    EXPECT_EQ(chain(kProduct + "{%f1, %f2, %f3, %f4};", zero), (5 + 7) + 5 + 5);
    // Of tf32 two at once: 16 cycles.
    EXPECT_EQ(chain("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r1, %r2}, "
                    "{%r3, %r3}, {%f1, %f2, %f3, %f4};",
                    zero),
              (5 + 15) + 5 + 5);
}

// 8 x 8 x 4 multiply-adds of f64 are 8 a lane, one after the other where fma.f64 is done, which takes one in 8 cycles.
TEST(Gtx480Chains, MatrixProductsOfDoublePrecision) {
    const std::string prelude = ".reg .f64 %d<4>; mov.f64 %d1, 0d3FF0000000000000; mov.f64 %d2, %d1; mov.f64 %d3, %d1;";
    EXPECT_EQ(chain("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %d2}, {%d3}, {%d3}, {%d1, %d2};", prelude),
              (8 + 7 * 8) + 4 + 5);
}

// k = 1; the load/store unit has the access 5 cycles after issue and the data are there 26 (35) cycles later.
TEST(Gtx480Chains, SharedMemoryAndL1) {
    const std::string zero = ".shared .align 8 .b8 s[64]; mov.u32 %r4, s; st.shared.u32 [%r4], %r4;";
    EXPECT_EQ(chain("ld.shared.u32 %r4, [%r4];", zero), 5 + 26);
    const std::string self = "add.u64 %rd3, %rd1, 1024; st.global.u64 [%rd3], %rd3;";
    EXPECT_EQ(chain("ld.global.u64 %rd3, [%rd3];", self), 5 + 35);
}

// 256 lines in turn, 128 bytes apart: the second pass finds them in the L2 (768 KB) and not in the L1 (16 KB). The load
// leaves for the network 5 cycles after issue (k = 1), is 8 cycles on the link and 1 + 1 + 1 in the network (a request
// is one flit of 40 bytes), 120 in the slice, 1 + 1 + 4 on its way back (136 bytes are four flits), 8 on the link; the
// L1's 35 are paid when it has come. The address of the next one depends on it by two adds of two registers, 4 + 2 + 5
// each. The loop's counting is done while the load is away.
TEST(Gtx480Chains, L2) {
    const std::string body = "mov.u64 %rd3, %rd1; mov.u32 %r5, 0;\n"
                             "next: ld.global.u64 %rd4, [%rd3+4096]; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 256;\n"
                             "add.u64 %rd3, %rd3, %rd4; add.u64 %rd3, %rd3, %rd5; @%p1 bra next;\n";
    const double turn = (5 + 8 + 3 + 120 + 6 + 8 + 35) + 2 * (4 + 2 + 5);
    EXPECT_NEAR(static_cast<double>(clocked("mov.u64 %rd5, 128;", body)) / 256.0, turn, 0.2);
}

// Cycles an instruction in a stream of them, from `threads` threads. DST stands for one of sixteen registers in turn,
// which are all needed at the end: else each would wait for the one before to write the same register.
double stream(const std::string& line, std::uint32_t threads, const std::string& prelude = "",
              const std::vector<std::string>& settings = {}, const std::string& registers = "%r",
              const std::string& use = "xor.b32 %r3, %r3, DST;") {
    const auto numbered = [&](const std::string& text, unsigned i) {
        std::string out = text;
        return out.replace(out.find("DST"), 3, registers + std::to_string(20 + i % 16));
    };
    const auto time = [&](unsigned n) {
        std::string body;
        for (unsigned i = 0; i < n; ++i)
            body += numbered(line, i) + "\n";
        for (unsigned i = 0; i < 16; ++i)
            body += numbered(use, i) + "\n";
        return clocked(prelude, body + "bar.sync 0;\n", threads, settings);
    };
    return static_cast<double>(time(144) - time(48)) / (96.0 * threads / 32);
}

const std::string kUseFloat = "add.f32 %f3, %f3, DST;";
const std::string kDoubles = ".reg .f64 %d<40>; mov.f64 %d1, 0d3FF0000000000000; mov.f64 %d2, %d1; mov.f64 %d3, %d1;";

// 32 warps keep every unit busy.
TEST(Gtx480Throughput, EachUnitTakesAnInstructionAnInterval) {
    EXPECT_NEAR(stream("mov.u32 DST, 7;", 1024), 0.5, 0.01);    // two schedulers, two SP units
    EXPECT_NEAR(stream("max.u32 DST, %r1, 7;", 1024), 1, 0.02); // 2 cycles in each of two SP units
    EXPECT_NEAR(stream("mul.lo.u32 DST, %r1, 7;", 1024), 1, 0.02);
    EXPECT_NEAR(stream("rcp.approx.f32 DST, %f1;", 1024, "", {}, "%f", kUseFloat), 8, 0.01); // one SFU
    EXPECT_NEAR(stream("div.u32 DST, %r1, %r2;", 512), 8, 0.01);
    EXPECT_NEAR(stream("div.rn.f32 DST, %f1, %f2;", 1024, "", {}, "%f", kUseFloat), 4, 0.01);
    EXPECT_NEAR(stream("add.rn.f64 DST, %d1, %d2;", 512, kDoubles, {}, "%d", "add.rn.f64 %d3, %d3, DST;"), 8, 0.01);
    EXPECT_NEAR(stream("shfl.sync.bfly.b32 DST, %r1, 1, 31, -1;", 1024), 2, 0.01); // 4 cycles in each of two
}

TEST(Gtx480Throughput, MatrixProducts) { // 8 cycles in each of two SP units
    const std::string zero = "mov.u32 %r3, 0;";
    const std::string line =
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1, DST}, {%r2, %r2}, {%r2}, {%r3, %r3};";
    EXPECT_NEAR(stream(line, 1024, zero), 4, 0.02);
}

// Both operands of warp w lie in banks b + w and b + 1 + w (colouring gives the two registers neighbouring numbers):
// where warps w and w + 1 issue together, both read bank b + 1 + w, which is free for one of them.
TEST(Gtx480Throughput, RegisterBankConflicts) {
    EXPECT_NEAR(stream("add.u32 DST, %r1, %r2;", 64), 1, 0.01);
    EXPECT_NEAR(stream("add.u32 DST, %r1, %r2;", 64, "", {"scoreboard.register_banks=1"}), 2, 0.1);
}

TEST(Gtx480Throughput, LoadStoreUnit) {
    const std::string s =
        ".shared .align 8 .b8 s[8192]; mov.u32 %r4, %tid.x; mul.lo.u32 %r5, %r4, 4; mov.u32 %r6, s; "
        "add.u32 %r5, %r5, %r6; mul.lo.u32 %r7, %r4, 8; and.b32 %r7, %r7, 255; add.u32 %r7, %r7, %r6; "
        "mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd1, %rd5; add.u64 %rd5, %rd5, 1024;";
    // Its five places (two collector units, three latches) are just enough for the five cycles from issue to the unit:
    // a read that finds its bank taken shows (here up to one in ten).
    EXPECT_NEAR(stream("ld.shared.u32 DST, [%r5];", 512, s), 1.05, 0.05);
    EXPECT_NEAR(stream("ld.shared.u32 DST, [%r7];", 512, s), 2, 0.01);     // words 2 apart: two of a bank
    EXPECT_NEAR(stream("ld.global.u32 DST, [%rd5];", 512, s), 1.05, 0.05); // hits: a line a cycle
}

// One warp has two instructions fetched at once into its empty buffer, decoded in the next cycle, and issues them in
// the two that follow; the fetch of the next two is in the cycle of the second issue: 3 cycles for two instructions. A
// warp of the other scheduler does the same in the cycles between: a fetch a cycle is enough for both.
TEST(Gtx480Issue, OneWarpAndTwo) {
    EXPECT_NEAR(stream("add.u32 DST, %r1, 7;", 32), 1.5, 0.01);
    EXPECT_NEAR(stream("add.u32 DST, %r1, 7;", 64), 0.75, 0.01);
    // A buffer of 8 empties in 8 cycles and is fetched again in the last of them: 9 cycles for eight.
    EXPECT_NEAR(stream("add.u32 DST, %r1, 7;", 32, "", {"scoreboard.buffer=8"}), 9.0 / 8, 0.02);
}

} // namespace
} // namespace heddle::runtime
