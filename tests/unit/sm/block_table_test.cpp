#include <vector>

#include <gtest/gtest.h>

#include "sm/frame/block_table.h"

namespace heddle::sm {
namespace {

TEST(BlockTable, RowsOfABlockLieSideBySide) {
    BlockTable table(8, 32, 32);
    table.begin(100, 8); // four rows, the last with four threads
    ASSERT_TRUE(table.can_accept());
    const unsigned slot = table.start(7);
    const auto rows = table.threads_of(slot);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].lanes, 0xffffffffU);
    EXPECT_EQ(rows[3].lanes, 0xfU);
    EXPECT_EQ(rows[3].row, rows[0].row + 3);
    EXPECT_EQ(table.views()[slot].global_id, 7U);
    EXPECT_EQ(table.views()[slot].live_threads, 100U);
}

TEST(BlockTable, RowsLimitResidency) {
    BlockTable table(8, 32, 32);
    table.begin(256, 8);
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(table.can_accept());
        table.start(0);
    }
    EXPECT_FALSE(table.can_accept());
}

TEST(BlockTable, OtherResourcesLimitResidency) {
    BlockTable table(8, 32, 32);
    table.begin(32, 3);
    for (int i = 0; i < 3; ++i)
        table.start(0);
    EXPECT_FALSE(table.can_accept());
}

TEST(BlockTable, ABlockThatEndsGivesItsRowsBack) {
    BlockTable table(8, 4, 32);
    table.begin(64, 8);
    const unsigned first = table.start(0);
    table.start(1);
    EXPECT_FALSE(table.can_accept());
    EXPECT_FALSE(table.exited(first, 0, 32)); // its first row, and all but one thread of the second
    EXPECT_FALSE(table.exited(first, 1, 31));
    EXPECT_FALSE(table.can_accept());
    EXPECT_EQ(table.views()[first].finished_warps, 1U);
    EXPECT_TRUE(table.exited(first, 1, 1));
    EXPECT_EQ(table.views()[first].finished_warps, 2U);
    ASSERT_TRUE(table.can_accept());
    EXPECT_EQ(table.start(2), first);
    EXPECT_EQ(table.first_row(first), 0);
}

TEST(BlockTable, AWarpLivesUntilItsLastThreadHasExited) {
    BlockTable table(8, 8, 32);
    table.begin(64, 8);
    const unsigned first = table.start(0);
    const RowId row = table.threads_of(first)[0].row;
    table.start(1);
    EXPECT_EQ(table.live_warps(), 4U);
    table.exited(first, row, 31);
    EXPECT_EQ(table.live_warps(), 4U);
    table.exited(first, row, 1);
    EXPECT_EQ(table.live_warps(), 3U);
    table.exited(first, static_cast<RowId>(row + 1), 32);
    EXPECT_EQ(table.live_warps(), 2U);
    table.start(2);
    EXPECT_EQ(table.live_warps(), 4U);
    table.begin(64, 8);
    EXPECT_EQ(table.live_warps(), 0U);
}

TEST(BlockTable, AnyFreeRowServesABlockOfOneRow) {
    BlockTable table(8, 4, 32);
    table.begin(32, 8);
    for (int i = 0; i < 4; ++i)
        table.start(0);
    table.exited(0, table.first_row(0), 32);
    table.exited(2, table.first_row(2), 32);
    EXPECT_TRUE(table.can_accept()); // one row is enough here
    EXPECT_EQ(table.resident(), 2U);
}

// Blocks that start until there is no more room are as many as room() has told, and room() counts each of them.
void expect_room(BlockTable& table, unsigned expected) {
    for (unsigned left = expected; left != 0; --left) {
        EXPECT_EQ(table.room(), left);
        ASSERT_TRUE(table.can_accept());
        table.start(0);
    }
    EXPECT_EQ(table.room(), 0U);
    EXPECT_FALSE(table.can_accept());
}

TEST(BlockTable, RoomIsTheNumberOfBlocksThatCanStart) {
    BlockTable table(8, 32, 32);
    table.begin(96, 8); // three rows: ten times in 32, but there are 8 slots
    expect_room(table, 8);
    table.begin(160, 8); // five rows: six times, and two rows are left
    expect_room(table, 6);
    table.begin(160, 4);
    expect_room(table, 4);
    table.begin(1024, 8);
    expect_room(table, 1);
}

TEST(BlockTable, RoomComesBackWhenABlockEnds) {
    BlockTable table(8, 8, 32);
    table.begin(64, 8);
    std::vector<unsigned> slots;
    for (int i = 0; i < 4; ++i)
        slots.push_back(table.start(0));
    EXPECT_EQ(table.room(), 0U);
    table.exited(slots[1], table.first_row(slots[1]), 32);
    table.exited(slots[3], table.first_row(slots[3]), 32);
    EXPECT_EQ(table.room(), 0U); // both blocks have a row whose threads still run
    table.exited(slots[1], table.first_row(slots[1]) + 1U, 32);
    EXPECT_EQ(table.room(), 1U);
    table.exited(slots[3], table.first_row(slots[3]) + 1U, 32);
    expect_room(table, 2);
}

} // namespace
} // namespace heddle::sm
