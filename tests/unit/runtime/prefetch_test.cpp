// Prefetching, bypassing and the replacement policies in whole machines: what is counted, what is refused, and that no
// value depends on them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "config/parameter.h"
#include "kernel_run.h"
#include "mem/cache/prefetcher.h"
#include "mem/cache/replacement.h"

namespace heddle::runtime {
namespace {

// A load of the line at x, and one `bytes` further on that waits for it: the buffer holds zeros.
std::string then_load(unsigned bytes, const std::string& load = "ld.global.u32") {
    return "ld.param.u64 %rd1, [x];\n" + load + " %r1, [%rd1];\ncvt.u64.u32 %rd2, %r1; add.u64 %rd1, %rd1, %rd2;\n" +
           load + " %r2, [%rd1+" + std::to_string(bytes) + "];\nret;";
}

KernelRun run(const std::string& machine, std::vector<std::string> settings, const std::string& body) {
    return run_kernel_on({.machine = machine, .settings = std::move(settings)}, body, 32);
}

TEST(Prefetch, TheNextLineIsThere) {
    const KernelRun none = run("lwm11", {}, then_load(128)); // straight to DRAM
    const KernelRun next = run("lwm11", {"dcache.prefetch=next-line"}, then_load(128));
    EXPECT_EQ(none.counter("dcache", "misses"), 2U);
    EXPECT_FALSE(none.result.at("stats").contains("dcache_prefetch"));
    EXPECT_EQ(next.counter("dcache", "misses"), 1U);
    EXPECT_EQ(next.counter("dcache", "hits"), 1U);
    EXPECT_EQ(next.counter("dcache_prefetch", "issued"), 2U); // the second is that of the first's use
    EXPECT_EQ(next.counter("dcache_prefetch", "useful"), 1U);
    EXPECT_EQ(next.counter("dcache_prefetch", "late"), 0U);
    EXPECT_LT(next.cycles + 50, none.cycles) << "a row hit takes 100 cycles";
}

TEST(Prefetch, AnAccessJoinsWhatIsOnItsWay) {
    const std::string body = "ld.param.u64 %rd1, [x]; ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128];\n"
                             "add.u32 %r3, %r1, %r2; ret;";
    const KernelRun next = run("gtx480", {"dcache.prefetch=next-line"}, body);
    EXPECT_EQ(next.counter("dcache_prefetch", "late"), 1U);
    EXPECT_EQ(next.counter("dcache_prefetch", "useful"), 0U);
    EXPECT_EQ(next.counter("dcache", "merges"), 1U);
    EXPECT_EQ(next.counter("dcache", "misses"), 1U);
}

TEST(Prefetch, ALineThatMakesRoomUnusedIsUseless) {
    // Two sets of one line: the second load's, three lines on, takes the place of the prefetched one.
    const KernelRun next =
        run("lwm11", {"dcache.prefetch=next-line", "dcache.size=256", "dcache.ways=1"}, then_load(3 * 128));
    EXPECT_EQ(next.counter("dcache_prefetch", "issued"), 2U);
    EXPECT_EQ(next.counter("dcache_prefetch", "useless"), 1U);
}

TEST(Prefetch, TheOnlyMshrEntryIsForMisses) {
    const KernelRun next = run("lwm11", {"dcache.prefetch=next-line", "dcache.mshrs=1"}, then_load(128));
    EXPECT_EQ(next.counter("dcache_prefetch", "issued"), 0U);
    EXPECT_EQ(next.counter("dcache_prefetch", "dropped_mshr"), 2U);
    EXPECT_EQ(next.counter("dcache", "misses"), 2U);
}

TEST(Prefetch, TheLastLevelPrefetchesForItsSlice) {
    // Both lines lie in one block of 256 bytes, that is in one slice.
    const KernelRun next = run("gtx480", {"llc.prefetch=next-line", "llc.interleave=256"}, then_load(128));
    EXPECT_GE(next.counter("llc_prefetch", "useful") + next.counter("llc_prefetch", "late"), 1U);
}

TEST(Prefetch, TheInstructionCacheRunsAhead) {
    std::string body;
    for (int i = 0; i < 200; ++i)
        body += "add.u32 %r1, %r1, 1;\n";
    const KernelRun none = run("lwm11", {}, body + "ret;");
    const KernelRun next = run("lwm11", {"icache.prefetch=next-line", "icache.prefetch_degree=4"}, body + "ret;");
    EXPECT_GT(next.counter("icache_prefetch", "useful") + next.counter("icache_prefetch", "late"), 10U);
    EXPECT_LT(next.cycles, none.cycles);
}

TEST(Prefetch, AStrideOfAWarpIsLearnt) {
    // Six loads of one instruction, 512 bytes apart, each after the other's data.
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r5, 0;\nagain: ld.global.u32 %r1, [%rd1];\n"
                             "cvt.u64.u32 %rd2, %r1; add.u64 %rd1, %rd1, %rd2; add.u64 %rd1, %rd1, 512;\n"
                             "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 6; @%p1 bra again; ret;";
    const KernelRun stride = run("lwm11", {"dcache.prefetch=stride"}, body);
    // The fourth access has its stride for the third time and prefetches the fifth's line, the fifth the sixth's.
    EXPECT_EQ(stride.counter("dcache_prefetch", "issued"), 3U);
    EXPECT_EQ(stride.counter("dcache_prefetch", "useful") + stride.counter("dcache_prefetch", "late"), 2U);
    EXPECT_GE(stride.counter("dcache_prefetch", "useful"), 1U) << "the fifth's comes with the fourth's";
    EXPECT_EQ(stride.counter("dcache", "misses"), 4U);
}

TEST(Prefetch, CoherentDataCachesPrefetchCopies) {
    const KernelRun next = run("maws-coherent", {"dcache.prefetch=next-line", "dcache.prefetch_degree=2"},
                               "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 128, %rd1;\n"
                               "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd2+4], %r2; ret;");
    EXPECT_GT(next.counter("dcache_prefetch", "issued"), 0U);
    for (unsigned thread = 0; thread < 32; ++thread)
        EXPECT_EQ(next.words.at(thread * 32 + 1), thread);
}

TEST(Bypass, OperatorsKeepLinesOut) {
    const std::vector<std::string> settings{"dcache.bypass=operators"};
    const KernelRun twice = run("gtx480", settings, then_load(4, "ld.global.cg.u32"));
    EXPECT_EQ(twice.counter("dcache_bypass", "bypasses"), 2U) << "the line did not enter the cache";
    EXPECT_EQ(twice.counter("dcache", "misses"), 2U);
    EXPECT_EQ(twice.counter("dcache", "fills"), 0U);
    const KernelRun plain = run("gtx480", settings, then_load(4));
    EXPECT_EQ(plain.counter("dcache_bypass", "accesses"), 0U);
    EXPECT_EQ(plain.counter("dcache", "hits"), 1U);
}

TEST(CachePolicies, ChangeNoValue) {
    // Each thread adds up words of all threads' lines and writes its sum beside them.
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 128, %rd1;\n"
                             "st.global.u32 [%rd2], %r1; bar.sync 0; mov.u32 %r5, 0; mov.u32 %r6, 0;\n"
                             "again: mad.wide.u32 %rd3, %r5, 128, %rd1; ld.global.u32 %r7, [%rd3];\n"
                             "add.u32 %r6, %r6, %r7; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 64;\n"
                             "@%p1 bra again; st.global.u32 [%rd2+4], %r6; ret;";
    std::vector<std::string> settings;
    for (const std::string& name : mem::replacements().names())
        settings.push_back("dcache.replacement=" + name);
    for (const std::string& name : mem::prefetchers().names())
        settings.push_back("dcache.prefetch=" + name);
    settings.insert(settings.end(), {"dcache.bypass=random", "dcache.bypass=global"});
    for (const std::string& setting : settings) {
        for (const char* machine : {"lwm11", "gtx480", "dwf07"}) {
            const KernelRun done = run_kernel_on(
                {.machine = machine, .settings = {setting, "dcache.size=2KiB", "dcache.mshrs=8"}}, body, 64);
            for (unsigned thread = 0; thread < 64; ++thread)
                ASSERT_EQ(done.words.at(thread * 32 + 1), 64U * 63 / 2) << setting << " on " << machine;
        }
    }
}

std::string refusal(const std::string& machine, std::vector<std::string> settings) {
    try {
        config::Machine::load(machine, settings);
    } catch (const UserError& e) {
        return e.what();
    }
    return "";
}

TEST(CachePolicies, WhatDoesNotFitIsRefused) {
    using testing::HasSubstr;
    EXPECT_THAT(refusal("gtx480", {"dcache.replacement=plru", "dcache.size=48KiB", "dcache.ways=6"}),
                HasSubstr("dcache.replacement = 'plru' cannot serve dcache.ways = 6: its tree needs a power of two"));
    EXPECT_THAT(refusal("lwm11", {"llc.prefetch=stride"}), HasSubstr("llc.size = 0"));
    EXPECT_THAT(refusal("lwm11", {"dcache.ideal=true", "dcache.prefetch=stride"}), HasSubstr("dcache.ideal = false"));
    EXPECT_THAT(refusal("lwm11", {"dcache.bypass=global"}), HasSubstr("a number of dcache.mshrs"));
    EXPECT_THAT(refusal("maws-coherent", {"llc.prefetch=stride"}), HasSubstr("would have to be recalled"));
    EXPECT_THAT(refusal("maws-coherent", {"dcache.bypass=global"}), HasSubstr("dcache.bypass"));
    EXPECT_THAT(refusal("lwm11", {"dcache.prefetch=nextline"}), HasSubstr("next-line"));
    EXPECT_EQ(refusal("maws-coherent", {"dcache.prefetch=stride", "dcache.replacement=ship"}), "");
}

} // namespace
} // namespace heddle::runtime
