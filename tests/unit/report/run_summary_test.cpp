// The summary of a run, the shares of the machine's peaks in it, and its rules of thumb.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "report/advice.h"
#include "report/json.h"
#include "report/peak.h"
#include "report/run_summary.h"
#include "report/text.h"
#include "sample.h"

namespace heddle::report::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using Json = nlohmann::ordered_json;

Json config() {
    Json out;
    const auto set = [&](const char* key, Json value) { out[key]["value"] = std::move(value); };
    set("gpu.sms", 2);
    set("core.model", "scoreboard");
    set("core.width", 4);
    set("core.threads", 32); // 8 warps of 4
    set("core.clock_mhz", 500);
    set("scoreboard.schedulers", 2);
    set("pipe.dp.width", 0);
    set("pipe.dp.shared", true);
    set("pipe.sfu.width", 1);
    set("pipe.sfu.shared", false);
    set("pipe.sp.width", 1);
    set("pipe.sp.shared", true);
    set("dcache.line", 128);
    set("dcache.banks", 0);
    set("interconnect.kind", "crossbar");
    set("llc.size", 1024);
    set("llc.slices", 2);
    set("llc.line", 128);
    set("llc.clock_mhz", 1000);
    set("dram.model", "timed");
    set("dram.channels", 1);
    set("dram.bus_bytes", 8);
    set("dram.data_per_clock", 2);
    set("dram.clock_mhz", 250);
    return out;
}

// 1000 cycles of two SMs with one issue slot: 2000 slots, of which 800 carry 1 or 4 of 4 lanes.
KernelSummary kernel(std::string name) {
    KernelSummary out;
    out.name = std::move(name);
    out.grid = {64, 2, 1};
    out.block = {8, 1, 1};
    out.launches = out.timed_launches = 1;
    out.registers = 20;
    out.blocks_per_sm = 4;
    out.limited_by = "threads";
    out.counts = {1000,
                  800,
                  2000,
                  2.0,
                  {1200, 400, 0, 0, 400},
                  {{"issued", 800}, {"fetch", 5}, {"barrier", 195}, {"sb_dram", 1000}}};
    out.traffic.warp_cycles = 4800;
    out.traffic.occupied_cycles = 1600;
    out.traffic.lines = 300;
    out.traffic.constant_lines = 100;
    out.traffic.shared_cycles = 500;
    out.traffic.private_cycles = 200;
    out.traffic.l2_requests = 200;
    out.traffic.dram_bytes = 6800;
    out.traffic.pipe_busy = {400, 500};
    return out;
}

Summary run_of(std::vector<KernelSummary> kernels) {
    Summary out;
    out.machine = "loom";
    out.formation = "pdom";
    out.scheduler = "gto";
    out.status = "complete";
    out.facts = machine_facts(config());
    for (const KernelSummary& one : kernels) {
        out.totals.cycles += one.counts.cycles;
        out.totals.warp_instructions += one.counts.warp_instructions;
    }
    out.kernels = std::move(kernels);
    return out;
}

TEST(MachineFacts, OfTheSettings) {
    const MachineFacts facts = machine_facts(config());
    EXPECT_EQ(facts.warps, 8U);
    ASSERT_EQ(facts.pipes.size(), 2U); // no dp: its width is 0
    EXPECT_EQ(facts.pipes[0].name, "sfu");
    EXPECT_EQ(facts.pipes[0].units, 2U); // one for each of two schedulers
    EXPECT_EQ(facts.pipes[1].units, 1U);
    EXPECT_DOUBLE_EQ(facts.l1_bytes, 256); // 2 SMs x a line
    EXPECT_DOUBLE_EQ(facts.l2_bytes, 512); // 2 slices x a line x 1000 / 500 MHz
    EXPECT_DOUBLE_EQ(facts.dram_bytes, 8); // 8 bytes x 2 x 250 / 500 MHz
    EXPECT_DOUBLE_EQ(facts.time(1000), 2); // us at 500 MHz
}

