// What a timeline holds of kernels whose cycles are known: blocks, waits, samples (docs/timeline.md). Numbers as in
// lwm11_timing_test.cpp: the first fetch is served at 300, an instruction fetched at f executes at f + 1, is in the
// memory stage at f + 5, writes back at f + 6.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../fermi.h"
#include "kernel_run.h"
#include "sched/scheduler.h"

namespace heddle::runtime {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunSetup recorded(std::vector<std::string> settings = {}, TimelineOptions options = {}) {
    RunSetup setup{.settings = std::move(settings)};
    setup.options.timeline = options;
    return setup;
}

struct Slice {
    std::string name;
    Cycle start, end;
    bool operator==(const Slice&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Slice& s) {
    return out << s.name << " " << s.start << " to " << s.end;
}

// Slices of one track: "warp 0", "block slot 1".
std::vector<Slice> track(const KernelRun& run, const std::string& name) {
    const json file = json::parse(run.timeline);
    json id;
    for (const json& e : file["traceEvents"])
        if (e["name"] == "thread_name" && e["args"]["name"] == name)
            id = e["tid"];
    std::vector<Slice> out;
    for (const json& e : file["traceEvents"])
        if (e["ph"] == "X" && e["tid"] == id)
            out.push_back({e["name"], e["ts"], e["ts"].get<Cycle>() + e["dur"].get<Cycle>()});
    return out;
}

// Requests whose name has `word`, from their leaving to their answer.
std::vector<Slice> requests(const KernelRun& run, const std::string& word) {
    std::vector<Slice> out;
    const json file = json::parse(run.timeline);
    for (const json& e : file["traceEvents"])
        if (e["ph"] == "b" && e["name"].get<std::string>().find(word) != std::string::npos)
            for (const json& end : file["traceEvents"])
                if (end["ph"] == "e" && end["id"] == e["id"])
                    out.push_back({e["name"], e["ts"], end["ts"]});
    return out;
}

// Seven dependent instructions and ret: a line of the instruction cache.
const std::string kChain = R"(
    mov.u32 %r1, 1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    ret;)";
// Its data lie in another row than the code.
const std::string kLoad = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                          "ld.global.u32 %r2, [%rd2+4096]; ret;";

TEST(Timeline, BlocksOneAfterTheOther) {
    // The second block finds its instructions: 8 x 7 cycles. (PRO Figure 2: a bar from a block's first cycle to its
    // last.)
    const KernelRun run = run_kernel_on(recorded({"core.blocks=1"}), kChain, 32, 2);
    EXPECT_THAT(track(run, "block slot 0"), ElementsAre(Slice{"block 0", 0, 356}, Slice{"block 1", 356, 412}));
    EXPECT_THAT(track(run, "launches"), ElementsAre(Slice{"k", 0, 412}));
    const json& blocks = run.result["timeline"]["blocks"];
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(
        blocks[1],
        (json{{"sm", 0}, {"slot", 0}, {"launch", 0}, {"block", 1}, {"start", 356}, {"end", 412}, {"ended", true}}));
}

// The second block on the scoreboarded core: its instructions are fetched in its first cycle and issue from the third
// on. What depends on a mov of a constant issues 6 cycles behind it, on an add of two registers 11
// (docs/scoreboard.md); the exit needs the last add's register, and counts a cycle later.
TEST(Timeline, BlocksOnTheScoreboardedCore) {
    const KernelRun run = run_kernel_on(recorded(fermi({"core.blocks=1"})), kChain, 32, 2);
    const std::vector<Slice> blocks = track(run, "block slot 0");
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[1].start, blocks[0].end);
    EXPECT_EQ(blocks[1].end - blocks[1].start, 2 + 6 + 6 * 11 + 1 + 1);
}

