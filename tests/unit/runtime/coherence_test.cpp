// Coherent data caches in whole machines: what is counted of kernels that share lines, random kernels on machines of
// many shapes, and what a machine with a directory cannot be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../fermi.h"
#include "random_run.h"

namespace heddle::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kBlock = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %ctaid.x;\n";

std::uint64_t coherence(const KernelRun& run, const char* counter) {
    return run.counter("coherence", counter);
}

// Four SMs read one line at once. Memory gets one request. When the line is there, the first SM gets it alone, then it
// is downgraded for the second, and the other two wait for this.
TEST(Coherence, ReadersOfOneLine) {
    const KernelRun run = run_kernel_on({.machine = "maws-coherent"}, kBlock + "ld.global.u32 %r2, [%rd1]; ret;", 1, 4);
    EXPECT_EQ(coherence(run, "gets"), 4);
    EXPECT_EQ(coherence(run, "exclusive_grants"), 1);
    EXPECT_EQ(coherence(run, "downgrades"), 1);
    EXPECT_EQ(coherence(run, "acknowledgements"), 1);
    EXPECT_EQ(coherence(run, "forwarded"), 0);
    EXPECT_EQ(coherence(run, "waits"), 2);
    EXPECT_EQ(coherence(run, "messages"), 2); // probe and answer, a flit each
    EXPECT_EQ(coherence(run, "flits"), 2);
    EXPECT_EQ(run.counter("dcache", "misses"), 4);
}

// Four SMs write one line at once: each gets it from the one before, dirty.
TEST(Coherence, WritersOfOneLine) {
    const KernelRun run = run_kernel_on({.machine = "maws-coherent"}, kBlock + "st.global.u32 [%rd1], %r1; ret;", 1, 4);
    EXPECT_EQ(coherence(run, "getm"), 4);
    EXPECT_EQ(coherence(run, "invalidations"), 3);
    EXPECT_EQ(coherence(run, "forwarded"), 3);
    EXPECT_EQ(coherence(run, "acknowledgements"), 0);
    EXPECT_EQ(coherence(run, "waits"), 2);
    EXPECT_EQ(coherence(run, "write_backs"), 0); // three went, the last one stays
    EXPECT_EQ(run.counter("dram", "writes"), 0);
}

// Blocks of 32 bytes are apart although a line of the last level holds four: no SM takes another's.
TEST(Coherence, WritersOfBlocksOfOneLine) {
    const KernelRun run =
        run_kernel_on({.machine = "maws-coherent"},
                      kBlock + "mad.wide.u32 %rd2, %r1, 32, %rd1; st.global.u32 [%rd2], %r1; ret;", 1, 4);
    EXPECT_EQ(coherence(run, "getm"), 4);
    EXPECT_EQ(coherence(run, "messages"), 0);
    EXPECT_EQ(coherence(run, "waits"), 0);
}

// All four read the line, and write it long after: they share it, so they need the permission to write. The first
// upgrade invalidates the copies of the others, whose upgrades then bring the line in turn.
TEST(Coherence, UpgradesOfOneLine) {
    const KernelRun run =
        run_kernel_on({.machine = "maws-coherent"},
                      kBlock + "ld.global.u32 %r2, [%rd1];\n"
                               "wait: mov.u64 %rd2, %clock64; setp.lt.u64 %p1, %rd2, 5000; @%p1 bra wait;\n"
                               "st.global.u32 [%rd1], %r1; ret;",
                      1, 4);
    EXPECT_EQ(coherence(run, "upgrades"), 4);
    EXPECT_EQ(coherence(run, "lost_upgrades"), 3);
    EXPECT_EQ(coherence(run, "getm"), 0);
    EXPECT_EQ(coherence(run, "invalidations"), 3 + 3); // the first one's three sharers, then each owner
    EXPECT_EQ(coherence(run, "downgrades"), 1);
    EXPECT_EQ(coherence(run, "forwarded"), 3);
    EXPECT_EQ(coherence(run, "acknowledgements"), 1 + 3);
    // 7 probes and their answers, 4 upgrades, one of which is granted without data.
    EXPECT_EQ(coherence(run, "messages"), 2 * 7 + 4 + 1);
}

// Block 0 has read the line. Of block 1, on another SM, warp 0 reads it and warp 1 writes it a little later, long
// before the line can have come: the store joins the load's miss, which brings a shared line, and then needs an
// upgrade.
TEST(Coherence, AStoreThatJoinsALoad) {
    const KernelRun run =
        run_kernel_on({.machine = "maws-coherent"},
                      kBlock + "setp.ne.u32 %p1, %r1, 0; @%p1 bra later; ld.global.u32 %r2, [%rd1]; ret;\n"
                               "later: mov.u32 %r3, %tid.x; setp.lt.u32 %p2, %r3, 8; mov.u64 %rd3, 5040;\n"
                               "@%p2 mov.u64 %rd3, 5000;\n"
                               "wait: mov.u64 %rd2, %clock64; setp.lt.u64 %p1, %rd2, %rd3; @%p1 bra wait;\n"
                               "@%p2 ld.global.u32 %r2, [%rd1]; @!%p2 st.global.u32 [%rd1], %r3; ret;",
                      16, 2);
    EXPECT_EQ(coherence(run, "gets"), 2);
    EXPECT_EQ(coherence(run, "getm"), 0);
    EXPECT_EQ(coherence(run, "late_upgrades"), 1);
    EXPECT_EQ(coherence(run, "upgrades"), 1);
    EXPECT_EQ(coherence(run, "downgrades"), 1);
    EXPECT_EQ(coherence(run, "invalidations"), 1);
}

