// Where threads that wait go on: those of a row at one place or at several.
#include <gtest/gtest.h>

#include "formation/waiting_threads.h"

namespace heddle::formation {
namespace {

using Next = WaitingThreads::Next;

TEST(WaitingThreads, ThoseOfARowThatGoOnAlikeAreAskedAboutOnce) {
    WaitingThreads threads(2, 8);
    threads.wait({1, 0b0011}, {7, 2});
    threads.wait({1, 0b1100}, {7, 2});
    threads.wait({0, 0b0001}, {9, 0});
    Next next;
    ASSERT_TRUE(threads.go_on_alike({1, 0b0110}, next));
    EXPECT_EQ(next, (Next{7, 2}));
    EXPECT_FALSE(threads.go_on_alike({1, 0b0110}, next)) << "they have gone on";
    ASSERT_TRUE(threads.go_on_alike({1, 0b1001}, next));
    ASSERT_TRUE(threads.go_on_alike({0, 0b0001}, next));
    EXPECT_EQ(next, (Next{9, 0}));
}

TEST(WaitingThreads, EachGoesOnWhereItWaited) {
    WaitingThreads threads(1, 8);
    threads.wait({0, 0b00000111}, {7, 0});
    threads.wait({0, 0b00111000}, {8, 0});
    threads.wait({0, 0b11000000}, {7, 1}); // the PC alone does not make them alike
    Next next;
    EXPECT_FALSE(threads.go_on_alike({0, 0b11111111}, next));
    EXPECT_EQ(threads.first_goes_on(0, 0b00000110), (Next{7, 0})); // the first of them
    EXPECT_EQ(threads.first_goes_on(0, 0b00111000), (Next{8, 0}));
    EXPECT_EQ(threads.first_goes_on(0, 0b10000000), (Next{7, 1}));
    ASSERT_TRUE(threads.go_on_alike({0, 0b00000101}, next));
    EXPECT_EQ(next, (Next{7, 0}));
}

TEST(WaitingThreads, WhoWaitsAgainGoesOnAtTheNewPlace) {
    WaitingThreads threads(1, 8);
    Next next;
    threads.wait({0, 0b1111}, {7, 0});
    ASSERT_TRUE(threads.go_on_alike({0, 0b0011}, next));
    threads.wait({0, 0b0001}, {9, 3}); // while others of the row wait at 7
    EXPECT_EQ(threads.first_goes_on(0, 0b0001), (Next{9, 3}));
    ASSERT_TRUE(threads.go_on_alike({0, 0b1100}, next));
    EXPECT_EQ(next, (Next{7, 0}));
    threads.wait({0, 0b0001}, {5, 0});
    ASSERT_TRUE(threads.go_on_alike({0, 0b0001}, next)) << "nobody else waits";
    EXPECT_EQ(next, (Next{5, 0}));
}

TEST(WaitingThreads, ABlockThatStartsInARowFindsNobodyThere) {
    WaitingThreads threads(1, 8);
    threads.wait({0, 0b1111}, {7, 0}); // of a launch that was stopped
    threads.clear(0);
    Next next;
    EXPECT_FALSE(threads.go_on_alike({0, 0b1111}, next));
    threads.wait({0, 0b1111}, {8, 0});
    ASSERT_TRUE(threads.go_on_alike({0, 0b1111}, next));
    EXPECT_EQ(next, (Next{8, 0}));
}

} // namespace
} // namespace heddle::formation