// A load through the data cache is waited for from where its user stands next until its data are written: it misses,
// and its row is closed. It has one operand (5 cycles to the load/store unit), DRAM takes 300, the L1's cycle follows.
TEST(Timeline, AWarpWaitsForALoadOnTheScoreboardedCore) {
    const std::string use = "ld.param.u64 %rd1, [x]; ld.global.u32 %r2, [%rd1+4096]; add.u32 %r2, %r2, 1;\n"
                            "st.global.u32 [%rd1], %r2; ret;";
    const KernelRun run = run_kernel_on(recorded(fermi()), use, 32);
    const std::vector<Slice> asked = requests(run, "data");
    std::vector<Slice> waits;
    for (const Slice& s : track(run, "warp 0"))
        if (s.name == "memory")
            waits.push_back(s);
    ASSERT_FALSE(asked.empty());
    ASSERT_FALSE(waits.empty());
    EXPECT_EQ(asked[0].end - asked[0].start, 300);
    EXPECT_EQ(waits[0].start, asked[0].start - 5 + 2); // the add is fetched when the load has left the buffer empty
    EXPECT_EQ(waits[0].end, asked[0].end + 1);
}

TEST(Timeline, AWarpRunsFromItsFirstGroupToItsLast) {
    // Executes at 301, 308, ... 350; the second block's warp takes the unit over at 357.
    const KernelRun run = run_kernel_on(recorded({"core.blocks=1"}), kChain, 32, 2);
    EXPECT_THAT(track(run, "warp 0"),
                ElementsAre(Slice{"instructions", 0, 300}, Slice{"running", 301, 351}, Slice{"running", 357, 407}));
    const KernelRun apart = run_kernel_on(recorded({}, {.gap = 6}), kChain, 32);
    EXPECT_EQ(track(apart, "warp 0").size(), 1U + 8);
}

TEST(Timeline, AWarpWaitsForMemoryFromTheMemoryStageToItsWriteBack) {
    // The load is fetched at 321 and put aside at 326, its line comes at 626, it writes back at 627. ret is fetched at
    // 628.
    const KernelRun run = run_kernel_on(recorded(), kLoad, 32);
    EXPECT_THAT(track(run, "warp 0"), ElementsAre(Slice{"instructions", 0, 300}, Slice{"running", 301, 326},
                                                  Slice{"memory", 326, 627}, Slice{"running", 629, 630}));
    EXPECT_THAT(requests(run, "data"), ElementsAre(Slice{"data, dram", 326, 626}));
    EXPECT_THAT(requests(run, "instruction"), ElementsAre(Slice{"instruction, dram", 0, 300}));
}

TEST(Timeline, AWarpWaitsAtABarrierUpToTheWriteBackOfTheLast) {
    // The first warp branches to the barrier, fetches it at 321 and writes it back at 327; the second has three adds
    // more and fetches it, a cycle behind, at 343. It is released at 349, by itself, and does not wait.
    const KernelRun run = run_kernel_on(recorded(),
                                        "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra B;\n"
                                        "add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;\n"
                                        "B: bar.sync 0; ret;",
                                        64);
    EXPECT_THAT(track(run, "warp 0"), ElementsAre(Slice{"instructions", 0, 300}, Slice{"running", 301, 327},
                                                  Slice{"barrier", 327, 349}, Slice{"running", 351, 352}));
    EXPECT_THAT(track(run, "warp 1"), ElementsAre(Slice{"instructions", 1, 300}, Slice{"running", 302, 353}));
}

TEST(Timeline, RequestsThatTheLastLevelServes) {
    // Each launch loads the same line; the data cache is emptied in between, so that the second finds it in the LLC.
    RunSetup setup = recorded({"dcache.flush=kernel"});
    setup.machine = "gtx480";
    setup.launches = 2;
    const std::vector<Slice> loads = requests(run_kernel_on(setup, kLoad, 32), "data");
    ASSERT_EQ(loads.size(), 2U);
    EXPECT_EQ(loads[0].name, "data, dram");
    EXPECT_EQ(loads[1].name, "data, llc");
    EXPECT_LT(loads[1].end - loads[1].start, loads[0].end - loads[0].start);
}

