// Cycle counts of mimd on lwm11 worked out by hand from DWF07 Figure 1's premise (any ready thread of any PC on any
// lane), LWM11 Table 1, docs/architecture.md and sm/load_store/bundle.h. lwm11_timing_test.cpp explains the pipeline;
// here
//   start  fetch is ideal: the first threads are fetched in cycle 0
//   7      a thread fetched at f writes back at f + 6 and is fetched again at f + 7
//   memory the bundle is in the memory stage at f + 5; a thread whose line is asked for at m and delivered at m + L is
//          fetched again at m + L + 2

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

constexpr Cycle kStages = 7;

KernelRun run_mimd(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1,
                   std::vector<std::string> settings = {}) {
    settings.emplace_back("core.formation=mimd");
    return run_kernel(body, threads, blocks, settings);
}

std::uint64_t slots_with(const KernelRun& run, std::size_t lanes) {
    return run.result.at("active_lanes").at(lanes).get<std::uint64_t>();
}
std::uint64_t stalls(const KernelRun& run, const char* cause) {
    return run.result.at("stalls").at(cause).get<std::uint64_t>();
}

// Eight dependent instructions, `ret` among them.
const char* const kChain = R"(
    mov.u32 %r1, 1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    ret;)";

TEST(MimdTiming, ThreadsOfAWarpIssueTogether) {
    const KernelRun run = run_mimd(kChain, 32);
    EXPECT_EQ(run.cycles, 8 * kStages);
    EXPECT_EQ(run.result["totals"]["warp_instructions"], 8); // a bundle counts once
    EXPECT_EQ(run.result["totals"]["thread_instructions"], 8 * 32);
    EXPECT_EQ(slots_with(run, 32), 8U);
    EXPECT_EQ(stalls(run, "issued"), 8U);
    EXPECT_EQ(stalls(run, "pipeline"), 8 * kStages - 8);
    EXPECT_EQ(run.counter("dram", "reads"), 0U); // not even for instructions
}

TEST(MimdTiming, NoMoreThreadsACycleThanLanes) {
    // The 33rd thread is fetched a cycle behind the others, each time.
    const KernelRun run = run_mimd(kChain, 33);
    EXPECT_EQ(run.cycles, 8 * kStages + 1);
    EXPECT_EQ(slots_with(run, 32), 8U);
    EXPECT_EQ(slots_with(run, 1), 8U);
}

TEST(MimdTiming, FewerLanesOnANarrowerCore) {
    // 32 threads on 8 lanes: four bundles, a cycle apart.
    const KernelRun run = run_mimd(kChain, 32, 1, {"core.width=8"});
    EXPECT_EQ(run.cycles, 8 * kStages + 3);
    EXPECT_EQ(slots_with(run, 8), 4 * 8U);
}

TEST(MimdTiming, AFullCoreIssuesAFullBundleEveryCycle) {
    const KernelRun run = run_mimd(kChain, 1024);
    EXPECT_EQ(run.cycles, 256 - 1 + kStages);
    EXPECT_EQ(slots_with(run, 32), 256U);
}

// 4 instructions, then 4 of the even threads and 6 of the odd ones.
TEST(MimdTiming, AnIfElseCostsNoMoreThanItsLongerSide) {
    const std::string body = R"(
        mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra ODD;
        add.u32 %r3, %r1, 1; add.u32 %r3, %r3, 1; add.u32 %r3, %r3, 1; ret;
        ODD: sub.u32 %r3, %r1, 1; sub.u32 %r3, %r3, 1; sub.u32 %r3, %r3, 1; sub.u32 %r3, %r3, 1; sub.u32 %r3, %r3, 1;
        ret;)";
    const KernelRun run = run_mimd(body, 32);
    EXPECT_EQ(run.cycles, (4 + 6) * kStages);
    EXPECT_EQ(slots_with(run, 32), 4 + 4U); // both sides share their slots
    EXPECT_EQ(slots_with(run, 16), 2U);
    EXPECT_EQ(run.result["totals"]["thread_instructions"], 32 * 3 + 16 + 16 * 4 + 16 * 6); // 16 jump
}

TEST(MimdTiming, ThreadsOfTwoWarpsAtTwoPcsShareASlot) {
    // Threads 0..31 are fetched in cycles 0, 7, 14, 21, the others a cycle later. The 16 even ones of each arrive at
    // the barrier with their write-backs at 28 + 6 and 29 + 6; from 36 on all 32 go together: setp 36, bra 43, then
    // those of the first warp at one PC and those of the second at another 50, ret 57.
    const std::string body = R"(
        mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 ret;
        bar.sync 0; setp.ge.u32 %p2, %r1, 32; @%p2 bra SECOND;
        add.u32 %r3, %r1, 1; ret;
        SECOND: sub.u32 %r3, %r1, 1; ret;)";
    const KernelRun run = run_mimd(body, 64);
    EXPECT_EQ(run.cycles, 57 + kStages);
    EXPECT_EQ(slots_with(run, 32), 2 * 4 + 4U);
    EXPECT_EQ(slots_with(run, 16), 2U); // at the barrier
}

