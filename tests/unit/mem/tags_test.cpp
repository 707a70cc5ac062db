#include <gtest/gtest.h>

#include "mem/cache/tags.h"

namespace heddle::mem {
namespace {

// Two sets, two ways, lines of 64 bytes: addresses 0, 128, 256, ... share set 0.
class TagsTest : public testing::Test {
protected:
    Tags tags{shape("lru")};

    static TagShape shape(std::string replacement) {
        return {.bytes = 256, .ways = 2, .line = 64, .replacement = std::move(replacement)};
    }
    static LineId reserve(Tags& tags, Address address, bool write, Victim& victim) {
        EXPECT_EQ(tags.access(CacheAccess::to(address, write)).result, Tags::Result::Miss);
        return tags.reserve(CacheAccess::to(address, write), kNoMiss, victim);
    }
    static Victim bring(Tags& tags, Address address, bool write = false) {
        Victim victim;
        tags.fill(reserve(tags, address, write, victim));
        return victim;
    }
    LineId reserve(Address address, bool write = false) {
        Victim victim;
        return reserve(tags, address, write, victim);
    }
    Victim bring(Address address, bool write = false) {
        return bring(tags, address, write);
    }
};

TEST_F(TagsTest, AReservedLineIsPendingUntilItIsFilled) {
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Miss);
    Victim victim;
    const LineId line = tags.reserve(CacheAccess::to(0, false), 17, victim);
    EXPECT_FALSE(victim.dirty);
    EXPECT_EQ(tags.miss_of(line), 17U);
    const Tags::Found pending = tags.access(CacheAccess::to(63, false));
    EXPECT_EQ(pending.result, Tags::Result::Pending);
    EXPECT_EQ(pending.line, line);
    EXPECT_EQ(tags.access(CacheAccess::to(64, false)).result, Tags::Result::Miss);
    tags.fill(line);
    const Tags::Found found = tags.access(CacheAccess::to(63, false));
    EXPECT_EQ(found.result, Tags::Result::Hit);
    EXPECT_EQ(found.line, line);
}

TEST_F(TagsTest, TheLeastRecentlyUsedLineGoes) {
    bring(0);
    bring(128);
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Hit); // 128 is the older now
    EXPECT_EQ(bring(256).address, 128U);
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Hit);
    EXPECT_EQ(tags.access(CacheAccess::to(128, false)).result, Tags::Result::Miss);
}

TEST_F(TagsTest, TheLineThatCameFirstGoes) {
    Tags fifo(shape("fifo"));
    bring(fifo, 0);
    bring(fifo, 128);
    EXPECT_EQ(fifo.access(CacheAccess::to(0, false)).result, Tags::Result::Hit); // counts for nothing
    EXPECT_EQ(bring(fifo, 256).address, 0U);
    EXPECT_EQ(bring(fifo, 384).address, 128U);
}

TEST_F(TagsTest, RandomVictimsFollowTheSeedAndSpareReservedLines) {
    // SplitMix64 with seed 1234567 gives 1, 1, 3, 3, 1 modulo 4 (replacement_test.cpp): of four ways that may go.
    TagShape four{.bytes = 256, .ways = 4, .line = 64, .replacement = "random", .seed = 1234567};
    Tags random(four);
    for (Address number = 0; number < 4; ++number)
        bring(random, number * 64); // empty ways come first, in order
    EXPECT_EQ(bring(random, 4 * 64).address, 64U);
    EXPECT_EQ(bring(random, 5 * 64).address, 4 * 64U);
    EXPECT_EQ(bring(random, 6 * 64).address, 3 * 64U);
    Tags spared(four);
    Victim none;
    for (Address number = 0; number < 3; ++number)
        reserve(spared, number * 64, false, none);
    bring(spared, 3 * 64);
    EXPECT_EQ(bring(spared, 4 * 64).address, 3 * 64U); // the only candidate
}

TEST_F(TagsTest, AWrittenLineIsDirtyWhenItGoes) {
    bring(0, true);
    bring(128);
    const Victim victim = bring(256);
    EXPECT_TRUE(victim.dirty);
    EXPECT_EQ(victim.address, 0U);
    EXPECT_FALSE(bring(384).dirty);
}