TEST(Timeline, SamplesOfOccupancyAndProgress) {
    // At the end of cycle 350 the first warp has executed 8 instructions (301, 308, ... 350), the second, a cycle
    // behind, 7. All are gone at the end of cycle 356, the last.
    const KernelRun run = run_kernel_on(recorded({}, {.sample = 50}), kChain, 64);
    const json& samples = run.result["timeline"]["samples"];
    ASSERT_EQ(samples.size(), 8U); // 50, 100, ... 350, and 356
    EXPECT_EQ(samples[5], (json{{"sm", 0},
                                {"cycle", 300},
                                {"threads", 64},
                                {"warps", 2},
                                {"requests", 0},
                                {"ipc", 0.0},
                                {"progress", {{"least", 0}, {"mean", 0.0}, {"most", 0}}},
                                {"blocks", {{{"block", 0}, {"progress", 0}, {"least", 0}, {"most", 0}}}},
                                {"block_order", nullptr}}));
    EXPECT_EQ(samples[6], (json{{"sm", 0},
                                {"cycle", 350},
                                {"threads", 64},
                                {"warps", 2},
                                {"requests", 0},
                                {"ipc", 15 * 32 / 50.0},
                                {"progress", {{"least", 224}, {"mean", 240.0}, {"most", 256}}},
                                {"blocks", {{{"block", 0}, {"progress", 480}, {"least", 224}, {"most", 256}}}},
                                {"block_order", nullptr}}));
    EXPECT_EQ(samples[7]["cycle"], 356);
    EXPECT_EQ(samples[7]["threads"], 0);
    EXPECT_EQ(samples[0]["requests"], 1); // the line of instructions
}

// Ranks blocks by their number, the highest first, as long as cycle 320 has not passed.
class Ranking final : public sched::Scheduler {
public:
    Ranking(const sched::Share& /*share*/, const config::Machine& /*machine*/) {
        wake = 320;
    }
    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        return can_issue.first();
    }
    void tick(const warp::View& /*view*/, Cycle /*now*/) override {
        wake = kNever;
    }
    std::vector<std::uint64_t> block_order(const warp::View& view) const override {
        std::vector<std::uint64_t> out;
        for (const warp::BlockView& block : view.blocks)
            if (block.resident)
                out.insert(wake == kNever ? out.end() : out.begin(), block.global_id);
        return out;
    }
};
HEDDLE_SCHEDULER(Ranking, "ranking", "ranks blocks, for tests of the timeline", "tests");

TEST(Timeline, TheOrderOfBlocks) {
    // A sort in cycle 320 is seen by the sample of that cycle (PRO Table IV: rows at multiples of THRESHOLD).
    const KernelRun run = run_kernel_on(recorded({"core.scheduler=ranking"}, {.sample = 160}), kChain, 32, 3);
    const json& samples = run.result["timeline"]["samples"];
    ASSERT_GE(samples.size(), 2U);
    EXPECT_EQ(samples[0]["block_order"], (json{2, 1, 0}));
    EXPECT_EQ(samples[1]["block_order"], (json{0, 1, 2}));
    std::vector<std::pair<std::string, Cycle>> marks;
    const json file = json::parse(run.timeline);
    for (const json& e : file["traceEvents"])
        if (e["ph"] == "i" && !e["name"].get<std::string>().starts_with("launch"))
            marks.emplace_back(e["name"], e["ts"]);
    ASSERT_GE(marks.size(), 2U);
    EXPECT_EQ(marks[0], std::pair(std::string("2 1 0"), Cycle{160}));
    EXPECT_EQ(marks[1], std::pair(std::string("0 1 2"), Cycle{320}));
}

