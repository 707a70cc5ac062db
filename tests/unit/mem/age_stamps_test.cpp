#include <gtest/gtest.h>

#include "mem/cache/age_stamps.h"

namespace heddle::mem {
namespace {

// Two sets of four ways; the second one is lines 4 to 7.
class AgeStampsTest : public testing::Test {
protected:
    AgeStamps stamps{8, 4};
};

TEST_F(AgeStampsTest, EmptyWaysComeFirstTheLowestOfThem) {
    EXPECT_EQ(stamps.oldest(4, 4), 0U);
    stamps.renew(4);
    EXPECT_EQ(stamps.oldest(4, 4), 1U);
    EXPECT_EQ(stamps.oldest(0, 4), 0U); // another set
}

TEST_F(AgeStampsTest, TheOldestWayIsTheOneUsedLeastRecently) {
    for (const std::size_t line : {6U, 4U, 7U, 5U})
        stamps.renew(line);
    EXPECT_EQ(stamps.oldest(4, 4), 2U);
    stamps.renew(6);
    EXPECT_EQ(stamps.oldest(4, 4), 0U);
    stamps.clear(5); // empty: before the used ones
    EXPECT_EQ(stamps.oldest(4, 4), 1U);
}

TEST_F(AgeStampsTest, HeldLinesKeepTheirWay) {
    stamps.hold(4);
    stamps.renew(4);
    EXPECT_TRUE(stamps.is_held(4));
    EXPECT_EQ(stamps.oldest(4, 4), 1U);
    for (const std::size_t line : {5U, 6U, 7U}) {
        EXPECT_TRUE(stamps.any_free(4, 4));
        stamps.hold(line);
    }
    EXPECT_FALSE(stamps.any_free(4, 4));
    EXPECT_TRUE(stamps.any_free(0, 4));
    stamps.release(4);
    EXPECT_FALSE(stamps.is_held(4));
    EXPECT_TRUE(stamps.any_free(4, 4));
    EXPECT_EQ(stamps.oldest(4, 4), 0U);
    stamps.clear(6);
    EXPECT_FALSE(stamps.is_held(6));
    EXPECT_EQ(stamps.oldest(4, 4), 2U); // empty, where line 4 was used
}

} // namespace
} // namespace heddle::mem
