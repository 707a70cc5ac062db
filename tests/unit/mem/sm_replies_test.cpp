#include <gtest/gtest.h>

#include "mem/network/allocator.h"
#include "mem/system/sm_replies.h"

namespace heddle::mem {
namespace {

TEST(SmReplies, RepliesStayUntilTheyAreCleared) {
    SmReplies<Ports64> replies(3);
    replies.push(1, {.at = 10, .id = 7});
    replies.push(1, {.at = 12, .id = 8});
    ASSERT_EQ(replies.of(1).size(), 2U);
    EXPECT_EQ(replies.of(1)[0].id, 7U);
    EXPECT_EQ(replies.of(1)[1].id, 8U);
    EXPECT_TRUE(replies.of(0).empty());
    replies.clear(1);
    EXPECT_TRUE(replies.of(1).empty());
}

TEST(SmReplies, NewsAreNewRepliesAndOtherRoom) {
    SmReplies<Ports256> replies(100);
    EXPECT_TRUE(replies.take_news().empty());
    replies.push(99, {.at = 10, .id = 7});
    replies.room_changed(3);
    replies.room_changed(Ports256::bit(70));
    EXPECT_EQ(replies.take_news(), SmSet(100, {3, 70, 99}));
    EXPECT_TRUE(replies.take_news().empty());
    EXPECT_EQ(replies.of(99).size(), 1U);
}

} // namespace
} // namespace heddle::mem
