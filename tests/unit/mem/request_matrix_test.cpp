#include <gtest/gtest.h>

#include "mem/network/request_matrix.h"

namespace heddle::mem {
namespace {

Ports64 ports(std::initializer_list<unsigned> members) {
    Ports64 out;
    for (const unsigned port : members)
        out.insert(port);
    return out;
}

TEST(RequestMatrix, KnowsItsPortsAndPairs) {
    RequestMatrix<Ports64> requests(4, 3);
    EXPECT_TRUE(requests.inputs().empty());
    EXPECT_TRUE(requests.outputs().empty());
    requests.insert(3, 1, 10);
    requests.insert(0, 1, 11);
    EXPECT_EQ(requests.inputs(), ports({0, 3}));
    EXPECT_EQ(requests.outputs(), ports({1}));
    EXPECT_TRUE(requests.contains(3, 1));
    EXPECT_FALSE(requests.contains(3, 0));
    EXPECT_FALSE(requests.contains(1, 1));
}

TEST(RequestMatrix, FindsARequestBetweenSomePorts) {
    RequestMatrix<Ports64> requests(4, 3);
    requests.insert(3, 1, 10);
    requests.insert(0, 2, 10);
    EXPECT_TRUE(requests.contains_any(ports({3}), ports({0, 1})));
    EXPECT_FALSE(requests.contains_any(ports({3}), ports({0, 2})));
    EXPECT_FALSE(requests.contains_any(ports({1, 2}), ports({0, 1, 2})));
}

TEST(RequestMatrix, ARequestEndsWhenTheNextPacketIsStillToCome) {
    for (const Cycle next : {Cycle{21}, kNever}) {
        RequestMatrix<Ports64> requests(4, 3);
        requests.insert(3, 1, 10);
        requests.insert(3, 2, 10);
        requests.insert(0, 1, 10);
        requests.replace(3, 1, next, 20);
        EXPECT_FALSE(requests.contains(3, 1));
        EXPECT_EQ(requests.inputs(), ports({0, 3})); // input 3 still requests output 2
        EXPECT_EQ(requests.outputs(), ports({1, 2}));
        requests.replace(0, 1, next, 20);
        EXPECT_EQ(requests.inputs(), ports({3}));
        EXPECT_EQ(requests.outputs(), ports({2}));
    }
}

TEST(RequestMatrix, TheNextPacketRequestsAtOnceWhenItIsThere) {
    RequestMatrix<Ports64> requests(4, 3);
    requests.insert(3, 1, 10);
    requests.replace(3, 1, 20, 20);
    EXPECT_TRUE(requests.contains(3, 1));
    EXPECT_EQ(requests.inputs(), ports({3}));
    EXPECT_EQ(requests.outputs(), ports({1}));
    EXPECT_EQ(requests.between(ports({3}), ports({1})).since[1 * 4 + 3], 20U);
}

TEST(RequestMatrix, AnAllocatorSeesTheFreePortsAndAllRequests) {
    RequestMatrix<Ports64> requests(4, 3);
    requests.insert(3, 1, 10);
    requests.insert(0, 1, 11);
    requests.insert(0, 2, 12);
    const Requests<Ports64> seen = requests.between(ports({0}), ports({1, 2}));
    EXPECT_EQ(seen.inputs, ports({0}));
    EXPECT_EQ(seen.outputs, ports({1, 2}));
    EXPECT_EQ(seen.of_output[1], ports({0, 3})); // busy ports, too
    EXPECT_EQ(seen.of_input[0], ports({1, 2}));
    EXPECT_EQ(seen.since[1 * 4 + 3], 10U);
    EXPECT_EQ(seen.since[1 * 4 + 0], 11U);
    EXPECT_EQ(seen.since[2 * 4 + 0], 12U);
}

} // namespace
} // namespace heddle::mem