TEST_F(TagsTest, AWriteThatHitsMakesALineDirty) {
    bring(0);
    EXPECT_EQ(tags.access(CacheAccess::to(32, true)).result, Tags::Result::Hit);
    bring(128);
    EXPECT_TRUE(bring(256).dirty);
}

TEST_F(TagsTest, AWriteToAPendingLineMakesItDirty) {
    reserve(0);
    const Tags::Found found = tags.access(CacheAccess::to(0, true));
    EXPECT_EQ(found.result, Tags::Result::Pending);
    tags.fill(found.line);
    bring(128);
    EXPECT_TRUE(bring(256).dirty);
}

TEST_F(TagsTest, AReservedLineIsNoVictim) {
    reserve(0);
    bring(128);
    EXPECT_EQ(bring(256).address, 128U); // 0 is older and on its way
}

TEST_F(TagsTest, TheLineHitLastIsKnownUntilItGoes) {
    EXPECT_FALSE(tags.same_line_again(0));
    bring(0);
    EXPECT_FALSE(tags.same_line_again(0)); // a miss is no hit
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Hit);
    EXPECT_TRUE(tags.same_line_again(63));
    EXPECT_FALSE(tags.same_line_again(64));
    tags.drop(0);
    EXPECT_FALSE(tags.same_line_again(0));
    bring(0);
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Hit);
    bring(128);
    EXPECT_FALSE(tags.same_line_again(0)); // another line was used since: its age counts
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Hit);
    tags.flush([](Address) {});
    EXPECT_FALSE(tags.same_line_again(0));
}

TEST_F(TagsTest, ASetOfReservedLinesIsFull) {
    reserve(0);
    reserve(128);
    EXPECT_EQ(tags.access(CacheAccess::to(256, false)).result, Tags::Result::Full);
    EXPECT_EQ(tags.access(CacheAccess::to(128, false)).result, Tags::Result::Pending); // still there for merges
    EXPECT_EQ(tags.access(CacheAccess::to(64, false)).result, Tags::Result::Miss);     // the other set
    tags.fill(tags.access(CacheAccess::to(0, false)).line);
    EXPECT_EQ(tags.access(CacheAccess::to(256, false)).result, Tags::Result::Miss);
}

TEST_F(TagsTest, DropTellsDirtyLines) {
    bring(0, true);
    bring(64);
    EXPECT_TRUE(tags.drop(0));
    EXPECT_FALSE(tags.drop(64));
    EXPECT_FALSE(tags.drop(64));
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Miss);
}

TEST_F(TagsTest, DropLeavesALineOnItsWay) {
    reserve(0, true);
    EXPECT_FALSE(tags.drop(0));
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Pending);
}

TEST_F(TagsTest, ADroppedLinesWayIsTakenFirst) {
    bring(0);
    bring(128);
    tags.drop(128); // the younger
    bring(256);
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Hit);
}

TEST_F(TagsTest, FlushTellsDirtyLinesBySetAndWay) {
    bring(64, true);  // set 1, way 0
    bring(128, true); // set 0, way 0
    bring(0);         // set 0, way 1
    reserve(192, true);
    std::vector<Address> written_back;
    tags.flush([&](Address address) { written_back.push_back(address); });
    EXPECT_EQ(written_back, (std::vector<Address>{128, 64}));
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Miss);
    EXPECT_EQ(tags.access(CacheAccess::to(128, false)).result, Tags::Result::Miss);
    EXPECT_EQ(tags.access(CacheAccess::to(192, false)).result, Tags::Result::Pending); // on its way: stays
}

// However the lines have come that are there now, and whatever the flush before has left.
TEST_F(TagsTest, EachFlushDropsWhatIsThere) {
    const auto dirty = [&](Address from = 0) {
        std::vector<Address> out;
        tags.flush([&](Address address) { out.push_back(address); }, from);
        return out;
    };
    EXPECT_TRUE(dirty().empty());
    bring(0, true);
    const LineId late = reserve(64, true);
    EXPECT_EQ(dirty(), (std::vector<Address>{0}));
    EXPECT_TRUE(dirty().empty());
    tags.fill(late);
    EXPECT_EQ(dirty(), (std::vector<Address>{64}));
    bring(128, true);
    bring(192, true);
    bring(256, true);
    EXPECT_TRUE(dirty(257).empty()) << "256 begins before";
    EXPECT_EQ(dirty(192), (std::vector<Address>{256, 192}));
    EXPECT_TRUE(dirty(129).empty());
    EXPECT_EQ(dirty(), (std::vector<Address>{128}));
    bring(0, true);
    tags.reshape(shape("lru"));
    EXPECT_TRUE(dirty().empty());
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Miss);
}

