// The cache of one slice of several sees only the addresses of its slice, and has all its sets for them.

#include <algorithm>
#include <tuple>

#include "slice_rig.h"

namespace heddle::mem {
namespace {

class SlicesCache : public testing::TestWithParam<std::tuple<unsigned, std::string, std::string>> {};

TEST_P(SlicesCache, HoldsAsMuchAsItsSize) {
    const unsigned number = 5;
    LlcConfig config;
    std::tie(config.slices, config.slice_index, config.index) = GetParam();
    config.line = 64;
    config.ways = 4;
    config.size = std::uint64_t{16384} * config.slices; // 64 sets of 4 lines a slice
    config.latency = 1;
    const Interleave interleave(config, 1);
    std::vector<Address> lines; // the first 256 of slice 5: four to a block
    for (Address address = 0; lines.size() < 256; address += 64)
        if (interleave.slice_of(address) == number)
            lines.push_back(address);
    SliceRig rig(config, number);
    rig.channel.room = 10000;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        rig.read(1000 * (i + 1), lines[i]);
        rig.run_to(1000 * (i + 1) + 1);
        rig.done(i, 1000 * (i + 1) + 100);
        rig.slice.take_answer(1000 * (i + 1) + 100);
        EXPECT_EQ(rig.channel.pushed[i].request.address, interleave.in_channel(interleave.in_slice(lines[i]), number));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        rig.read(1000 * (i + 1001), lines[i]);
        rig.run_to(1000 * (i + 1001) + 1);
        ASSERT_NE(rig.slice.next_answer(), kNever) << "line " << i << " was put out";
        rig.slice.take_answer(1000 * (i + 1001) + 1);
    }
    // A dirty one goes back to where it came from.
    rig.write(2000000, lines[7], 32, Requester::None);
    for (Address address = lines.back() + 64, n = 0; n < 1024; address += 64)
        if (interleave.slice_of(address) == number) {
            rig.write(2001000 + 1000 * n, address, 64, Requester::None);
            rig.run_to(2001000 + 1000 * n + 999);
            ++n;
        }
    std::vector<Address> written;
    for (const FakeChannel::Pushed& pushed : rig.channel.pushed)
        if (pushed.request.use == DramUse::Write)
            written.push_back(pushed.request.address);
    ASSERT_FALSE(written.empty());
    EXPECT_EQ(std::count(written.begin(), written.end(), interleave.in_channel(interleave.in_slice(lines[7]), number)),
              1);
}

INSTANTIATE_TEST_SUITE_P(, SlicesCache,
                         testing::Combine(testing::Values(8, 12), testing::Values("linear", "hashed"),
                                          testing::Values("linear", "hashed")));

} // namespace
} // namespace heddle::mem
