#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "mem/system/interleave.h"

namespace heddle::mem {
namespace {

LlcConfig config_of(std::uint64_t slices, std::string index = "linear") {
    LlcConfig config;
    config.slices = slices;
    config.slice_index = std::move(index);
    return config; // blocks of 256 bytes
}

TEST(Interleave, LinearBlocksTakeTurns) {
    const Interleave interleave(config_of(12), 6);
    EXPECT_EQ(interleave.slice_of(0), 0U);
    EXPECT_EQ(interleave.slice_of(255), 0U);
    EXPECT_EQ(interleave.slice_of(256), 1U);
    EXPECT_EQ(interleave.slice_of(11 * 256), 11U);
    EXPECT_EQ(interleave.slice_of(12 * 256), 0U);
    EXPECT_EQ(interleave.channel_of(0), 0U);
    EXPECT_EQ(interleave.channel_of(1), 0U);
    EXPECT_EQ(interleave.channel_of(2), 1U);
    EXPECT_EQ(interleave.channel_of(11), 5U);
}

TEST(Interleave, AddressesInTheSliceAndTheChannelByHand) {
    const Interleave interleave(config_of(12), 6);
    // Block 25 = 2 * 12 + 1 is the third of slice 1, the second slice of channel 0: block 2 * 2 + 1 there.
    const Address address = 25 * 256 + 17;
    EXPECT_EQ(interleave.slice_of(address), 1U);
    EXPECT_EQ(interleave.in_slice(address), 2 * 256 + 17U);
    EXPECT_EQ(interleave.in_channel(interleave.in_slice(address), 1), 5 * 256 + 17U);
}

TEST(Interleave, HashedOrderDependsOnHigherBits) {
    const Interleave interleave(config_of(4, "hashed"), 1);
    EXPECT_EQ(interleave.slice_of(0), 0U);
    EXPECT_EQ(interleave.slice_of(3 * 256), 3U);
    EXPECT_EQ(interleave.slice_of(4 * 256), 1U);           // group 1: rotated by 1
    EXPECT_EQ(interleave.slice_of((4 * 3 + 2) * 256), 1U); // group 3: (2 + 3) mod 4
    EXPECT_EQ(interleave.slice_of(4 * 64 * 256), 1U);      // group 64: 64 ^ 64 >> 6 = 65, 65 mod 4
}

// Remainders by x^4 + x + 1, by hand: x^4 = x + 1, x^5 = x^2 + x, x^8 = x^2 + 1.
TEST(Interleave, PolynomialOrderByHand) {
    const Interleave interleave(config_of(16, "ipoly"), 1);
    EXPECT_EQ(interleave.slice_of(5 * 256), 5U);
    EXPECT_EQ(interleave.slice_of(16 * 256), 3U);
    EXPECT_EQ(interleave.slice_of(17 * 256), 2U);
    EXPECT_EQ(interleave.slice_of(32 * 256), 6U);
    EXPECT_EQ(interleave.slice_of(256 * 256), 5U);
    EXPECT_EQ(interleave.slice_of((256 + 16 + 1) * 256), 5U ^ 3U ^ 1U);
}

// No stride of a power of two, up to the square of the number of slices, leaves a slice without requests.
TEST(Interleave, PolynomialOrderSpreadsStrides) {
    const Interleave interleave(config_of(64, "ipoly"), 1);
    for (unsigned stride = 1; stride <= 4096; stride *= 2) {
        std::set<unsigned> used;
        for (unsigned i = 0; i < 64; ++i)
            used.insert(interleave.slice_of(Address{i} * stride * 256));
        EXPECT_EQ(used.size(), 64U) << stride;
    }
}

TEST(Interleave, ChannelsOfASliceByHand) {
    const Interleave linear(config_of(2), 4);
    EXPECT_EQ(linear.channel_of(1), 2U);
    EXPECT_EQ(linear.channels_of_slice(), 2U);
    // Block 7 of slice 1 is the fourth of its second channel.
    EXPECT_EQ(linear.channel_in_slice(7 * 256 + 17), 1U);
    EXPECT_EQ(linear.in_channel(7 * 256 + 17, 1), 3 * 256 + 17U);
    const Interleave hashed(config_of(2, "hashed"), 4);
    EXPECT_EQ(hashed.channel_in_slice(7 * 256), 0U); // round 3: (1 + 3) mod 2
    EXPECT_EQ(hashed.in_channel(7 * 256, 1), 3 * 256U);
}

// Slices, channels, index.
class EveryInterleave : public testing::TestWithParam<std::tuple<unsigned, unsigned, std::string>> {};

TEST_P(EveryInterleave, FillsEachChannelWithoutGapsOrOverlaps) {
    const auto [slices, channels, index] = GetParam();
    const Interleave interleave(config_of(slices, index), channels);
    const unsigned groups = 300;
    std::vector<std::set<Address>> blocks(channels); // of each channel
    std::vector<unsigned> of_slice(slices);
    for (Address block = 0; block < Address{groups} * slices; ++block) {
        const Address address = block * 256 + block % 256;
        const unsigned slice = interleave.slice_of(address);
        ASSERT_LT(slice, slices);
        ++of_slice[slice];
        EXPECT_EQ(interleave.address_of(interleave.in_slice(address), slice), address);
        const Address local = interleave.in_channel(interleave.in_slice(address), slice);
        EXPECT_EQ(local % 256, block % 256);
        const unsigned channel =
            interleave.channel_of(slice) + interleave.channel_in_slice(interleave.in_slice(address));
        EXPECT_TRUE(blocks[channel].insert(local / 256).second) << "two blocks in one place";
    }
    for (const unsigned count : of_slice)
        EXPECT_EQ(count, groups);
    for (const std::set<Address>& places : blocks) {
        EXPECT_EQ(places.size(), groups * slices / channels);
        EXPECT_EQ(*places.rbegin(), groups * slices / channels - 1); // none is left out
    }
}

INSTANTIATE_TEST_SUITE_P(
    , EveryInterleave,
    testing::Values(std::tuple(96, 48, "linear"), std::tuple(96, 32, "hashed"), std::tuple(1000, 500, "hashed"),
                    std::tuple(1, 1, "linear"), std::tuple(8, 8, "linear"), std::tuple(8, 2, "hashed"),
                    std::tuple(12, 6, "linear"), std::tuple(12, 6, "hashed"), std::tuple(7, 1, "hashed"),
                    std::tuple(64, 4, "hashed"), std::tuple(64, 32, "ipoly"), std::tuple(16, 1, "ipoly"),
                    std::tuple(10, 20, "linear"), std::tuple(10, 30, "hashed"), std::tuple(16, 32, "ipoly")));

} // namespace
} // namespace heddle::mem
