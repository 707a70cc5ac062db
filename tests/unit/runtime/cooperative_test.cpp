// Cooperative launches: memory for the grid's barrier, and room for all blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// Stores %envreg1 and %envreg2; waits in the second word behind that address until all blocks have come, and stores
// how many have.
const char* const kMeet = "mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %rd2, {%r2, %r1};\n"
                          "ld.param.u64 %rd1, [x]; st.global.v2.u32 [%rd1], {%r1, %r2};\n"
                          "setp.eq.u64 %p1, %rd2, 0; @%p1 ret;\n"
                          "mov.u32 %r3, %nctaid.x; mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd3, %r4, 4;\n"
                          "add.u64 %rd3, %rd3, %rd1; atom.global.add.u32 %r5, [%rd2+4], 1;\n"
                          "WAIT: ld.volatile.global.u32 %r6, [%rd2+4]; setp.lt.u32 %p1, %r6, %r3; @%p1 bra WAIT;\n"
                          "st.global.u32 [%rd3+8], %r6; ret;";

struct Meeting {
    LaunchResult result;
    std::vector<std::uint32_t> words;
};

Meeting meet(Device& device, std::uint32_t blocks, bool cooperative, unsigned launches = 1) {
    const KernelId kernel = device.kernel(device.load_module("test.ptx", module_of(kMeet)), "k");
    const Address x = device.allocate(1024, "x");
    std::vector<std::byte> parameters(8);
    std::memcpy(parameters.data(), &x, 8);
    Meeting out;
    for (unsigned i = 0; i < launches; ++i)
        out.result = device.launch(kernel, {{blocks, 1, 1}, {1, 1, 1}, 0, cooperative}, parameters);
    out.words.resize(256);
    device.read(out.words.data(), x, 1024);
    return out;
}

TEST(Cooperative, AllBlocksMeet) {
    for (const char* machine : {"lwm11", "gtx480"}) {
        Device device(config::Machine::load(machine, {}));
        const Meeting twice = meet(device, 5, true, 2); // the second finds the memory zeroed again
        EXPECT_NE(twice.words[0] | twice.words[1], 0U);
        for (unsigned block = 0; block < 5; ++block)
            EXPECT_EQ(twice.words[2 + block], 5U) << machine;
    }
}

TEST(Cooperative, OtherLaunchesHaveNoBarrier) {
    Device device(config::Machine::load("lwm11", {}));
    const Meeting alone = meet(device, 2, false);
    EXPECT_EQ(alone.words[0] | alone.words[1], 0U);
    EXPECT_EQ(alone.words[2], 0U);
}

TEST(Cooperative, AllBlocksNeedRoomAtOnce) {
    const auto refusal = [](const Options& options, std::uint32_t blocks) -> std::string {
        Device device(config::Machine::load("gtx480", {}), options);
        try {
            (void)meet(device, blocks, true);
        } catch (const UserError& e) {
            return e.what();
        }
        return "none";
    };
    // 15 SMs of 8 blocks, also without timing.
    EXPECT_EQ(refusal({}, 120), "none");
    EXPECT_THAT(refusal({}, 121), testing::HasSubstr("121 blocks, all of which have to run at once; 120 can"));
    Options functional;
    functional.functional = true;
    EXPECT_EQ(refusal(functional, 120), "none");
    EXPECT_THAT(refusal(functional, 121), testing::HasSubstr("121 blocks, all of which have to run at once; 120 can"));
}

// Blocks that wait for each other by instructions of the program in a launch that is not cooperative. A GPU has them
// all at once where there is room: here 15 SMs of 8 blocks.
TEST(Cooperative, BlocksOfOtherLaunchesMeetWithoutTiming) {
    Options functional;
    functional.functional = true;
    Device device(config::Machine::load("gtx480", {}), functional);
    const char* const meet_in_x = "ld.param.u64 %rd1, [x]; mov.u32 %r3, %nctaid.x; mov.u32 %r4, %ctaid.x;\n"
                                  "mul.wide.u32 %rd3, %r4, 4; add.u64 %rd3, %rd3, %rd1;\n"
                                  "atom.global.add.u32 %r5, [%rd1], 1;\n"
                                  "WAIT: ld.volatile.global.u32 %r6, [%rd1]; setp.lt.u32 %p1, %r6, %r3;\n"
                                  "@%p1 bra WAIT; st.global.u32 [%rd3+4], %r6; ret;";
    const KernelId kernel = device.kernel(device.load_module("test.ptx", module_of(meet_in_x)), "k");
    const Address x = device.allocate(1024, "x");
    std::vector<std::byte> parameters(8);
    std::memcpy(parameters.data(), &x, 8);
    device.launch(kernel, {{120, 1, 1}, {1, 1, 1}, 0, false}, parameters);
    std::vector<std::uint32_t> words(121);
    device.read(words.data(), x, 4 * words.size());
    for (const std::uint32_t word : words)
        EXPECT_EQ(word, 120U);
}

} // namespace
} // namespace heddle::runtime
