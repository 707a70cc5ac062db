// Why schedulers of the scoreboarded core issue nothing: programs that wait for one thing above all. The causes of all
// of them add up to the slots.
#include <map>

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

struct Slots {
    std::map<std::string, double> share; // of the cycles, by cause
    std::map<std::string, std::uint64_t> classes;

    [[nodiscard]] double of(const std::string& cause) const {
        return share.at(cause);
    }
};

Slots slots_of(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1,
               std::vector<std::string> settings = {}, unsigned schedulers = 1) {
    settings.insert(settings.begin(), {"gpu.sms=1", "scoreboard.schedulers=" + std::to_string(schedulers)});
    const KernelRun run =
        run_kernel_on({.machine = "gtx480", .settings = settings, .launches = 2}, body, threads, blocks);
    const auto& kernel = run.result.at("kernels").at(1); // its code is in the instruction cache
    Slots out;
    std::uint64_t sum = 0;
    for (const auto& [cause, n] : kernel.at("stalls").items()) {
        sum += n.get<std::uint64_t>();
        out.share[cause] = n.get<double>() / kernel.at("cycles").get<double>();
    }
    EXPECT_EQ(sum, schedulers * kernel.at("cycles").get<std::uint64_t>());
    sum = 0;
    for (const auto& [name, n] : run.result.at("views").at("stall_classes").items()) {
        out.classes[name] = n.get<std::uint64_t>();
        sum += n.get<std::uint64_t>();
    }
    EXPECT_EQ(sum, schedulers * run.result.at("totals").at("cycles").get<std::uint64_t>());
    return out;
}

std::string repeated(const std::string& line, unsigned times) {
    std::string out;
    for (unsigned i = 0; i < times; ++i)
        out += line + "\n";
    return out;
}

const std::string kStart = "ld.param.u64 %rd1, [x]; mov.u32 %r1, 1; mov.f32 %f1, 0f3F800000; mov.u32 %r4, %tid.x;\n"
                           "mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd1, %rd5;\n";

TEST(ScoreboardStalls, ByProducer) {
    const auto chain = [](const std::string& line) { return slots_of(kStart + repeated(line, 100) + "ret;", 32); };
    EXPECT_GT(chain("add.u32 %r1, %r1, 7;").of("sb_alu"), 0.8); // 9 of 10 cycles
    EXPECT_GT(chain("rcp.approx.f32 %f1, %f1;").of("sb_sfu"), 0.85);
    const std::string shared = ".shared .b32 s; mov.u32 %r9, s; st.shared.u32 [%r9], %r9;\n" + kStart +
                               repeated("ld.shared.u32 %r9, [%r9];", 100) + "ret;";
    EXPECT_GT(slots_of(shared, 1).of("sb_on_chip"), 0.9); // 30 of 31
}

TEST(ScoreboardStalls, ByTheLevelThatServes) {
    // Each load has a line of its own and the next one needs its result.
    const std::string next = "ld.global.u64 %rd4, [%rd3]; add.u64 %rd3, %rd3, %rd4; add.u64 %rd3, %rd3, 128;";
    const std::string chase = kStart + "mov.u64 %rd3, %rd1;\n" + repeated(next, 60) + "ret;";
    const Slots l2 = slots_of(chase, 1); // the second launch; the L1 is emptied between them
    EXPECT_GT(l2.of("sb_llc"), 0.8);
    EXPECT_EQ(l2.of("sb_dram"), 0);
    EXPECT_EQ(l2.of("sb_memory"), 0); // every load has ended
    const Slots dram = slots_of(chase, 1, 1, {"llc.size=1536", "llc.ways=1"});
    EXPECT_GT(dram.of("sb_dram"), 0.8);
    const Slots l1 = slots_of(chase, 1, 1, {"dcache.flush=never"});
    EXPECT_GT(l1.of("sb_l1"), 0.6);
    EXPECT_EQ(l1.of("sb_llc"), 0);
    EXPECT_EQ(l1.of("sb_dram"), 0);
}