// Divergence, global and shared memory, atomics, barriers.
const std::string kMixed = R"(
    .shared .align 4 .b8 s[256];
    ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r9, %ctaid.x; mov.u32 %r5, 0;
    mad.lo.u32 %r8, %r9, 64, %r1; mul.wide.u32 %rd2, %r8, 132; add.u64 %rd2, %rd1, %rd2;
    shl.b32 %r6, %r1, 2; mov.u32 %r7, s; add.u32 %r7, %r7, %r6;
  L: ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, %r5; st.shared.u32 [%r7], %r2; bar.sync 0;
    and.b32 %r3, %r1, 3; setp.gt.u32 %p1, %r3, %r5; @%p1 bra M;
    st.global.u32 [%rd2], %r2; atom.global.add.u32 %r4, [%rd1], 1;
  M: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 6; @%p2 bra L; ret;)";

RunSetup mixed(const std::string& machine, std::vector<std::string> settings) {
    RunSetup setup{.machine = machine, .settings = std::move(settings), .launches = 2};
    return setup;
}

// What is simulated does not depend on whether it is recorded, at whatever intervals.
TEST(Timeline, RecordingChangesNothing) {
    const auto result = [](const RunSetup& setup) {
        json out = run_kernel_on(setup, kMixed, 64, 20).result;
        out.erase("host");
        out.erase("timeline");
        return out;
    };
    const std::vector<const char*> all{"pdom", "serial", "dwf", "tbc", "lwm", "mimd"};
    const std::vector<const char*> scoreboard{"pdom", "serial", "dwf", "tbc", "lwm"}; // that gtx480's core can run
    for (const std::string machine : {"lwm11", "lwm10", "dwf07", "gtx480"})
        for (const char* const formation : machine == "gtx480" ? scoreboard : all) {
            RunSetup setup = mixed(machine, {std::string("core.formation=") + formation, "lwm.size=64"});
            if (std::string(formation) == "dwf")
                setup.settings.emplace_back("core.scheduler=dmaj");
            const json plain = result(setup);
            setup.options.timeline = TimelineOptions{.events = 4000, .sample = 7, .gap = 3};
            EXPECT_EQ(result(setup), plain) << machine << ", " << formation;
        }
}

