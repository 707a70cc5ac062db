// Each link carries what it is configured to, within 2 %: long runs in which nothing else is the limit.

#include <functional>

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// `rounds` times: `body`, which finds the buffer in %rd1, the global thread number in %r1, their number in %r2 and its
// own address, `bytes` to a thread, in %rd2. Further on in the buffer it goes by itself, with %rd3 the bytes of a turn
// of all threads.
std::string loop(unsigned rounds, unsigned bytes, const std::string& body) {
    return "ld.param.u64 %rd1, [x]; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;\n"
           "mad.lo.u32 %r1, %r3, %r4, %r5; mov.u32 %r6, %nctaid.x; mul.lo.u32 %r2, %r6, %r4;\n"
           "mad.wide.u32 %rd2, %r1, " +
           std::to_string(bytes) + ", %rd1; mul.wide.u32 %rd3, %r2, " + std::to_string(bytes) +
           "; mov.u32 %r7, 0;\nagain:\n" + body + "\nadd.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, " +
           std::to_string(rounds) + "; @%p1 bra again; ret;";
}

// What a counter grew by a cycle from a run of n rounds to one of 2 n: the steady state.
template <class Counter>
double rate(const RunSetup& setup, const std::function<std::string(unsigned)>& body, unsigned rounds,
            std::uint32_t threads, std::uint32_t blocks, Counter&& counter) {
    const KernelRun one = run_kernel_on(setup, body(rounds), threads, blocks);
    const KernelRun two = run_kernel_on(setup, body(2 * rounds), threads, blocks);
    return static_cast<double>(counter(two) - counter(one)) / static_cast<double>(two.cycles - one.cycles);
}

auto counter_of(const char* section, const char* name) {
    return [=](const KernelRun& run) { return run.counter(section, name); };
}

void expect_peak(double value, double peak) {
    EXPECT_LE(value, peak * 1.005);
    EXPECT_GE(value, peak * 0.98);
}

TEST(HierarchyBandwidth, Gtx480L1TakesALineACycle) {
    // 32 lanes on 32 lines of the 4 KiB that all warps share; eight such loads, 256 cycles, to three other
    // instructions.
    const auto body = [](unsigned rounds) {
        std::string loads = "and.b32 %r8, %r5, 31; mad.wide.u32 %rd4, %r8, 128, %rd1;\n";
        for (int i = 0; i < 8; ++i)
            loads += "ld.global.u32 %r9, [%rd4];\n";
        return loop(rounds, 4, loads);
    };
    expect_peak(rate({.machine = "gtx480", .settings = {"gpu.sms=1"}}, body, 8, 512, 1, counter_of("data", "lines")),
                1);
}

TEST(HierarchyBandwidth, Dwf07BankedCacheTakesAConflictFreeAccessACycle) {
    // 16 warps of 16, each its own line: no two words of a bank. Loads outnumber the three others 32 to 3.
    const auto body = [](unsigned rounds) {
        std::string loads;
        for (int i = 0; i < 32 * 8; ++i)
            loads += "ld.global.u32 %r9, [%rd2];\n";
        return loop(rounds, 4, loads);
    };
    expect_peak(rate({.machine = "dwf07", .settings = {"gpu.sms=1", "icache.size=64KiB"}}, body, 8, 256, 1,
                     counter_of("data", "loads")),
                1);
}

TEST(HierarchyBandwidth, Gtx480RequestNetworkTakesAFlitACycle) {
    // Stores of whole lines, four flits each (128 + 8 bytes in flits of 40), to lines that the L2 holds.
    const auto body = [](unsigned rounds) { return loop(rounds, 4, "st.global.u32 [%rd2], %r1;"); };
    expect_peak(rate({.machine = "gtx480", .settings = {"gpu.sms=1"}}, body, 100, 512, 3,
                     counter_of("request_network", "flits")),
                1);
}

TEST(HierarchyBandwidth, Gtx480ReplyNetworkGivesAnSmAFlitACycle) {
    // 1536 threads read 48 KiB again and again, 8 bytes each: three times the L1, which keeps nothing, within the L2.
    const auto body = [](unsigned rounds) {
        return loop(rounds, 32, "ld.global.v4.u32 {%r10,%r11,%r12,%r13}, [%rd2];");
    };
    expect_peak(rate({.machine = "gtx480", .settings = {"core.model=barrel", "gpu.sms=1", "llc.latency=1"}}, body, 40,
                     512, 3, counter_of("reply_network", "flits")),
                1);
}

