#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "sm/sub_core/copy_arrivals.h"

namespace heddle::sm {
namespace {

// A barrier object that expects 256 bytes and no arrivals of threads beside one that has come: bits 40 and up are
// bytes, bit 63 the phase (src/ir/selection/barrier_object.cpp).
constexpr std::uint64_t kExpects256 = std::uint64_t{256} << 40 | std::uint64_t{1} << 20;
constexpr std::uint64_t kPhase = std::uint64_t{1} << 63;

class Arrivals : public testing::Test {
protected:
    [[nodiscard]] static std::vector<exec::CopyArrival> of(std::uint64_t& object, std::uint32_t bytes) {
        return {{reinterpret_cast<std::byte*>(&object), std::uint32_t{0} - bytes}};
    }
    void arrive(RowId row, std::uint64_t& object, std::uint32_t bytes) {
        std::vector<exec::CopyArrival> list = of(object, bytes);
        copies.arrive(row, list);
        EXPECT_TRUE(list.empty());
    }

    CopyArrivals copies{8, 4};
    std::uint64_t object = kExpects256;
};

TEST_F(Arrivals, TakeEffectWhenTheDataAreThere) {
    copies.begin(3, 1);
    arrive(1, object, 256);
    EXPECT_EQ(object, kExpects256);
    copies.end(3);
    EXPECT_EQ(object & kPhase, kPhase);
}

TEST_F(Arrivals, AreThoseOfTheLastCopyOfTheirRow) {
    copies.begin(3, 1);
    arrive(1, object, 128);
    copies.begin(5, 1);
    arrive(1, object, 128);
    copies.end(5); // the second copy is faster
    EXPECT_EQ(object >> 40, 128U);
    copies.end(3);
    EXPECT_EQ(object & kPhase, kPhase);
}

TEST_F(Arrivals, WithoutACopyOnItsWayTakeEffectAtOnce) {
    copies.begin(3, 1);
    copies.end(3);
    arrive(1, object, 256);
    EXPECT_EQ(object & kPhase, kPhase);
}

// Its shared memory may be another block's next.
TEST_F(Arrivals, OfARowThatEndsTakeEffect) {
    copies.begin(3, 1);
    arrive(1, object, 256);
    copies.end_row(1);
    EXPECT_EQ(object & kPhase, kPhase);
    object = kExpects256;
    copies.end(3);
    EXPECT_EQ(object, kExpects256);
}

TEST_F(Arrivals, OfAStoppedLaunchAreForgotten) {
    copies.begin(3, 1);
    arrive(1, object, 256);
    copies.begin_kernel();
    copies.end(3);
    EXPECT_EQ(object, kExpects256);
}

} // namespace
} // namespace heddle::sm