TEST(MachineFacts, WhatAMachineLacksIsZero) {
    Json few = config();
    few["interconnect.kind"]["value"] = "none"; // each SM has a DRAM of its own
    few["dram.model"]["value"] = "simple";
    few["dram.bytes_per_cycle"]["value"] = 32;
    few["core.model"]["value"] = "barrel";
    few["dcache.banks"]["value"] = 4;
    const MachineFacts facts = machine_facts(few);
    EXPECT_THAT(facts.pipes, IsEmpty());
    EXPECT_EQ(facts.l1_bytes, 0);
    EXPECT_EQ(facts.l2_bytes, 0);
    EXPECT_DOUBLE_EQ(facts.dram_bytes, 64);
    EXPECT_EQ(machine_facts(Json::object()).warps, 0U);
}

TEST(PeakShares, EachIsUseOverTheMost) {
    const std::vector<PeakShare> shares = peak_shares(kernel("k"), machine_facts(config()));
    const std::vector<std::pair<std::string, double>> expected = {
        {"issue slots", 0.4},     // 800 of 2000
        {"pipe sfu", 0.1},        // 400 of 1000 x 2 SMs x 2 units
        {"pipe sp", 0.25},        // 500 of 2000
        {"load/store unit", 0.5}, // 300 look-ups and 700 cycles of banks of 2000 cycles
        {"L1 bandwidth", 0.1},    // 200 lines of 2000
        {"L2 bandwidth", 0.05},   // 200 of 1000 cycles x 2 slices x 2 clocks
        {"DRAM bandwidth", 0.85}, // 6800 of 8000 bytes
    };
    ASSERT_EQ(shares.size(), expected.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        EXPECT_EQ(shares[i].name, expected[i].first);
        EXPECT_DOUBLE_EQ(shares[i].share, expected[i].second) << shares[i].name;
    }
    EXPECT_DOUBLE_EQ(shares[6].rate, 3.4); // 6.8 bytes a cycle at 500 MHz
    EXPECT_DOUBLE_EQ(shares[6].most, 4);
    KernelSummary untimed = kernel("k");
    untimed.counts.cycles = 0;
    EXPECT_THAT(peak_shares(untimed, machine_facts(config())), IsEmpty());
}

TEST(RunSummary, OneKernel) {
    EXPECT_EQ(run_summary(run_of({kernel("_Z5sweepPfS_i")}), true),
              "machine loom (default; -m NAME selects another), formation pdom, scheduler gto\n"
              "\n"
              "sweep\n"
              "  1 launch, grid 64 x 2, block 8\n"
              "  2.0 \u00b5s, 1,000 cycles, IPC 2.0\n"
              "  occupancy  37.5 % of 8 warps, 100.0 % possible: 4 blocks of 2 warps, by the threads of an SM\n"
              "  lanes      2.5 of 4 active in an instruction (62.5 %)\n"
              "  issue slots\n"
              "    waits for DRAM                          50.0 %  (sb_dram)\n"
              "    issued                                  40.0 %\n"
              "    waits at a barrier                       9.8 %  (barrier)\n"
              "  share of the machine's peak\n"
              "    issue slots                             40.0 %\n"
              "    pipe sfu                                10.0 %\n"
              "    pipe sp                                 25.0 %\n"
              "    load/store unit                         50.0 %\n"
              "    L1 bandwidth                            10.0 %  12.8 of 128.0 GB/s\n"
              "    L2 bandwidth                             5.0 %  12.8 of 256.0 GB/s\n"
              "    DRAM bandwidth                          85.0 %  3.4 of 4.0 GB/s\n"
              "  > DRAM bandwidth is at 85.0 % of its peak and bounds the kernel: move fewer bytes, or use them\n"
              "    again on the chip\n"
              "  > 50.0 % of the slots wait for memory at an occupancy of 37.5 % (there are not enough blocks):\n"
              "    more resident warps would hide more of it\n"
              "\n"
              "simulated 800 warp instructions in 0.00 s: 0/s; peak memory 0 MB\n");
    EXPECT_THAT(run_summary(run_of({kernel("k")}), false), StartsWith("machine loom, formation"));
}

