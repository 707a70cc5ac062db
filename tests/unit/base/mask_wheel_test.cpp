#include <gtest/gtest.h>

#include "base/mask_wheel.h"

namespace heddle {
namespace {

using Wheel = MaskWheel<std::uint64_t>;

TEST(MaskWheel, CollectsWhatIsDueAndNothingElse) {
    Wheel wheel;
    EXPECT_EQ(wheel.next(), kNever);
    wheel.put(1, 105, 100);
    wheel.put(2, 103, 100);
    wheel.put(4, 105, 100);
    EXPECT_EQ(wheel.next(), 103U);
    EXPECT_EQ(wheel.collect(102), 0U);
    EXPECT_EQ(wheel.collect(103), 2U);
    EXPECT_EQ(wheel.next(), 105U);
    EXPECT_EQ(wheel.collect(104), 0U);
    EXPECT_EQ(wheel.collect(105), 5U);
    EXPECT_EQ(wheel.next(), kNever);
}

TEST(MaskWheel, CollectsSeveralMomentsAtOnce) {
    Wheel wheel;
    wheel.put(1, 61, 60);
    wheel.put(2, 66, 60); // round the end of the ring
    wheel.put(4, 70, 60);
    EXPECT_EQ(wheel.collect(66), 3U);
    EXPECT_EQ(wheel.next(), 70U);
}

TEST(MaskWheel, WhatLiesBeyondTheSpanIsDueAtItsEnd) {
    Wheel wheel;
    wheel.put(1, 63, 0);
    wheel.put(2, 64, 0);
    wheel.put(4, 1000, 0);
    EXPECT_EQ(wheel.next(), 63U);
    EXPECT_EQ(wheel.collect(63), 7U);
}

} // namespace
} // namespace heddle
