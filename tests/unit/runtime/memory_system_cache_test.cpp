// MSHRs, write policies, local memory, fences, atomics and the end of a kernel on the machines with an interconnect:
// what is counted, and cycles where the rules at the top of hierarchy_latency_test.cpp give them.

#include <gtest/gtest.h>

#include "clocked_loads.h"

namespace heddle::runtime {
namespace {

// gtx480: the memory stage is 5 cycles after the fetch, %clock64 is read one after it.
constexpr Cycle kToMemory = 7 - 1 + 5; // from the reading before to the memory stage
constexpr Cycle kHit = 35;
constexpr Cycle kLink = 8;
constexpr Cycle kSlice = 120;
constexpr Cycle network(Cycle flits) {
    return 1 + 1 + flits;
}
// There and back for a packet of so many flits each; the line is in the L2.
constexpr Cycle round_trip(Cycle request, Cycle reply) {
    return kLink + network(request) + kSlice + network(reply) + kLink;
}

// A warp's lanes on lines of their own, from %rd1 on.
const std::string kLaneLines = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 128, %rd1;\n";

TEST(HierarchyMshrs, AnEntryALine) {
    // 32 lines, 8 entries: the 9th look-up finds none, once in its turn and then whenever an earlier line has come
    // and given its entry to another.
    const std::string body = kLaneLines + "ld.global.u32 %r2, [%rd2]; ret;";
    const KernelRun few =
        run_kernel_on({.machine = "gtx480", .settings = {"core.model=barrel", "dcache.mshrs=8"}}, body, 32);
    const KernelRun many = run_kernel_on({.machine = "gtx480", .settings = {"core.model=barrel"}}, body, 32);
    EXPECT_EQ(many.counter("dcache", "mshr_full"), 0); // 64 entries
    EXPECT_GE(few.counter("dcache", "mshr_full"), 24); // each of the other 24 was refused in its turn
    EXPECT_EQ(few.counter("dcache", "misses"), 32);
    EXPECT_EQ(few.counter("dcache", "fills"), 32);
    // Four times 8 lines, each of the four at least a way to memory and back, of which one is in `many` too.
    constexpr Cycle kLeast = round_trip(1, 4) + 118 * 25 / 33; // DRAM: a row hit is 118 of its clocks
    EXPECT_GE(few.cycles, many.cycles + 2 * kLeast);
    EXPECT_LE(few.cycles, many.cycles + 4 * kLeast);
}

TEST(HierarchyMshrs, SixtyFourLinesOnTheirWay) {
    // Two warps are 64 lines and fill gtx480's entries; a third finds none.
    const std::string body = kLaneLines + "ld.global.u32 %r2, [%rd2]; ret;";
    const RunSetup setup{.machine = "gtx480", .settings = {"core.model=barrel"}};
    EXPECT_EQ(run_kernel_on(setup, body, 64).counter("dcache", "mshr_full"), 0);
    EXPECT_GT(run_kernel_on(setup, body, 96).counter("dcache", "mshr_full"), 0);
}

TEST(HierarchyMshrs, EightAccessesToALine) {
    // gtx480: 8 accesses wait for a line, the first included. Of n warps on one line n - 1 merge, those beyond the 8th
    // are refused and find the line in the cache when it has come.
    const std::string body = "ld.param.u64 %rd1, [x]; ld.global.u32 %r2, [%rd1]; ret;";
    const RunSetup setup{.machine = "gtx480", .settings = {"core.model=barrel"}};
    const KernelRun eight = run_kernel_on(setup, body, 8 * 32);
    EXPECT_EQ(eight.counter("dcache", "misses"), 1);
    EXPECT_EQ(eight.counter("dcache", "merges"), 7);
    EXPECT_EQ(eight.counter("dcache", "mshr_merge_full"), 0);
    EXPECT_EQ(eight.counter("dcache", "hits"), 0);
    const KernelRun ten = run_kernel_on(setup, body, 10 * 32);
    EXPECT_EQ(ten.counter("dcache", "misses"), 1);
    EXPECT_EQ(ten.counter("dcache", "merges"), 7);
    EXPECT_EQ(ten.counter("dcache", "mshr_merge_full"), 2);
    EXPECT_EQ(ten.counter("dcache", "hits"), 2);
    EXPECT_EQ(ten.counter("memory_path", "loads"), 1);
}

TEST(HierarchyMshrs, AFullSetWaitsForOneOfItsOwnLines) {
    // Four sets of a way, and a warp's lines 1, 2, 0, 4 in this order: the last one finds its set full of line 0, and
    // is not looked up again before that has come, though lines 1 and 2 come first.
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2; mov.u32 %r2, 0x4021;\n"
                             "shr.u32 %r2, %r2, %r1; and.b32 %r2, %r2, 15; mad.wide.u32 %rd2, %r2, 128, %rd1;\n"
                             "ld.global.u32 %r3, [%rd2]; ret;";
    for (const std::string core : {"barrel", "scoreboard"}) {
        const RunSetup setup{
            .machine = "gtx480",
            .settings = {"core.model=" + core, "core.scheduler=rr", "dcache.size=512", "dcache.ways=1"}};
        const KernelRun run = run_kernel_on(setup, body, 4);
        EXPECT_EQ(run.counter("dcache", "set_reserved"), 1) << core;
        EXPECT_EQ(run.counter("dcache", "misses"), 4) << core;
    }
}

TEST(HierarchyMshrs, TheLastLevelMergesRequestsOfSeveralSms) {
    // Four SMs of gtx480 request one line at about the same time: memory gets one request. Entries of 4, as configured.
    const std::string body = "ld.param.u64 %rd1, [x]; ld.global.u32 %r2, [%rd1]; ret;";
    const KernelRun run = run_kernel_on({.machine = "gtx480", .settings = {"core.model=barrel"}}, body, 32, 4);
    EXPECT_EQ(run.counter("memory_path", "loads"), 4);
    EXPECT_EQ(run.counter("dram", "reads"), 2); // with the line of code
}

TEST(HierarchyWrites, AStoreEvictsItsLine) {
    // gtx480, global: load, store to another word of the line, load: the line is gone from the L1, not from the L2.
    const auto t = clocks_around({.machine = "gtx480", .settings = {"core.model=barrel"}},
                                 {load_from(0), "st.global.u32 [%rd1+4], %r1", load_from(0)});
    // The store waits for nothing: two instructions, it and the next look at the clock, of 7 stages each.
    EXPECT_EQ(t[2] - t[1], 2 * 7U);
    EXPECT_EQ(t[3] - t[2], kToMemory + round_trip(1, 4) + 3);
}

TEST(HierarchyWrites, AWrittenThroughLineStays) {
    const auto t = clocks_around({.machine = "gtx480", .settings = {"core.model=barrel", "dcache.write=through"}},
                                 {load_from(0), "st.global.u32 [%rd1+4], %r1", load_from(0)});
    EXPECT_EQ(t[3] - t[2], kToMemory + kHit + 2);
}

TEST(HierarchyWrites, StoresOfGtx480GoToTheL2) {
    // 32 lines of 32 warps, whole: none is fetched, and nothing is written to memory.
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                             "st.global.u32 [%rd2], %r1; ret;";
    const KernelRun run = run_kernel_on({.machine = "gtx480", .settings = {"core.model=barrel"}}, body, 1024);
    EXPECT_EQ(run.counter("data", "stores_sent"), 32);
    EXPECT_EQ(run.counter("dram", "reads"), 1); // code
    EXPECT_EQ(run.counter("dram", "writes"), 0);
    // A part of a line is fetched for; the store is answered before that, so the second launch counts it.
    const KernelRun part =
        run_kernel_on({.machine = "gtx480", .settings = {"core.model=barrel"}, .launches = 2}, body, 16);
    EXPECT_EQ(part.counter("dram", "reads"), 2);
}

TEST(HierarchyWrites, LocalMemoryIsWrittenBackOnGtx480) {
    // 32 threads' word 0 is one line of the L1, and stays there: a miss, then hits; nothing is sent.
    const std::string body =
        ".local .align 8 .b8 l[64];\n mov.u32 %r1, 5; st.local.u32 [l], %r1; ld.local.u32 %r2, [l];\n"
        "st.local.u32 [l], %r2; ret;";
    const KernelRun run = run_kernel_on({.machine = "gtx480", .settings = {"core.model=barrel"}}, body, 32);
    EXPECT_EQ(run.counter("dcache", "misses"), 1);
    EXPECT_EQ(run.counter("dcache", "hits"), 2);
    EXPECT_EQ(run.counter("data", "stores_sent"), 0);
    // At the kernel's end the line is dirty and goes to the L2.
    EXPECT_EQ(run.counter("dcache", "write_backs"), 1);
}

const std::string kReadAndWrite = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                                  "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; st.global.u32 [%rd2], %r2; ret;";

TEST(HierarchyKernelEnd, Gtx480EmptiesItsL1) {
    const RunSetup once{.machine = "gtx480", .settings = {"core.model=barrel"}},
        twice{.machine = "gtx480", .settings = {"core.model=barrel"}, .launches = 2};
    const KernelRun one = run_kernel_on(once, kReadAndWrite, 32), two = run_kernel_on(twice, kReadAndWrite, 32);
    EXPECT_EQ(two.counter("dcache", "misses"), 2 * one.counter("dcache", "misses"));
    EXPECT_EQ(two.counter("dram", "reads"), one.counter("dram", "reads")); // the L2 keeps all
}

TEST(HierarchyKernelEnd, Gtx480EmptiesCleanLinesToo) {
    const std::string body = "ld.param.u64 %rd1, [x]; ld.global.u32 %r2, [%rd1]; ret;";
    EXPECT_EQ(run_kernel_on({.machine = "gtx480", .settings = {"core.model=barrel"}, .launches = 2}, body, 32)
                  .counter("dcache", "misses"),
              2);
}

TEST(HierarchyKernelEnd, Dwf07KeepsItsLines) {
    // 32 words are two lines of 64 bytes.
    const KernelRun two = run_kernel_on({.machine = "dwf07", .launches = 2}, kReadAndWrite, 32);
    EXPECT_EQ(two.counter("dcache", "misses"), 2);
    EXPECT_EQ(two.counter("dram", "writes"), 0);
}

TEST(HierarchyKernelEnd, MawsWritesDirtyLinesAndDropsTheRest) {
    // 32 words are four lines of 32 bytes, all dirty: four writes of 32 bytes at each kernel's end.
    const KernelRun one = run_kernel_on({.machine = "maws-bulk"}, kReadAndWrite, 32);
    const KernelRun two = run_kernel_on({.machine = "maws-bulk", .launches = 2}, kReadAndWrite, 32);
    EXPECT_EQ(one.counter("dcache", "misses"), 4);
    EXPECT_EQ(one.counter("dram", "writes"), 4);
    EXPECT_EQ(one.counter("dram", "bytes"), 32 * (one.counter("dram", "reads") + 4));
    EXPECT_EQ(two.counter("dcache", "misses"), 8);
    EXPECT_EQ(two.counter("dram", "writes"), 8);
    // The kernel is over when memory has the last one.
    const KernelRun kept =
        run_kernel_on({.machine = "maws-bulk", .settings = {"dcache.flush=never"}}, kReadAndWrite, 32);
    EXPECT_EQ(kept.counter("dram", "writes"), 0);
    EXPECT_GE(one.cycles, kept.cycles + 4 + 300 + 4);
    EXPECT_LE(one.cycles, kept.cycles + 4 + 300 + 4 + 40); // two networks, 1 slice, four lines one after another
}

TEST(HierarchyKernelEnd, MawsCoherentKeepsItsLines) {
    // Four lines of 32 bytes, granted in state E: the stores need no request, and the second launch hits.
    const KernelRun two = run_kernel_on({.machine = "maws-coherent", .launches = 2}, kReadAndWrite, 32);
    EXPECT_EQ(two.counter("dcache", "misses"), 4);
    EXPECT_EQ(two.counter("dcache", "write_backs"), 0);
    EXPECT_EQ(two.counter("coherence", "gets"), 4);
    EXPECT_EQ(two.counter("coherence", "exclusive_grants"), 4);
    EXPECT_EQ(two.counter("coherence", "messages"), 0);
    EXPECT_EQ(two.counter("dram", "writes"), 0);
}

TEST(HierarchyKernelEnd, ALastLevelWithoutCoherenceTakesTheDirtyLines) {
    const KernelRun two = run_kernel_on(
        {.machine = "maws-coherent", .settings = {"llc.coherence=none", "dcache.flush=kernel"}, .launches = 2},
        kReadAndWrite, 32);
    EXPECT_EQ(two.counter("dcache", "misses"), 8);
    EXPECT_EQ(two.counter("dcache", "write_backs"), 8);
    EXPECT_EQ(two.counter("dram", "writes"), 0);
}

TEST(HierarchyFences, ADeviceFenceWaitsForTheStore) {
    // The first store brings its line to the L2. A fence of the block waits for nothing.
    const std::string store = "st.global.u32 [%rd1+512], %r1";
    const auto t = clocks_around({.machine = "gtx480", .settings = {"core.model=barrel"}},
                                 {load_from(512), store, "membar.cta", store, "membar.gl"});
    EXPECT_EQ(t[3] - t[2], 7 + 7); // the reading's and its own stages
    // The store is in the memory stage 11 cycles after t[3]; its answer comes a round trip later and is taken as a
    // load's: write-back, fetch, decode.
    EXPECT_EQ(t[5] - t[3], kToMemory + round_trip(1, 1) + 3);
    const auto s =
        clocks_around({.machine = "gtx480", .settings = {"core.model=barrel"}}, {load_from(512), store, "membar.sys"});
    EXPECT_EQ(s[3] - s[1], kToMemory + round_trip(1, 1) + 3);
}

TEST(HierarchyFences, AFenceWithoutStoresWaitsForNothing) {
    const auto t = clocks_around({.machine = "gtx480", .settings = {"core.model=barrel"}}, {load_from(0), "membar.gl"});
    EXPECT_EQ(t[2] - t[1], 7 + 7);
}

TEST(HierarchyAtomics, ARoundTripAndATickAnOperation) {
    const std::string atomic = "atom.global.add.u32 %r4, [%rd1+512], %r1";
    const auto one = clocks_around({.machine = "gtx480", .settings = {"core.model=barrel"}}, {atomic, atomic});
    EXPECT_EQ(one[2] - one[1], kToMemory + round_trip(1, 1) + 1 + 3);
    // 32 lanes on one word: 128 + 8 bytes are four flits each way, 32 operations.
    const auto warp = clocks_around({.machine = "gtx480", .settings = {"core.model=barrel"}}, {atomic, atomic}, 32);
    EXPECT_EQ(warp[2] - warp[1], kToMemory + round_trip(4, 4) + 32 + 3);
}

TEST(HierarchyAtomics, AnAtomicDropsTheLineFromTheL1) {
    const auto t = clocks_around({.machine = "gtx480", .settings = {"core.model=barrel"}},
                                 {load_from(512), "atom.global.add.u32 %r4, [%rd1+512], %r1", load_from(512)});
    EXPECT_EQ(t[3] - t[2], kToMemory + round_trip(1, 4) + 3);
}

TEST(HierarchyAtomics, OperationsOnOneWordSerialiseAtTheL2) {
    // 15 SMs, 32 warps each, ten times 32 operations on one word: a tick an operation and one for each look-up.
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r2, 0;\n"
                             "again: red.global.add.u32 [%rd1], 1; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 10;\n"
                             "@%p1 bra again; ret;";
    const KernelRun run = run_kernel_on({.machine = "gtx480", .settings = {"core.model=barrel"}}, body, 1024, 15);
    constexpr std::uint64_t kOperations = 15 * 1024 * 10;
    EXPECT_EQ(run.words[0], kOperations);
    EXPECT_EQ(run.counter("slices", "atomic_operations"), kOperations);
    EXPECT_GE(run.cycles, kOperations);
    EXPECT_LE(run.cycles, kOperations * 33 / 32 + 2000); // start, and the way there and back
}

TEST(HierarchyAtomics, WithoutACacheMemoryDoesThem) {
    // dwf07: the channel's unit does an operation a clock.
    const std::string body = "ld.param.u64 %rd1, [x]; red.global.add.u32 [%rd1], 1; ret;";
    const KernelRun run = run_kernel_on({.machine = "dwf07"}, body, 256, 8);
    EXPECT_EQ(run.words[0], 8 * 256);
    EXPECT_EQ(run.counter("dram", "atomics"), 8 * 16); // warps of 16
    EXPECT_GE(run.cycles, 8 * 256);
}

// gpu/gpu_config.cpp, problems(): only the lines of the other two first-level caches are looked at.
TEST(HierarchyConstants, ALineMustLieInOneSlice) {
    const std::vector<std::string> settings = {"ccache.size=8KiB", "ccache.ways=1", "ccache.line=1024"};
    EXPECT_THROW(static_cast<void>(config::Machine::load("gtx480", settings)), UserError);
    EXPECT_THROW(static_cast<void>(config::Machine::load("dwf07", settings)), UserError);
}

// Alarms reach some 4000 cycles ahead; what takes longer is not forgotten.
TEST(HierarchyIdle, SlowMemoryChangesNoResult) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n"
                             "mad.lo.u32 %r1, %r1, 32, %r2; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                             "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd2], %r2; ret;";
    const auto run = [&](const char* machine, const std::vector<std::string>& settings) {
        return run_kernel_on({.machine = machine, .settings = settings}, body, 32, 64);
    };
    const KernelRun fast = run("maws-bulk", {});
    const KernelRun slow = run("maws-bulk", {"dram.row_conflict=100000", "dram.row_hit=100000"});
    EXPECT_EQ(fast.words, slow.words);
    EXPECT_EQ(fast.counter("dram", "reads"), slow.counter("dram", "reads"));
    EXPECT_GT(slow.cycles, 100 * fast.cycles);
    const std::pair<const char*, const char*> far[] = {{"gtx480", "dram.latency=9000"},
                                                       {"gtx480", "llc.latency=9000"},
                                                       {"gtx480", "interconnect.link=9000"},
                                                       {"dwf07", "dram.clock_mhz=1"},
                                                       {"dwf07", "interconnect.clock_mhz=1"}};
    for (const auto& [machine, setting] : far)
        EXPECT_EQ(run(machine, {setting}).words, fast.words) << machine << ", " << setting;
}

} // namespace
} // namespace heddle::runtime