// %rd2: the thread's address, a word each, in DRAM bank 1.
const std::string kWord = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n";

TEST(MimdTiming, LoadsOfOneLineTakeOnePortSlotAndReturnTogether) {
    const KernelRun run = run_mimd(kWord + "ld.global.u32 %r2, [%rd2+4096]; ret;", 32);
    EXPECT_EQ(run.cycles, 4 * kStages + (5 + 300 + 2));
    EXPECT_EQ(run.counter("data", "lines"), 1U);
    EXPECT_EQ(run.counter("data", "loads"), 1U);      // a bundle
    EXPECT_EQ(run.counter("data", "put_aside"), 32U); // threads
    EXPECT_EQ(run.counter("data", "wait_cycles"), 32 * 300U);
    EXPECT_EQ(run.counter("dcache", "misses"), 1U);
    EXPECT_EQ(run.counter("dcache", "merges"), 0U); // riders need no place in the MSHR entry
}

TEST(MimdTiming, EveryFurtherLineTakesAPortSlot) {
    const auto body = [](const char* bytes) {
        return std::string("ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, ") + bytes +
               ", %rd1;\nld.global.u32 %r2, [%rd2+4096]; ret;";
    };
    const KernelRun two = run_mimd(body("8"), 32, 1, {"dcache.ideal=true"}); // 32 * 8 bytes: two lines of 128
    EXPECT_EQ(two.cycles, 5 * kStages + 1);
    EXPECT_EQ(two.counter("data", "lines"), 2U);
    EXPECT_EQ(stalls(two, "data_port"), 1U);
    const KernelRun all = run_mimd(body("128"), 32, 1, {"dcache.ideal=true"});
    EXPECT_EQ(all.cycles, 5 * kStages + 31);
    EXPECT_EQ(all.counter("dcache", "hits"), 32U);
}

TEST(MimdTiming, LoadsAtTwoPcsOfOneLineShareThePortSlot) {
    const std::string body = kWord + R"(
        and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra ODD;
        ld.global.u32 %r3, [%rd2+4096]; ret;
        ODD: ld.global.u32 %r4, [%rd2+4096]; ret;)";
    const KernelRun run = run_mimd(body, 32, 1, {"dcache.ideal=true"});
    EXPECT_EQ(run.cycles, 8 * kStages);
    EXPECT_EQ(run.counter("data", "lines"), 1U);
    EXPECT_EQ(run.counter("data", "loads"), 1U);
}

TEST(MimdTiming, AReadAndAWriteOfALineAreTwoPortSlots) {
    const std::string body = kWord + R"(
        and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra ODD;
        ld.global.u32 %r3, [%rd2+4096]; ret;
        ODD: st.global.u32 [%rd2+4096], %r1; ret;)";
    const KernelRun run = run_mimd(body, 32, 1, {"dcache.ideal=true"});
    EXPECT_EQ(run.cycles, 8 * kStages + 1);
    EXPECT_EQ(run.counter("data", "lines"), 2U);
    EXPECT_EQ(run.counter("data", "loads"), 1U);
    EXPECT_EQ(run.counter("data", "stores"), 1U);
    EXPECT_EQ(run.words[1024 + 1], 1U);
    EXPECT_EQ(run.words[1024 + 2], 0U);
}

TEST(MimdTiming, AThreadThatHitsGoesOnWhileOthersMiss) {
    // All load line X; then thread 0 again, the others Y beside it. Instruction 6 is fetched at
    //   f = 5 * 7 + (5 + 300 + 2); X is looked up at f + 5, Y at f + 6. Thread 0 goes on at f + 8: bra, 20 adds, ret.
    // The others go on at f + 6 + 100 + 2, bra and ret, and are done first.
    std::string body = R"(
        ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; min.u32 %r2, %r1, 1; setp.eq.u32 %p1, %r1, 0;
        mad.wide.u32 %rd2, %r2, 128, %rd1;
        ld.global.u32 %r3, [%rd1+4096]; ld.global.u32 %r3, [%rd2+4096]; @%p1 bra LONG; ret;
        LONG: )";
    for (int i = 0; i < 20; ++i)
        body += "add.u32 %r1, %r1, 1; ";
    const KernelRun run = run_mimd(body + "ret;", 32);
    EXPECT_EQ(run.cycles, 5 * kStages + (5 + 300 + 2) + 8 + 22 * kStages);
    EXPECT_EQ(run.counter("dcache", "hits"), 1U);
    EXPECT_EQ(run.counter("dcache", "misses"), 2U);
    EXPECT_EQ(run.counter("data", "put_aside"), 32 + 31U);
}