TEST(Coherence, RandomKernelsOnMachinesOfManyShapes) {
    const std::vector<std::vector<std::string>> shapes = {
        {"dcache.size=256", "dcache.ways=1", "llc.size=4KiB", "llc.ways=1"},
        {"dcache.size=256", "dcache.ways=8", "llc.size=2KiB", "llc.ways=4"},
        {"dcache.line=128", "dcache.size=1KiB"},
        {"llc.line=32", "llc.size=16KiB", "dcache.size=1KiB"},
        {"llc.line=1024", "llc.interleave=1024", "llc.size=64KiB", "llc.ways=2", "dcache.line=16"},
        {"llc.slices=1", "llc.size=8KiB", "dcache.size=512"},
        {"llc.slices=16", "llc.slice_index=hashed", "llc.size=32KiB", "llc.ways=4", "dcache.size=512"},
        {"dcache.replacement=random", "llc.replacement=random", "llc.size=8KiB", "llc.ways=8", "dcache.size=512"},
        {"dcache.mshrs=1", "dcache.merges=1", "llc.mshrs=1", "llc.queue=1", "interconnect.input_flits=1",
         "interconnect.output_flits=1", "llc.size=8KiB", "llc.ways=4", "dcache.size=512"},
        {"dcache.mshrs=0", "llc.mshrs=0", "llc.size=8KiB", "llc.ways=4", "dcache.size=512"},
        {"dcache.merges=2", "llc.merges=2", "dcache.size=512"},
        {"gpu.sms=1", "llc.size=8KiB", "llc.ways=4", "dcache.size=512"},
        {"gpu.sms=64", "llc.size=16KiB", "llc.ways=4", "dcache.size=512"},
        {"ccache.size=1KiB", "dcache.size=512"},
        fermi({"dcache.size=512", "llc.size=8KiB", "llc.ways=4"}),
        {"core.model=barrel", "core.formation=mimd", "dcache.size=512", "llc.size=8KiB", "llc.ways=4"},
        {"core.formation=maws", "dcache.size=512", "llc.size=8KiB", "llc.ways=4"},
        {"core.model=barrel", "core.formation=dwf", "dcache.size=512", "llc.size=8KiB", "llc.ways=4"},
        {"dcache.banks=0", "dcache.size=512", "llc.size=8KiB", "llc.ways=4"},
        {"dram.model=timed", "dram.queue=1", "dram.banks=4", "llc.size=8KiB", "llc.ways=4", "dcache.size=512"},
        {"interconnect.link=100", "llc.size=8KiB", "llc.ways=4", "dcache.size=512"},
        {"interconnect.flit_bytes=8", "interconnect.clock_mhz=3000", "llc.clock_mhz=90", "dcache.size=512"},
    };
    std::uint64_t seed = 500;
    for (const auto& settings : shapes)
        for (unsigned i = 0; i < 3; ++i)
            check("maws-coherent", settings, ++seed, 30, 24);
    // Machines that the papers have without.
    const std::vector<std::string> mesi = {"llc.coherence=mesi",         "llc.line=128",
                                           "dcache.write=back",          "dcache.write_local=back",
                                           "dcache.write_allocate=true", "dcache.flush=never"};
    const auto and_size = [&](const char* size, const char* ways) {
        std::vector<std::string> settings = mesi;
        settings.insert(settings.end(), {size, ways, "llc.allocate=miss", "dcache.allocate=miss"});
        return settings;
    };
    check("dwf07", and_size("llc.size=32KiB", "llc.ways=4"), ++seed, 30, 60);
    check("gtx480", and_size("llc.size=96KiB", "llc.ways=8"), ++seed, 30, 60);
    check("gtx480", and_size("llc.size=768KiB", "llc.ways=8"), ++seed, 30, 60);
}

std::string refusal(const std::vector<std::string>& settings) {
    try {
        static_cast<void>(config::Machine::load("maws-coherent", settings));
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(Coherence, WhatADirectoryCannotHaveIsToldWithItsPlace) {
    EXPECT_EQ(refusal({}), "");
    const std::pair<const char*, const char*> wrong[] = {
        {"dcache.write=through", "dcache.write = 'through'"},
        {"dcache.write_local=evict", "dcache.write_local = 'evict'"},
        {"dcache.write_allocate=false", "dcache.write_allocate = false"},
        {"dcache.flush=kernel", "dcache.flush = 'kernel'"},
        {"dcache.allocate=fill", "dcache.allocate = 'fill'"},
        {"dcache.ideal=true", "dcache.ideal = true"},
        {"llc.allocate=fill", "llc.allocate = 'fill'"},
        {"llc.size=0", "llc.size = 0"},
        {"interconnect.kind=none", "interconnect.kind = 'none'"},
    };
    for (const auto& [setting, told] : wrong) {
        EXPECT_THAT(refusal({setting}), AllOf(HasSubstr(told), HasSubstr("llc.coherence = 'mesi' needs"),
                                              HasSubstr("command line"), HasSubstr("maws-coherent.toml:")));
    }
}

} // namespace
} // namespace heddle::runtime