TEST(Timeline, DoesNotDependOnTheOrderOfTheSms) {
    std::vector<std::string> files;
    std::vector<json> data;
    for (const char* const order : {"ascending", "descending", "shuffled"}) {
        RunSetup setup = mixed("gtx480", {std::string("gpu.sm_order=") + order});
        setup.options.timeline = TimelineOptions{.events = 20'000, .sample = 100};
        const KernelRun run = run_kernel_on(setup, kMixed, 64, 40);
        files.push_back(run.timeline);
        data.push_back(run.result["timeline"]);
    }
    EXPECT_EQ(files[1], files[0]);
    EXPECT_EQ(files[2], files[0]);
    EXPECT_EQ(data[1], data[0]);
    EXPECT_EQ(data[2], data[0]);
}

TEST(Timeline, WhatALimitLeavesOutIsCounted) {
    const auto count = [](const KernelRun& run, const char* phase, const char* category) {
        std::uint64_t n = 0;
        const json file = json::parse(run.timeline);
        for (const json& e : file["traceEvents"])
            n += e["ph"] == phase && e["cat"] == category ? 1 : 0;
        return n;
    };
    RunSetup setup = mixed("lwm11", {});
    setup.options.timeline = TimelineOptions{.sample = 10};
    const KernelRun all = run_kernel_on(setup, kMixed, 64, 20);
    EXPECT_THAT(all.losses, IsEmpty());
    setup.options.timeline->events = TimelineOptions::kFewestEvents;
    const KernelRun few = run_kernel_on(setup, kMixed, 64, 20);
    const json& dropped = few.result["timeline"]["dropped"];
    EXPECT_EQ(count(few, "X", "block"), 40U);
    EXPECT_EQ(dropped["blocks"], 0);
    EXPECT_EQ(count(few, "X", "warp"), 250U);
    EXPECT_EQ(count(few, "X", "warp") + dropped["units"].get<std::uint64_t>(), count(all, "X", "warp"));
    EXPECT_EQ(count(few, "b", "memory") + count(few, "n", "memory"), 250U);
    EXPECT_EQ(250U + dropped["requests"].get<std::uint64_t>(), count(all, "b", "memory") + count(all, "n", "memory"));
    std::uint64_t rows = 0;
    for (const json& s : few.result["timeline"]["samples"])
        rows += 1 + s["blocks"].size();
    EXPECT_LE(rows, 250U);
    EXPECT_GT(few.result["timeline"]["sample_cycles"][0], 10);
    EXPECT_THAT(few.losses, HasSubstr("--timeline-events"));
    EXPECT_EQ(json::parse(few.timeline)["otherData"]["left_out"], few.losses);
}

TEST(Timeline, IsWholeUpToAFault) {
    Options options;
    options.timeline.emplace();
    Device device(config::Machine::load("lwm11", {}), options);
    // The store is the second instruction: fetched at 307, executed at 308.
    const ModuleId module =
        device.load_module("test.ptx", module_of("mov.u64 %rd1, 64; st.global.u32 [%rd1], %r1; ret;"));
    const std::uint64_t x = 0;
    void* arguments[] = {const_cast<std::uint64_t*>(&x)};
    EXPECT_THROW(device.launch(device.kernel(module, "k"), {{1, 1, 1}, {32, 1, 1}, 0}, arguments), Fault);
    std::ostringstream file;
    static_cast<void>(device.write_timeline(file));
    KernelRun run;
    run.timeline = file.str();
    run.result = json::parse(device.result_json());
    EXPECT_THAT(track(run, "block slot 0"), ElementsAre(Slice{"block 0", 0, 308}));
    EXPECT_EQ(run.result["timeline"]["blocks"][0]["ended"], false);
    EXPECT_EQ(json::parse(run.timeline)["otherData"]["status"], "failed");
}

TEST(Timeline, NoneIsRecordedWithoutBeingAskedFor) {
    EXPECT_FALSE(run_kernel(kChain, 32).result.contains("timeline"));
}

// The first block lasts up to 356, the second from there to 412.
TEST(Timeline, OfARangeOfCycles) {
    const KernelRun run =
        run_kernel_on(recorded({"core.blocks=1"}, {.sample = 100, .range = {356, 1000}}), kChain, 32, 2);
    EXPECT_THAT(track(run, "block slot 0"), ElementsAre(Slice{"block 1", 356, 412}));
    EXPECT_THAT(track(run, "launches"), ElementsAre(Slice{"k", 0, 412}));
    EXPECT_THAT(requests(run, "instruction"), IsEmpty());
    const json& timeline = run.result["timeline"];
    EXPECT_EQ(timeline["range"], (json{356, 1000}));
    ASSERT_EQ(timeline["samples"].size(), 2U); // 400, and 411 at the end
    // From the sample at 300 on the first block executes 8 instructions, and the second 7 (at 357, 364, ... 399).
    EXPECT_EQ(timeline["samples"][0]["ipc"], 15 * 32 / 100.0);
}

TEST(Timeline, LaunchesHaveBoundariesAndReadableNames) {
    RunSetup setup = recorded();
    setup.launches = 2;
    const KernelRun run = run_kernel_on(setup, kChain, 32);
    const auto ends = [&](std::size_t launch) {
        Cycle sum = 0;
        for (std::size_t i = 0; i <= launch; ++i)
            sum += run.result["kernels"][i]["cycles"].get<Cycle>();
        return sum;
    };
    std::vector<std::pair<std::string, Cycle>> marks;
    const json file = json::parse(run.timeline);
    for (const json& e : file["traceEvents"])
        if (e["ph"] == "i" && e["s"] == "g")
            marks.emplace_back(e["name"], e["ts"]);
    EXPECT_THAT(marks, ElementsAre(std::pair<std::string, Cycle>("launch 0 begins: k", 0),
                                   std::pair<std::string, Cycle>("launch 0 ends", ends(0)),
                                   std::pair<std::string, Cycle>("launch 1 begins: k", ends(0)),
                                   std::pair<std::string, Cycle>("launch 1 ends", ends(1))));
}

} // namespace
} // namespace heddle::runtime
