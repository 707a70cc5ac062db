#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "base/ring_queue.h"

namespace heddle {
namespace {

struct Timed {
    unsigned at;
    char name;
};

bool earlier(const Timed& a, const Timed& b) {
    return a.at < b.at;
}

std::string names(RingQueue<Timed>& queue) {
    std::string out;
    while (!queue.empty())
        out += queue.pop().name;
    return out;
}

TEST(RingQueue, FirstInFirstOut) {
    RingQueue<int> queue;
    EXPECT_TRUE(queue.empty());
    queue.push(1);
    queue.push(2);
    EXPECT_EQ(queue.size(), 2U);
    EXPECT_EQ(queue.front(), 1);
    EXPECT_EQ(queue.pop(), 1);
    EXPECT_EQ(queue.pop(), 2);
    EXPECT_TRUE(queue.empty());
}

TEST(RingQueue, ShowsWhatFollowsTheFront) {
    RingQueue<int> queue;
    for (int i = 0; i < 14; ++i)
        queue.push(i);
    for (int i = 0; i < 14; ++i)
        EXPECT_EQ(queue.pop(), i);
    for (int i = 20; i < 24; ++i) // the ring has 16 places: the third of these is in its first one
        queue.push(i);
    EXPECT_EQ(queue.at(0), 20);
    EXPECT_EQ(queue.at(2), 22);
    EXPECT_EQ(queue.at(3), 23);
}

TEST(RingQueue, GrowsWhileItsContentsWrapAround) {
    RingQueue<unsigned> queue;
    std::deque<unsigned> model;
    std::mt19937 random(1);
    for (unsigned i = 0; i < 20000; ++i) {
        // Long waves of more pushes than pops, and of the reverse.
        if (random() % 8 < ((i / 1000) % 2 == 0 ? 5U : 3U) || model.empty()) {
            queue.push(i);
            model.push_back(i);
        } else {
            ASSERT_EQ(queue.pop(), model.front());
            model.pop_front();
        }
        ASSERT_EQ(queue.size(), model.size());
        ASSERT_EQ(queue.empty(), model.empty());
    }
}

TEST(RingQueue, SortedPushesKeepTheOrderOfEqualOnes) {
    RingQueue<Timed> queue;
    queue.push_sorted({5, 'c'}, earlier);
    queue.push_sorted({3, 'a'}, earlier);
    queue.push_sorted({5, 'd'}, earlier);
    queue.push_sorted({4, 'b'}, earlier);
    queue.push_sorted({9, 'e'}, earlier);
    EXPECT_EQ(names(queue), "abcde");
}

TEST(RingQueue, SortedPushesWrapAround) {
    RingQueue<Timed> queue;
    for (unsigned i = 0; i < 14; ++i) { // 14 places of the first 16 are passed
        queue.push({i, 'x'});
        queue.pop();
    }
    queue.push_sorted({7, 'c'}, earlier);
    queue.push_sorted({9, 'd'}, earlier);
    queue.push_sorted({5, 'b'}, earlier); // over the ring's end
    queue.push_sorted({1, 'a'}, earlier);
    EXPECT_EQ(names(queue), "abcd");
}

TEST(RingQueue, AnEmptyOneMayBeLookedAt) {
    RingQueue<int> queue;
    queue.push(3);
    EXPECT_EQ(queue.front_or_any(), 3);
    queue.pop();
    static_cast<void>(queue.front_or_any()); // whatever it is
    queue.push(4);
    EXPECT_EQ(queue.front_or_any(), 4);
}

} // namespace
} // namespace heddle