TEST(HierarchyBandwidth, ASliceTakesARequestATick) {
    // All SMs read lines of slice 8, where the buffer begins: thread t of a warp t * 3072 bytes on. Flits that carry
    // any packet whole and a wide-open network leave the slice as the limit.
    const auto body = [](unsigned rounds) {
        return loop(rounds, 4, "and.b32 %r8, %r5, 31; mad.wide.u32 %rd4, %r8, 3072, %rd1; ld.global.u32 %r9, [%rd4];");
    };
    const RunSetup setup{.machine = "gtx480",
                         .settings = {"interconnect.flit_bytes=136", "dcache.size=1KiB", "dcache.ways=1",
                                      "dcache.allocate=fill", "llc.latency=1"}};
    expect_peak(rate(setup, body, 40, 64, 15, counter_of("slices", "requests")), 1);
}

TEST(HierarchyBandwidth, Gtx480Dram) {
    // 6 channels of 32 bytes a command clock, 33 of them in 25 core cycles.
    const auto body = [](unsigned rounds) {
        return loop(rounds, 4, "ld.global.u32 %r9, [%rd2]; add.u64 %rd2, %rd2, %rd3;");
    };
    const RunSetup setup{.machine = "gtx480", .buffer = 16 << 20};
    const double bytes = rate(setup, body, 40, 512, 45, counter_of("dram", "bytes"));
    // Of 3604 clocks all banks close their rows in 12, are refreshed for 61 and open rows again in 12.
    expect_peak(bytes, 6 * 32 * 33.0 / 25 * (3604 - 12 - 61 - 12) / 3604);
}

TEST(HierarchyBandwidth, Dwf07Dram) {
    // 8 modules of 8 bytes a cycle. 16 bytes a thread: four lines to a warp, 1024 lines on their way in all.
    const auto body = [](unsigned rounds) {
        return loop(rounds, 16, "ld.global.v4.u32 {%r10,%r11,%r12,%r13}, [%rd2]; add.u64 %rd2, %rd2, %rd3;");
    };
    const double bytes = rate({.machine = "dwf07", .buffer = 8 << 20}, body, 40, 256, 8, counter_of("dram", "bytes"));
    expect_peak(bytes, 8 * 8);
}

TEST(HierarchyBandwidth, MawsBulkMemoryBus) {
    // 16 bytes a cycle. 16 lines an SM cover only 4 * 16 * 32 bytes in some 340 cycles: more MSHRs, more warps.
    const auto body = [](unsigned rounds) {
        return loop(rounds, 32, "ld.global.u32 %r9, [%rd2]; add.u64 %rd2, %rd2, %rd3;");
    };
    const RunSetup setup{.machine = "maws-bulk", .settings = {"core.threads=128", "dcache.mshrs=0"}, .buffer = 4 << 20};
    expect_peak(rate(setup, body, 40, 32, 16, counter_of("dram", "bytes")), 16);
}

TEST(HierarchyBandwidth, MawsBulkMshrsLimitWhatIsOnItsWay) {
    // 16 lines of 32 bytes of each of 4 SMs. A line is away for 4 cycles of link, 3 network ticks less what has passed
    // of the first (7 to 10 cycles), 1, 300, 7 to 10 again, 4: from 323 to 329 cycles.
    const auto body = [](unsigned rounds) {
        return loop(rounds, 32, "ld.global.u32 %r9, [%rd2]; add.u64 %rd2, %rd2, %rd3;");
    };
    const double bytes = rate({.machine = "maws-bulk", .settings = {"core.threads=128"}, .buffer = 4 << 20}, body, 40,
                              32, 16, counter_of("dram", "bytes"));
    EXPECT_LE(bytes, 4 * 16 * 32 / 323.0);
    EXPECT_GE(bytes, 4 * 16 * 32 / 329.0 * 0.98);
}

TEST(HierarchyBandwidth, Lwm11Dram) {
    // 32 bytes a cycle. 16 bytes a thread: 16 KiB on their way, 512 cycles of the bus.
    const auto body = [](unsigned rounds) {
        return loop(rounds, 16, "ld.global.v4.u32 {%r10,%r11,%r12,%r13}, [%rd2]; add.u64 %rd2, %rd2, %rd3;");
    };
    expect_peak(rate({.buffer = 4 << 20}, body, 40, 1024, 1, counter_of("dram", "bytes")), 32);
}

} // namespace
} // namespace heddle::runtime