TEST(MimdTiming, AThreadThatWaitsForItsLineWaitsForNoOther) {
    // Thread 0 requests a line of a closed row at f + 5, thread 1 at f + 6 a line of another row of that bank, which is
    // busy: column command of the first after 200 cycles, its data on the bus for 4, 200 for the other row, 100 until
    // the data: 504 after f + 5 (mem/dram/dram.h). Thread 0 has its line at f + 305 and 26 instructions more: it is
    // done at f + 305 + 2 + 182, before thread 1's line comes at f + 509.
    std::string body = R"(
        ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 32768, %rd1; setp.eq.u32 %p1, %r1, 0;
        ld.global.u32 %r3, [%rd2+4096]; @!%p1 ret; )";
    for (int i = 0; i < 24; ++i)
        body += "add.u32 %r1, %r1, 1; ";
    const KernelRun run = run_mimd(body + "ret;", 2);
    EXPECT_EQ(run.cycles, 4 * kStages + 509 + 2 + kStages);
    EXPECT_EQ(run.counter("data", "wait_cycles"), 305 - 6 + 509 - 6U); // the bundle leaves the memory stage at f + 6
}

TEST(MimdTiming, SharedMemoryConflictsCountOverTheBundle) {
    // Word tid / 2 for even threads, `shift` bytes behind it for odd ones.
    const auto body = [](const char* shift) {
        return std::string(R"(.shared .align 4 .b8 s[1024];
            mov.u32 %r1, %tid.x; mov.u32 %r5, s; and.b32 %r2, %r1, 1; shr.u32 %r3, %r1, 1; mad.lo.u32 %r3, %r3, 4, %r5;
            setp.eq.u32 %p1, %r2, 1; @%p1 bra ODD;
            ld.shared.u32 %r4, [%r3]; ret;
            ODD: st.shared.u32 [%r3+)") +
               shift + "], %r1; ret;";
    };
    EXPECT_EQ(run_mimd(body("64"), 32).cycles, 9 * kStages); // the other 16 banks
    const KernelRun run = run_mimd(body("128"), 32);         // the same 16 banks
    EXPECT_EQ(run.cycles, 9 * kStages + 1);
    EXPECT_EQ(stalls(run, "bank_conflict"), 1U);
    EXPECT_EQ(run.counter("data", "shared_accesses"), 1U);
    EXPECT_EQ(run.counter("data", "shared_cycles"), 2U);
    EXPECT_EQ(run_mimd(body("0"), 32).cycles, 9 * kStages); // the same words
}

TEST(MimdTiming, WordsOfTwoBlocksAreDifferentWords) {
    // Two blocks of 16 threads make up one bundle; word 0..15 of each window lies in the same banks.
    const KernelRun run = run_mimd(".shared .align 4 .b8 s[1000];\n mov.u32 %r1, %tid.x; mov.u32 %r2, s;\n"
                                   "mad.lo.u32 %r2, %r1, 4, %r2; ld.shared.u32 %r3, [%r2]; ret;",
                                   16, 2);
    EXPECT_EQ(slots_with(run, 32), 5U);
    EXPECT_EQ(run.cycles, 5 * kStages + 1);
}

TEST(MimdTiming, PrivateMemoryHasABankAHomeLane) {
    const char* const body = ".local .align 8 .b8 l[64];\n mov.u32 %r2, l; ld.local.u32 %r1, [%r2]; ret;";
    EXPECT_EQ(run_mimd(body, 32).cycles, 3 * kStages);
    EXPECT_EQ(run_mimd(body, 16, 2).cycles, 3 * kStages + 1); // two threads on each of 16 lanes
}

TEST(MimdTiming, OnChipMemoriesServeABundleSideBySide) {
    // Even threads read shared memory in a bank of their own, odd ones a line of the data cache.
    const KernelRun run = run_mimd(".shared .align 4 .b8 s[1024];\n" + kWord + R"(
        and.b32 %r2, %r1, 1; mov.u32 %r3, s; mad.lo.u32 %r3, %r1, 4, %r3; setp.eq.u32 %p1, %r2, 1; @%p1 bra ODD;
        ld.shared.u32 %r4, [%r3]; ret;
        ODD: ld.global.u32 %r4, [%rd2+4096]; ret;)",
                                   32, 1, {"dcache.ideal=true"});
    EXPECT_EQ(run.cycles, 10 * kStages);
    EXPECT_EQ(run.counter("data", "lines"), 1U);
    EXPECT_EQ(run.counter("data", "shared_accesses"), 1U);
}

