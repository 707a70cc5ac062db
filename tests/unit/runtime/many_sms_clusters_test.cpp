// Clusters on machines of several SMs: their SMs are simulated cycle by cycle, whatever the order of SMs and the number
// of host threads are otherwise.

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
    const auto run = [&](std::vector<std::string> settings) {
        return run_anyhow({.machine = "h100", .settings = std::move(settings), .cluster = {5, 1, 1}}, body, 1, 5).error;
    };
    EXPECT_NE(run(kSmallGpcs).find("does not fit: a GPC holds 4"), std::string::npos) << run(kSmallGpcs);
    EXPECT_EQ(run({"gpu.sms=10", "gpc.sms=4 6", "core.blocks=1"}), "");
}

} // namespace
} // namespace heddle::runtime