TEST(ScoreboardStalls, ByPipe) {
    std::string sfu = kStart, divide = kStart;
    for (unsigned i = 0; i < 100; ++i)
        sfu += "rcp.approx.f32 %f" + std::to_string(20 + i % 16) + ", %f1;\n";
    for (unsigned i = 0; i < 16; ++i)
        sfu += "add.f32 %f1, %f1, %f" + std::to_string(20 + i) + ";\n";
    EXPECT_GT(slots_of(sfu + "st.global.f32 [%rd5], %f1; ret;", 512).of("pipe_sfu"), 0.7); // one in 8 cycles
    // 32 lines an access: the load/store unit is busy with them.
    const std::string far = kStart + "mul.wide.u32 %rd5, %r4, 128; add.u64 %rd5, %rd1, %rd5;\n" +
                            repeated("st.global.u32 [%rd5], %r1;", 40) + "ret;";
    const Slots lines = slots_of(far, 256, 1, {"dcache.ideal=true"});
    EXPECT_GT(lines.of("data_port"), 0.8);
    EXPECT_GT(lines.classes.at("pipeline"), lines.classes.at("scoreboard"));
    // Two entries for lines on their way: a third has to wait for one of them.
    const std::string loads = kStart + "mul.wide.u32 %rd5, %r4, 128; add.u64 %rd5, %rd1, %rd5;\n" +
                              repeated("ld.global.u32 %r9, [%rd5]; add.u64 %rd5, %rd5, 4096;", 10) + "ret;";
    EXPECT_GT(slots_of(loads, 256, 1, {"dcache.mshrs=2"}).of("mshr_full"), 0.5);
    EXPECT_GT(slots_of(loads, 256, 1, {"dcache.size=512"}).of("set_reserved"), 0.5); // one set of four ways
    const std::string same =
        kStart + repeated("ld.global.u32 %r9, [%rd1+4096];", 1) + "st.global.u32 [%rd5], %r9; ret;";
    EXPECT_GT(slots_of(same, 512, 1, {"dcache.merges=2"}).of("mshr_merge_full"), 0.2);
}

// The second warp could fill most of these slots and is not looked at, as in GPGPU-Sim: they are those of the first,
// whose additions need each other's result.
TEST(ScoreboardStalls, OfTheActiveUnitsAlone) {
    const Slots slots =
        slots_of(kStart + repeated("add.u32 %r1, %r1, 7;", 100) + "ret;", 64, 1, {"core.scheduler=tl", "tl.active=1"});
    EXPECT_GT(slots.of("sb_alu"), 0.8);
    EXPECT_EQ(slots.of("held_back"), 0);
}

TEST(ScoreboardStalls, Idle) {
    // A warp waits for the other, which computes.
    const std::string barrier = kStart + "setp.lt.u32 %p1, %r4, 32; @%p1 bra wait;\n" +
                                repeated("div.u32 %r1, %r1, %r1;", 20) + "wait: bar.sync 0; ret;";
    EXPECT_GT(slots_of(barrier, 64).of("sb_sfu"), 0.8);
    EXPECT_GT(slots_of(barrier, 64, 1, {}, 2).of("barrier"), 0.8); // of the scheduler whose warp has come
    const std::string loop = kStart + "again: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 100; @%p1 bra again; ret;";
    EXPECT_GT(slots_of(loop, 32).of("branch"), 0.05); // 3 of some 30 cycles a turn
    const std::string atomics = kStart + repeated("red.global.add.u32 [%rd1], 1;", 10) + "ret;";
    EXPECT_GT(slots_of(atomics, 32).of("drain"), 0.8);
    const std::string chain = kStart + repeated("add.u32 %r1, %r1, 7;", 100) + "ret;";
    EXPECT_GT(slots_of(chain, 32, 1, {}, 2).of("no_unit"), 0.9); // all of the other scheduler's, once there is a block
}

// Also when it ends in a deadlock: the cycles that were simulated count, and all their slots.
TEST(ScoreboardStalls, SlotsOfADeadlockAddUp) {
    Device device(config::Machine::load("gtx480", std::vector<std::string>{"gpu.sms=1"}), {});
    const KernelId kernel = device.kernel(device.load_module("test.ptx", module_of("bar.sync 1, 64; ret;")), "k");
    EXPECT_THROW(device.launch(kernel, {{1, 1, 1}, {32, 1, 1}, 0}, std::vector<std::byte>(8)), std::exception);
    const nlohmann::json result = nlohmann::json::parse(device.result_json());
    std::uint64_t sum = 0;
    for (const auto& [cause, n] : result.at("stalls").items())
        sum += n.get<std::uint64_t>();
    EXPECT_EQ(sum, 2 * result.at("stats").at("core").at("cycles").get<std::uint64_t>()); // two schedulers
}

// PRO's simulator counts no stalls of an SM that has ended: such slots are in none of its classes.
TEST(ScoreboardStalls, AnSmWithoutABlockIsUnoccupied) {
    const KernelRun run = run_kernel_on({.machine = "gtx480", .settings = {"gpu.sms=2", "scoreboard.schedulers=1"}},
                                        kStart + repeated("add.u32 %r1, %r1, 7;", 100) + "ret;", 32, 1);
    const auto cycles = run.result.at("totals").at("cycles").get<std::uint64_t>();
    const auto unoccupied = run.result.at("views").at("stall_classes").at("unoccupied").get<std::uint64_t>();
    EXPECT_GE(unoccupied, cycles); // of the SM that never has one
    EXPECT_LT(unoccupied, cycles + cycles / 10);
}

} // namespace
} // namespace heddle::runtime
