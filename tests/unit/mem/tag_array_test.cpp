#include <gtest/gtest.h>

#include "mem/cache/tag_array.h"

namespace heddle::mem {
namespace {

TEST(TagArray, FindsATagAmongTheWaysOfItsSet) {
    TagArray tags(32);
    EXPECT_EQ(tags.search(7, 8, 4), kNoLine);
    tags.set(10, 7);
    EXPECT_EQ(tags[10], 7U);
    EXPECT_EQ(tags[11], TagArray::kNone);
    EXPECT_EQ(tags.search(7, 8, 4), 10U);
    EXPECT_EQ(tags.search(8, 8, 4), kNoLine);
    tags.clear(10);
    EXPECT_EQ(tags.search(7, 8, 4), kNoLine);
}

TEST(TagArray, FindsEveryWayOfAWideSet) {
    TagArray tags(64);
    for (LineId line = 32; line < 64; ++line)
        tags.set(line, 1000 * line);
    for (LineId line = 32; line < 64; ++line)
        EXPECT_EQ(tags.search(1000 * line, 32, 32), line);
    EXPECT_EQ(tags.search(7, 32, 32), kNoLine);
}

TEST(TagArray, RemembersTheLineOfTheLastSearch) {
    TagArray tags(16);
    tags.set(3, 7);
    tags.set(4, 8);
    EXPECT_EQ(tags.search(7, 0, 8), 3U);
    EXPECT_TRUE(tags.is_last_found(7));
    EXPECT_EQ(tags.last_found(), 3U);
    EXPECT_FALSE(tags.is_last_found(8));
    EXPECT_EQ(tags.search(9, 8, 8), kNoLine); // finds none: line 3 is still the last
    EXPECT_TRUE(tags.is_last_found(7));
    tags.clear(3);
    EXPECT_FALSE(tags.is_last_found(7));
}

} // namespace
} // namespace heddle::mem