TEST_F(TagsTest, CleanLinesAreDroppedAndDirtyOnesStay) {
    bring(64, true);
    bring(0);
    reserve(192, false);
    tags.drop_clean();
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Miss);
    EXPECT_EQ(tags.access(CacheAccess::to(64, false)).result, Tags::Result::Hit);
    EXPECT_EQ(tags.access(CacheAccess::to(192, false)).result, Tags::Result::Pending);
}

TEST(TagsWays, EveryLineOfASetIsFoundAndNoOther) {
    for (const std::uint64_t ways : {1U, 3U, 8U, 12U, 24U}) {
        Tags tags({.bytes = 4 * ways * 64, .ways = ways, .line = 64});
        Victim victim;
        for (Address line = 0; line < 4 * ways; ++line)
            tags.fill(tags.reserve(CacheAccess::to(line * 64, false), kNoMiss, victim));
        for (Address line = 0; line < 1000 * ways; ++line) {
            const LineId found = tags.find(line * 64);
            ASSERT_EQ(found != kNoLine, line < 4 * ways) << ways << " ways, line " << line;
            if (found != kNoLine) {
                EXPECT_EQ(tags.address_of(found), line * 64);
            }
        }
    }
}

TEST_F(TagsTest, ALockedLineKeepsItsWay) {
    bring(0);
    bring(128);
    const LineId oldest = tags.find(0);
    EXPECT_EQ(tags.next_victim(CacheAccess::to(256, false)), oldest);
    tags.lock(oldest);
    EXPECT_EQ(tags.access(CacheAccess::to(0, false)).result, Tags::Result::Hit);
    bring(256); // puts 128 out, which is younger
    EXPECT_EQ(tags.find(128), kNoLine);
    tags.lock(tags.find(256));
    EXPECT_EQ(tags.access(CacheAccess::to(128, false)).result, Tags::Result::Full);
    EXPECT_EQ(tags.next_victim(CacheAccess::to(128, false)), kNoLine);
    tags.unlock(oldest);
    EXPECT_EQ(tags.next_victim(CacheAccess::to(128, false)), oldest);
}

TEST_F(TagsTest, ALineThatIsTakenOutLeavesAnEmptyWay) {
    bring(0, true);
    bring(128);
    const Victim out = tags.take_out(tags.find(0));
    EXPECT_TRUE(out.dirty);
    EXPECT_EQ(out.address, 0U);
    EXPECT_EQ(tags.find(0), kNoLine);
    EXPECT_EQ(tags.next_victim(CacheAccess::to(256, false)), kNoLine) << "nothing has to leave";
    EXPECT_FALSE(bring(256).dirty);
    EXPECT_NE(tags.find(128), kNoLine);
}

TEST(TagsIndex, LinearTakesTheBitsAboveTheLine) {
    const Tags tags({.bytes = 1024, .ways = 4, .line = 64}); // 4 sets
    EXPECT_EQ(tags.sets(), 4U);
    EXPECT_EQ(tags.set_of(63), 0U);
    EXPECT_EQ(tags.set_of(64), 1U);
    EXPECT_EQ(tags.set_of(27 * 64), 3U); // 011011
}

TEST(TagsIndex, HashedIsTheExclusiveOrOfAllGroups) {
    const Tags tags({.bytes = 1024, .ways = 4, .line = 64, .hash = SetHash::Xor}); // groups of 2 bits
    EXPECT_EQ(tags.set_of(3 * 64), 3U);
    EXPECT_EQ(tags.set_of(0b0110 * 64), 0b11U);          // 01 ^ 10
    EXPECT_EQ(tags.set_of(0b011011 * 64), 0U);           // 01 ^ 10 ^ 11
    EXPECT_EQ(tags.set_of((Address{1} << 40) * 64), 1U); // the 21st group
    EXPECT_EQ(tags.set_of((Address{1} << 41) * 64), 2U);
    const Tags one_set({.bytes = 256, .ways = 4, .line = 64, .hash = SetHash::Xor});
    EXPECT_EQ(one_set.set_of(12345 * 64), 0U);
}

} // namespace
} // namespace heddle::mem
