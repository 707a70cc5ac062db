#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rig.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

warp::Flight flight_of(FlightId id, std::initializer_list<RowId> rows) {
    warp::Flight out;
    out.id = id;
    out.group.parts = 0;
    for (const RowId row : rows)
        out.group.part[out.group.parts++] = {row, 1};
    return out;
}

struct Table : testing::Test {
    StoreTable table{4};

    std::vector<std::uint32_t> done(StoreId store) {
        std::vector<std::uint32_t> out;
        table.done(store, [&](std::uint32_t fence) { out.push_back(fence); });
        return out;
    }
};

TEST_F(Table, AFenceWithoutStoresWaitsForNothing) {
    EXPECT_FALSE(table.fence(flight_of(1, {0})));
}

// A store of two lines and one of one line, of rows 0 and 1; fences of row 0, of row 1 and of both.
TEST_F(Table, FencesWaitForTheRowsOfTheirThreads) {
    const StoreId of_0 = table.open(flight_of(9, {0}).group, 2);
    const StoreId of_1 = table.open(flight_of(9, {1}).group, 1);
    EXPECT_TRUE(table.fence(flight_of(1, {0, 1})));
    EXPECT_TRUE(table.fence(flight_of(2, {0})));
    EXPECT_TRUE(table.fence(flight_of(3, {1})));
    EXPECT_FALSE(table.fence(flight_of(4, {2})));
    EXPECT_THAT(done(of_0), IsEmpty());
    EXPECT_THAT(done(of_1), ElementsAre(3));
    EXPECT_THAT(done(of_0), ElementsAre(1, 2)); // the oldest first
}

// Stores that begin behind a fence hold it up all the same: rows are counted, not stores.
TEST_F(Table, AFenceWaitsForWhatComesLaterToo) {
    const StoreId first = table.open(flight_of(9, {0}).group, 1);
    EXPECT_TRUE(table.fence(flight_of(1, {0})));
    const StoreId second = table.open(flight_of(9, {0}).group, 1);
    EXPECT_THAT(done(first), IsEmpty());
    EXPECT_THAT(done(second), ElementsAre(1));
}

TEST_F(Table, ThreadsThatStoreWithOthers) {
    const StoreId store = table.open(flight_of(9, {0}).group, 1);
    table.join(store, flight_of(8, {3}).group);
    EXPECT_TRUE(table.fence(flight_of(1, {3})));
    EXPECT_THAT(done(store), ElementsAre(1));
    EXPECT_FALSE(table.fence(flight_of(2, {3})));
}

TEST_F(Table, IdsAreUsedAgain) {
    const StoreId first = table.open(flight_of(9, {0}).group, 1);
    static_cast<void>(done(first));
    EXPECT_EQ(table.open(flight_of(9, {1}).group, 1), first);
    EXPECT_FALSE(table.fence(flight_of(1, {0}))); // nothing is left of its earlier life
}

} // namespace
} // namespace heddle::sm::test