TEST(MimdTiming, ABankedDataCacheServesWordsOfTheBundle) {
    // 8 banks of 4 bytes: 32 consecutive words, four to a bank. Stride 2: four banks only, eight words to each.
    const auto body = [](const char* bytes) {
        return std::string("ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, ") + bytes +
               ", %rd1;\nld.global.u32 %r2, [%rd2+4096]; ret;";
    };
    const std::vector<std::string> banked = {"dcache.ideal=true", "dcache.banks=8"};
    const KernelRun run = run_mimd(body("4"), 32, 1, banked);
    EXPECT_EQ(run.cycles, 5 * kStages + 3);
    EXPECT_EQ(run.counter("data", "bank_conflicts"), 3U);
    EXPECT_EQ(run_mimd(body("8"), 32, 1, banked).cycles, 5 * kStages + 7);
    // 8 lines in 8 banks, a word each: looked up side by side.
    EXPECT_EQ(run_mimd(body("132"), 8, 1, banked).cycles, 5 * kStages);
}

TEST(MimdTiming, AtomicsOnOneWordAreOneRequest) {
    const KernelRun run = run_mimd("ld.param.u64 %rd1, [x]; atom.global.add.u32 %r1, [%rd1+4096], 1; ret;", 32);
    EXPECT_EQ(run.counter("dram", "atomics"), 1U);
    EXPECT_EQ(run.counter("data", "atomics"), 1U);
    EXPECT_EQ(run.words[1024], 32U);
}

TEST(MimdTiming, StoresThatAreSentOnGoALineAtATimeAndFencesWaitForThem) {
    // The store is in the memory stage at f + 5 and takes 300 cycles (a closed row). The fence behind it is there at
    // f + 7 + 5, leaves at the answer's f + 305 and returns as a miss does: ret goes on at f + 305 + 2.
    const KernelRun run =
        run_mimd(kWord + "st.global.u32 [%rd2+4096], %r1; fence.acq_rel.gpu; ret;", 32, 1, {"dcache.write=evict"});
    EXPECT_EQ(run.counter("data", "stores_sent"), 1U);
    EXPECT_EQ(run.counter("data", "stores"), 1U);
    EXPECT_EQ(run.counter("data", "fences"), 32U); // threads
    EXPECT_EQ(run.cycles, 3 * kStages + 305 + 2 + kStages);
}

// Threads that come back from memory meet a chain of ALU instructions, which writes back every 7 cycles: over 7
// latencies that follow each other exactly one meets it.
std::uint64_t contention(std::uint32_t threads, const char* loading) {
    std::string body = kWord + "setp.ge.u32 %p1, %r1, " + loading + "; @%p1 bra CHAIN;\n" +
                       "ld.global.u32 %r2, [%rd1+4096]; ret;\nCHAIN: ";
    for (int i = 0; i < 60; ++i)
        body += "add.u32 %r1, %r1, 1; ";
    std::uint64_t cycles = 0;
    for (int latency = 300; latency < 307; ++latency)
        cycles += stalls(run_mimd(body + "ret;", threads, 1,
                                  {"core.shared_write_back=true", "dram.row_conflict=" + std::to_string(latency)}),
                         "write_back");
    return cycles;
}

TEST(MimdTiming, ThePipelineStandsOnlyWhenWriteBackHasTooFewLanes) {
    EXPECT_EQ(contention(64, "32"), 1U); // 32 from memory, 32 in the pipeline
    EXPECT_EQ(contention(32, "16"), 0U); // 16 and 16 fit
    EXPECT_EQ(contention(33, "16"), 0U);
}

TEST(MimdTiming, SlotCausesAddUpToTheCycles) {
    const std::string body = kWord + R"(
        ld.global.u32 %r2, [%rd2+4096]; and.b32 %r3, %r1, 3; setp.eq.u32 %p1, %r3, 0; @%p1 bra L;
        st.global.u32 [%rd2+8192], %r2; L: bar.sync 0; ret;)";
    const KernelRun run = run_mimd(body, 256, 8);
    std::uint64_t slots = 0;
    for (const auto& [cause, n] : run.result["stalls"].items())
        slots += n.get<std::uint64_t>();
    EXPECT_EQ(slots, run.cycles);
    std::uint64_t lanes = 0;
    for (const auto& n : run.result["active_lanes"])
        lanes += n.get<std::uint64_t>();
    EXPECT_EQ(lanes, run.cycles);
    // 8 instructions of every thread, and every fourth jumps while the others store.
    EXPECT_EQ(run.result["totals"]["thread_instructions"], 2048 * 8 + 2048 / 4 + 2048 / 4 * 3);
}

} // namespace
} // namespace heddle::runtime