TEST(RunSummary, TheLongestKernelsAndHowManyMore) {
    std::vector<KernelSummary> kernels;
    for (int k = 0; k < 8; ++k) {
        kernels.push_back(kernel("k" + std::to_string(k)));
        kernels.back().counts.cycles = k < 5 ? 1800 : 1000; // 5 x 1800 of 12000
    }
    const std::string text = run_summary(run_of(std::move(kernels)), false);
    EXPECT_THAT(text, AllOf(HasSubstr("8 kernels, 8 launches: 24.0 \u00b5s, 12,000 cycles"),
                            HasSubstr("\nk0  15.0 % of the time\n"), HasSubstr("\nk4  15.0 %"), Not(HasSubstr("\nk5")),
                            HasSubstr("\nand 3 more, 25.0 % of the time (--view kernels)\n")));
}

TEST(RunSummary, NoLineIsLong) {
    KernelSummary long_name = kernel("_ZN3lib5inner31a_rather_long_name_for_a_kernelINS0_6policyIfiE4typeES4_EEvPf");
    long_name.grid = {2147483647, 65535, 65535};
    long_name.counts.stalls = {{"sb_on_chip", 500}, {"mshr_merge_full", 500}, {"port_full", 500}, {"issued", 500}};
    Summary run = run_of({long_name, kernel("other")});
    run.formation = run.scheduler = std::string(60, 'x');
    const std::string text = run_summary(run, true);
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
        EXPECT_LE(characters(text.substr(at, end - at)), kTextWidth) << text.substr(at, end - at);
}

TEST(RunSummary, SaysHowTheRunEnded) {
    Summary run = run_of({kernel("k")});
    EXPECT_THAT(run_summary(run, false), Not(HasSubstr("up to there")));
    run.status = "max_cycles";
    EXPECT_THAT(run_summary(run, false),
                HasSubstr("\nstopped at the limit of cycles: these are the results up to there\n"));
    run.kernels.clear();
    EXPECT_THAT(run_summary(run, false), HasSubstr("\nno kernel was launched\n"));
}

TEST(RunSummary, WithoutTiming) {
    KernelSummary untimed = kernel("k");
    untimed.timed_launches = 0;
    untimed.counts.cycles = 0;
    untimed.counts.active_lanes[0] = 0;
    untimed.traffic = {};
    const std::string text = run_summary(run_of({untimed}), false);
    EXPECT_THAT(text, AllOf(HasSubstr("  not timed, 800 warp instructions, 2,000 thread instructions\n"),
                            HasSubstr("  lanes      2.5 of 4"), Not(HasSubstr("peak\n")), Not(HasSubstr("issue slots")),
                            Not(HasSubstr("occupancy")), Not(HasSubstr("> "))));
}

// Launches of one kernel are summed; those without timing count only where none was timed.
TEST(Summary, HasTheTrafficOfTimedLaunches) {
    RunResult run = sample_run();
    const Summary all = read_summary(to_json(run));
    EXPECT_EQ(all.kernels[0].grid, (Dim3{2, 1, 1}));
    EXPECT_TRUE(all.kernels[0].same_shape);
    run.kernels[2].grid = {3, 1, 1};
    EXPECT_FALSE(read_summary(to_json(run)).kernels[0].same_shape);
}

std::string first_advice(const KernelSummary& kernel) {
    const auto all = advice(kernel, machine_facts(config()), 1);
    return all.empty() ? "" : all.front();
}

// A kernel without any trouble: half of the slots issue, from all lanes of many warps.
KernelSummary fine() {
    KernelSummary out = kernel("k");
    out.counts.active_lanes = {1000, 0, 0, 0, 1000};
    out.counts.stalls = {{"issued", 1000}, {"sb_alu", 1000}};
    out.traffic = {};
    out.traffic.warp_cycles = 8 * 1600;
    out.traffic.occupied_cycles = 1600;
    return out;
}

