#include "exec/memory_image.h"

#include <cstring>

#include <gtest/gtest.h>

namespace heddle::exec {
namespace {

TEST(MemoryImage, BlocksAreAlignedApartAndZeroed) {
    MemoryImage image(1 << 20);
    const Address a = image.allocate(100, "a");
    const Address b = image.allocate(256, "b");
    EXPECT_EQ(a % 256, 0U);
    EXPECT_EQ(b, a + 512); // one granule of a, one to guard
    EXPECT_EQ(image.bytes_allocated(), 512U);
    for (int i = 0; i < 256; ++i)
        EXPECT_EQ(image.host(b)[i], std::byte{0});
    const Address c = image.allocate(10, "c", false, 4096);
    EXPECT_EQ(c % 4096, 0U);
    EXPECT_EQ(image.allocate(300, "d"), b + 512); // the gap before c is used
}

// A large array of malloc: pages of its own, with one page between it and the next.
TEST(MemoryImage, PlacementIsByAlignmentAndGap) {
    MemoryImage image(1 << 22, {.alignment = 4096, .gap = 4000}); // 4096 in granules
    const Address a = image.allocate(1 << 20, "a");
    EXPECT_EQ(a % 4096, 0U);
    EXPECT_EQ(image.allocate(100, "b"), a + (1 << 20) + 4096);
    EXPECT_EQ(image.allocate(100, "c"), a + (1 << 20) + 3 * 4096); // b ends at 256, its gap at 4352
    EXPECT_TRUE(image.release(a));
    EXPECT_EQ(image.allocate((1 << 20) + 1, "d"), a + (1 << 20) + 5 * 4096); // a's gap is no place for d
    EXPECT_EQ(image.allocate(1 << 20, "e"), a);
}

TEST(MemoryImage, BoundsAreExactToTheByte) {
    MemoryImage image(1 << 20);
    const Address a = image.allocate(100, "a");
    EXPECT_EQ(image.find(a - 1, 1), nullptr);
    ASSERT_NE(image.find(a, 100), nullptr);
    EXPECT_EQ(image.find(a, 100)->label, "a");
    EXPECT_NE(image.find(a + 99, 1), nullptr);
    EXPECT_EQ(image.find(a + 97, 4), nullptr);
    EXPECT_EQ(image.find(a + 100, 1), nullptr);
    EXPECT_EQ(image.find(a, ~std::uint64_t{0}), nullptr);
    EXPECT_EQ(image.find(0, 4), nullptr);
}

TEST(MemoryImage, CapacityCountsWholeGranules) {
    MemoryImage image(1024);
    EXPECT_NE(image.allocate(257, "a"), 0U);
    EXPECT_EQ(image.bytes_allocated(), 512U);
    EXPECT_EQ(image.allocate(513, "b"), 0U);
    EXPECT_NE(image.allocate(512, "c"), 0U);
    EXPECT_EQ(image.allocate(1, "d"), 0U);
    EXPECT_EQ(MemoryImage(1024).allocate(~std::uint64_t{0}, "x"), 0U);
}

TEST(MemoryImage, FreedRangesAreReusedLowestFirstAndZeroedAgain) {
    MemoryImage image(1 << 20);
    const Address a = image.allocate(1000, "a");
    const Address b = image.allocate(70000, "b");
    const Address c = image.allocate(1000, "c");
    std::memset(image.host(a), 1, 1000);
    std::memset(image.host(b), 1, 70000);
    EXPECT_TRUE(image.release(b));
    EXPECT_FALSE(image.release(b));
    EXPECT_FALSE(image.release(a + 4));
    EXPECT_EQ(image.find(b, 1), nullptr);
    EXPECT_TRUE(image.release(a));
    const Address d = image.allocate(71000, "d"); // a and b together, their guards included
    EXPECT_EQ(d, a);
    for (std::uint64_t i = 0; i < 71000; ++i)
        ASSERT_EQ(image.host(d)[i], std::byte{0}) << i;
    EXPECT_GT(image.allocate(1000, "e"), c);
}

TEST(MemoryImage, NearestNamesFreedOnesUntilTheirRangeIsGivenAway) {
    MemoryImage image(1 << 20);
    EXPECT_EQ(image.nearest(kGlobalBase), nullptr);
    const Address a = image.allocate(256, "a");
    const Address b = image.allocate(256, "b");
    EXPECT_EQ(image.nearest(a + 256)->label, "a");
    EXPECT_EQ(image.nearest(b - 1)->label, "b");
    EXPECT_EQ(image.nearest(0)->label, "a");
    EXPECT_EQ(image.nearest(~Address{0})->label, "b");
    ASSERT_TRUE(image.release(b));
    ASSERT_EQ(image.nearest(b + 3)->label, "b");
    EXPECT_FALSE(image.nearest(b + 3)->live);
    EXPECT_EQ(image.allocate(10, "c"), b);
    EXPECT_EQ(image.nearest(b + 3)->label, "c");
}

#ifndef HEDDLE_SANITIZED // whose shadow memory lies at the device's addresses
TEST(MemoryImage, TheProgramHasSharedMemoryAtTheSameAddress) {
    MemoryImage image(1 << 20);
    const Address before = image.allocate(100, "before");
    const Address shared = image.allocate_shared(5000, "shared");
    const Address behind = image.allocate(100, "behind");
    ASSERT_NE(shared, 0U);
    EXPECT_TRUE(image.find(shared, 5000)->shared);
    EXPECT_EQ(image.find(shared, 5001), nullptr);
    EXPECT_EQ(image.bytes_allocated(), 256 + 8192 + 256);
    auto* const program = reinterpret_cast<unsigned char*>(shared);
    EXPECT_EQ(program[4999], 0);
    program[4999] = 7;
    EXPECT_EQ(image.host(shared)[4999], std::byte{7});
    image.host(shared)[0] = std::byte{9};
    EXPECT_EQ(program[0], 9);
    *image.host(before) = *image.host(behind) = std::byte{1};
    ASSERT_TRUE(image.release(shared));
    EXPECT_EQ(image.bytes_allocated(), 512U);
    EXPECT_EQ(*image.host(before), std::byte{1});
    EXPECT_EQ(*image.host(behind), std::byte{1});
    EXPECT_EQ(image.host(shared)[4999], std::byte{0}); // as all memory that is given out
    EXPECT_EQ(image.allocate_shared(8192, "again"), shared);
    EXPECT_EQ(program[4999], 0);
}

TEST(MemoryImage, SharedMemoryNeedsTheAddress) {
    MemoryImage one(1 << 20), other(1 << 20);
    const Address shared = one.allocate_shared(64, "shared");
    ASSERT_NE(shared, 0U);
    EXPECT_EQ(other.allocate_shared(64, "shared"), 0U);
    EXPECT_EQ(other.bytes_allocated(), 0U);
    EXPECT_NE(other.allocate(64, "own"), 0U);
    ASSERT_TRUE(one.release(shared));
    EXPECT_NE(other.allocate_shared(64, "shared"), 0U);
    EXPECT_EQ(one.allocate_shared(1 << 21, "too much"), 0U);
}

TEST(MemoryImage, PinnedMemoryIsTheProgramsAndOutOfTheWay) {
    MemoryImage with(1 << 20), without(1 << 20);
    const Address one = with.allocate_pinned(2 << 20, "one"); // more than the device has
    const Address other = with.allocate_pinned(100, "other");
    ASSERT_NE(one, 0U);
    ASSERT_NE(other, 0U);
    EXPECT_LE(other + 4096, one);
    EXPECT_EQ(with.bytes_allocated(), 0U);
    EXPECT_EQ(with.allocate(1 << 20, "all"), without.allocate(1 << 20, "all"));
    auto* const program = reinterpret_cast<unsigned char*>(other);
    program[99] = 5;
    EXPECT_EQ(with.host(other)[99], std::byte{5});
    EXPECT_EQ(with.find(other, 101), nullptr);
    // Vector code reads a margin on either side.
    EXPECT_EQ(with.host(one)[-256], std::byte{0});
    EXPECT_EQ(with.host(one)[(2 << 20) + 255], std::byte{0});
    ASSERT_TRUE(with.release(one));
    EXPECT_EQ(with.bytes_allocated(), std::uint64_t{1} << 20);
    EXPECT_EQ(with.allocate_pinned(2 << 20, "again"), one);
    EXPECT_EQ(*reinterpret_cast<unsigned char*>(one), 0);
    EXPECT_EQ(with.allocate_pinned(~std::uint64_t{0}, "too much"), 0U);
}
#endif

} // namespace
} // namespace heddle::exec
