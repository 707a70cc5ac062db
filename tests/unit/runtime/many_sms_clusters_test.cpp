// Clusters on machines of several SMs: their SMs are simulated cycle by cycle, whatever the order of SMs and the number
// of host threads are otherwise.

#include <functional>

#include <gtest/gtest.h>

#include "many_sms.h"

namespace heddle::runtime {
namespace {

// Each thread stores its number, reads that of the same thread of the other block, and takes a ticket from a counter of
// the cluster's first block. Which thread gets which ticket depends on time.
TEST(ManySmsWithClusters, NeighboursAndTicketsInEveryOrder) {
    const std::string body =
        ".shared .align 4 .b8 s[256]; .shared .align 4 .b32 tickets;\n" + kMine +
        "mov.u32 %r5, s; mad.lo.u32 %r6, %r3, 4, %r5; st.shared.u32 [%r6], %r4;\n"
        "barrier.cluster.arrive; barrier.cluster.wait;\n"
        "mov.u32 %r7, %cluster_ctarank; xor.b32 %r7, %r7, 1; mapa.shared::cluster.u32 %r8, %r6, %r7;\n"
        "ld.shared::cluster.u32 %r9, [%r8];\n"
        "mapa.shared::cluster.u32 %r8, tickets, 0; atom.shared::cluster.add.u32 %r10, [%r8], 1;\n"
        "barrier.cluster.arrive; barrier.cluster.wait;\n"
        "mad.lo.u32 %r9, %r10, 65536, %r9; st.global.u32 [%rd2], %r9; ret;";
    for (const Shape& shape : kShapes) {
        const unsigned blocks = shape.sms * 4, pair = 2 * shape.threads;
        const Outcome run =
            in_every_order({.machine = shape.machine, .cluster = {2, 1, 1}}, body, shape.threads, blocks);
        ASSERT_EQ(run.error, "");
        std::vector<bool> taken(std::size_t{blocks} * shape.threads);
        for (unsigned t = 0; t < blocks * shape.threads; ++t) {
            const bool first = t % pair < shape.threads;
            EXPECT_EQ(run.words[t] & 0xffff, first ? t + shape.threads : t - shape.threads) << shape.machine;
            const std::uint32_t ticket = run.words[t] >> 16;
            ASSERT_LT(ticket, pair) << shape.machine;
            EXPECT_FALSE(taken[t / pair * pair + ticket]) << shape.machine;
            taken[t / pair * pair + ticket] = true;
        }
    }
}

// All blocks read behind the shared memory of the other block of their cluster. The first fault is always the same.
TEST(ManySmsWithClusters, AFaultInEveryOrder) {
    const std::string body = ".shared .align 4 .b8 s[256];\n" + kMine +
                             "mov.u32 %r5, s; mov.u32 %r7, %cluster_ctarank; xor.b32 %r7, %r7, 1;\n"
                             "mapa.shared::cluster.u32 %r8, %r5, %r7; ld.shared::cluster.u32 %r9, [%r8+256];\n"
                             "st.global.u32 [%rd2], %r9; ret;";
    for (const Shape& shape : kShapes) {
        const Outcome run = in_every_order({.machine = shape.machine, .cluster = {2, 1, 1}}, body, 1, shape.sms * 2);
        EXPECT_NE(run.error.find("shared memory of a block of the cluster"), std::string::npos) << run.error;
        EXPECT_EQ(run.result["status"], "failed");
    }
}

// The SM on which each block has run, of a kernel that stores %smid.
std::vector<std::uint32_t> sms_of(std::vector<std::string> settings, Dim3 cluster, unsigned blocks) {
    const std::string body = kMine + "mov.u32 %r5, %smid; st.global.u32 [%rd2], %r5; ret;";
    const RunSetup setup{.machine = "h100", .settings = std::move(settings), .cluster = cluster};
    std::vector<std::uint32_t> out = run_kernel_on(setup, body, 1, blocks).words;
    out.resize(blocks);
    return out;
}

// GPCs of 4, 2 and 4 SMs, in TPCs of two, which go to them in turn: SMs 0 1 6 7, SMs 2 3, SMs 4 5 8 9.
const std::vector<std::string> kSmallGpcs = {"gpu.sms=10", "gpc.sms=4 2 4", "core.blocks=1"};

TEST(ManySmsWithClusters, PairsAreInOneTpcAndGpcsTakeTurns) {
    EXPECT_EQ(sms_of(kSmallGpcs, {2, 1, 1}, 10), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

// The GPC of two SMs has no room for four blocks.
TEST(ManySmsWithClusters, AClusterIsInOneGpc) {
    EXPECT_EQ(sms_of(kSmallGpcs, {4, 1, 1}, 8), (std::vector<std::uint32_t>{0, 1, 6, 7, 4, 5, 8, 9}));
}

TEST(ManySmsWithClusters, AClusterThatFitsNoGpcIsRefused) {
    const std::string body = "ret;";
    const auto refusal = [&](std::vector<std::string> settings) -> std::string {
        try {
            return run_anyhow({.machine = "h100", .settings = std::move(settings), .cluster = {5, 1, 1}}, body, 1, 5)
                .error;
        } catch (const UserError& error) {
            return error.what();
        }
    };
    EXPECT_NE(refusal(kSmallGpcs).find("does not fit: a GPC holds 4"), std::string::npos) << refusal(kSmallGpcs);
    EXPECT_EQ(refusal({"gpu.sms=10", "gpc.sms=4 6", "core.blocks=1"}), "");
}

// Cycles of a kernel of two blocks, each of which executes `code` with %r8 as a place in the shared memory of block
// `rank` xor `other`. Constants are there: a miss of theirs would cover a part of the first load.
Cycle cycles_of(const std::string& code, unsigned other, const std::string& setting) {
    const std::string body = ".shared .align 16 .b8 s[1024];\n" + kMine +
                             "mov.u32 %r9, 0; mov.u32 %r5, s; mov.u32 %r7, %cluster_ctarank; xor.b32 %r7, %r7, " +
                             std::to_string(other) +
                             "; mapa.shared::cluster.u32 %r8, %r5, %r7;\n"
                             "barrier.cluster.arrive; barrier.cluster.wait;\n" +
                             code + "st.global.u32 [%rd2], %r9; barrier.cluster.arrive; barrier.cluster.wait; ret;";
    const RunSetup setup{.machine = "h100",
                         .settings = {"gpu.sms=2", "gpc.sms=2", "interconnect.link=1", "ccache_l0.size=0", setting},
                         .cluster = {2, 1, 1}};
    return run_kernel_on(setup, body, 32, 2).cycles;
}

std::string times(unsigned count, const std::function<std::string(unsigned)>& code) {
    std::string out;
    for (unsigned i = 0; i < count; ++i)
        out += code(i);
    return out;
}

// What twelve pieces of code need more at a setting than at another one, beyond what four need. (One of them may
// overlap with the start of the kernel.)
Cycle eight_more(const std::function<std::string(unsigned)>& code, unsigned other, const std::string& more,
                 const std::string& less) {
    const auto difference = [&](unsigned count) {
        return cycles_of(times(count, code), other, more) - cycles_of(times(count, code), other, less);
    };
    return difference(12) - difference(4);
}

// A chain of loads: the value, 0, is added to the address.
TEST(SharedMemoryOfOtherBlocks, HasALatencyOfItsOwn) {
    const auto load = [](unsigned) { return "ld.shared::cluster.u32 %r9, [%r8]; add.u32 %r8, %r8, %r9;\n"; };
    EXPECT_EQ(eight_more(load, 1, "cluster.latency=300", "cluster.latency=200"), 8 * 100U);
    EXPECT_EQ(eight_more(load, 0, "cluster.latency=300", "cluster.latency=200"), 0U) << "the own block's";
}

TEST(BarrierOfAClusterHere, ArrivesLater) {
    const auto barrier = [](unsigned) { return "barrier.cluster.arrive; barrier.cluster.wait;\n"; };
    EXPECT_EQ(eight_more(barrier, 1, "cluster.barrier=150", "cluster.barrier=100"), 8 * 50U);
}

} // namespace
} // namespace heddle::runtime