TEST(Advice, NoneWithoutAReason) {
    EXPECT_THAT(advice(fine(), machine_facts(config()), 9), IsEmpty());
    KernelSummary untimed = fine();
    untimed.counts.cycles = 0;
    EXPECT_THAT(advice(untimed, machine_facts(config()), 9), IsEmpty());
}

TEST(Advice, FewWarpsByRegisters) {
    KernelSummary k = fine();
    k.counts.stalls = {{"issued", 1000}, {"sb_llc", 1000}};
    k.traffic.warp_cycles = 2 * 1600; // 2 of 8
    k.blocks_per_sm = 1;
    k.limited_by = "registers";
    EXPECT_THAT(first_advice(k),
                HasSubstr("50.0 % of the slots wait for memory at an occupancy of 25.0 % (registers limit "
                          "it, 20 a thread)"));
    k.counts.stalls = {{"issued", 1610}, {"sb_llc", 390}}; // under 20 %
    EXPECT_EQ(first_advice(k), "");
}

TEST(Advice, FewLanes) {
    KernelSummary k = fine();
    k.counts.active_lanes = {1000, 1000, 0, 0, 0};
    k.traffic.branches = 100;
    k.traffic.divergent_branches = 30;
    EXPECT_EQ(first_advice(k),
              "1.0 of 4 lanes are active in an instruction: 30.0 % of the conditional branches divide a warp");
    k.block = {2, 1, 1};
    EXPECT_EQ(first_advice(k),
              "1.0 of 4 lanes are active in an instruction: a block of 2 threads does not fill a warp");
}

// 100 accesses of 4 threads x 4 bytes that touch 4 lines of 128 bytes each: 32 times the bytes.
TEST(Advice, ScatteredAccesses) {
    KernelSummary k = fine();
    k.counts.stalls = {{"issued", 1000}, {"pipe_ldst", 1000}};
    k.traffic.accesses = 100;
    k.traffic.lines = 400;
    k.traffic.bytes = 1600;
    EXPECT_THAT(first_advice(k),
                StartsWith("an access to memory touches 4.0 lines of 128 bytes, 32.0 times the bytes"));
    k.traffic.lines = 100; // one line each: broadcasts or single words
    EXPECT_EQ(first_advice(k), "");
}

TEST(Advice, BankConflicts) {
    KernelSummary k = fine();
    k.traffic.shared_accesses = 100;
    k.traffic.shared_cycles = 400; // of 2000 cycles
    EXPECT_THAT(first_advice(k), AllOf(StartsWith("an access to shared memory takes 4.0 cycles of the banks"),
                                       HasSubstr("20.0 % of the kernel's")));
    k.traffic.shared_accesses = 200; // 2 cycles: 8 bytes a thread take as many
    EXPECT_EQ(first_advice(k), "");
}

TEST(Advice, BarriersAndEmptySms) {
    KernelSummary k = fine();
    k.counts.stalls = {{"issued", 1000}, {"barrier", 200}, {"empty", 800}};
    k.grid = {5, 1, 1};
    const auto all = advice(k, machine_facts(config()), 9);
    ASSERT_EQ(all.size(), 2U); // the larger first
    EXPECT_EQ(all[0],
              "40.0 % of the slots are of SMs whose blocks have ended while others still run: 5 blocks for 2 SMs "
              "with room for 4 each; blocks of equal work, or more and smaller ones, shorten that");
    EXPECT_THAT(all[1], StartsWith("10.0 % of the slots wait at a barrier"));
    k.grid = {1, 1, 1};
    EXPECT_EQ(first_advice(k), "40.0 % of the slots are of SMs without a block: 1 block for 2 SMs");
}

} // namespace
} // namespace heddle::report::test
