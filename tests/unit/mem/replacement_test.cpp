#include <gtest/gtest.h>

#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

using Order = Replacement::Order;

TEST(Replacement, LruAndFifoLeaveTheChoiceToStamps) {
    EXPECT_EQ(replacements().make("lru", {8, 4})->order(), Order::Use);
    EXPECT_EQ(replacements().make("fifo", {8, 4})->order(), Order::Arrival);
    for (const char* name : {"random", "plru", "srrip", "brrip", "drrip", "ship"})
        EXPECT_EQ(replacements().make(name, {8, 4})->order(), Order::Own) << name;
}

TEST(Replacement, RandomDrawsFromSplitMix64) {
    // The published sequence of SplitMix64 with seed 1234567, and its numbers modulo 4.
    //   6457827717110365317: 1, 3203168211198807973: 1, 9817491932198370423: 3, 4593380528125082431: 3,
    //   16408922859458223821: 1
    const auto four = replacements().make("random", {1, 8, 1234567});
    for (const unsigned way : {1U, 1U, 3U, 3U, 1U})
        EXPECT_EQ(four->victim(0, 0b1111, {}), way);
    // The same draws among ways 1, 2, 4 and 7.
    const auto some = replacements().make("random", {1, 8, 1234567});
    for (const unsigned way : {2U, 2U, 7U, 7U, 2U})
        EXPECT_EQ(some->victim(0, 0b10010110, {}), way);
}

} // namespace
} // namespace heddle::mem
