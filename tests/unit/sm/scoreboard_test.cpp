#include <gtest/gtest.h>

#include "sm/sub_core/scoreboard.h"

namespace heddle::sm {
namespace {

warp::Group group_of(RowId row, LaneMask lanes) {
    warp::Group group;
    group.parts = 1;
    group.part[0] = {row, lanes};
    return group;
}

constexpr LaneMask kAll = 0xffffffff;
const std::uint16_t kR3[] = {3}, kR70[] = {70};

struct Needs { // a bit a register, of 100
    explicit Needs(unsigned r) {
        bits[r / 64] = std::uint64_t{1} << (r % 64);
    }
    std::array<std::uint64_t, 2> bits{};
};

Writer blocker(Scoreboard& hazards, const warp::Part& threads, const std::uint64_t* needs) {
    return hazards.blocker(threads, needs, 1000).writer;
}

TEST(Scoreboard, ARegisterIsPendingForItsRowOnly) {
    Scoreboard hazards(4, false);
    hazards.begin(100, 2);
    hazards.set(group_of(1, kAll), kR70, Writer(9, 3));
    EXPECT_EQ(blocker(hazards, {1, kAll}, Needs(70).bits.data()).flight(), 9);
    EXPECT_EQ(blocker(hazards, {1, kAll}, Needs(70).bits.data()).kind(), 3U);
    EXPECT_EQ(blocker(hazards, {1, kAll}, Needs(6).bits.data()), kNoWriter); // 70 - 64
    EXPECT_EQ(blocker(hazards, {2, kAll}, Needs(70).bits.data()), kNoWriter);
    hazards.clear(group_of(1, kAll), kR70);
    EXPECT_EQ(blocker(hazards, {1, kAll}, Needs(70).bits.data()), kNoWriter);
}

TEST(Scoreboard, WhereRowsAreDividedEachLaneForItself) {
    Scoreboard hazards(2, true);
    hazards.begin(100, 2);
    hazards.set(group_of(0, 0x0f), kR3, Writer(1, 0));
    EXPECT_EQ(blocker(hazards, {0, 0xf0}, Needs(3).bits.data()), kNoWriter);
    hazards.set(group_of(0, 0xf0), kR3, Writer(2, 0));
    hazards.clear(group_of(0, 0x0f), kR3);
    EXPECT_EQ(blocker(hazards, {0, 0x0f}, Needs(3).bits.data()), kNoWriter);
    EXPECT_EQ(blocker(hazards, {0, 0x10}, Needs(3).bits.data()).flight(), 2);
    hazards.clear(group_of(0, 0xf0), kR3);
    EXPECT_EQ(blocker(hazards, {0, kAll}, Needs(3).bits.data()), kNoWriter);
}

TEST(Scoreboard, ARegisterIsPendingUpToAKnownCycle) {
    Scoreboard hazards(2, false);
    hazards.begin(100, 2);
    hazards.set(RowId{1}, 3, Writer(Writer::kPassing, 2), 50);
    const Needs r3(3);
    EXPECT_EQ(hazards.blocker({1, kAll}, r3.bits.data(), 49).until, 50U);
    EXPECT_EQ(hazards.blocker({1, kAll}, r3.bits.data(), 49).writer.kind(), 2U);
    EXPECT_EQ(hazards.blocker({1, kAll}, r3.bits.data(), 50).writer, kNoWriter);
    hazards.set(group_of(1, kAll), kR3, Writer(9, 4)); // pending until clear()
    EXPECT_EQ(hazards.blocker({1, kAll}, r3.bits.data(), 1'000'000).until, Scoreboard::kUntilCleared);
    hazards.clear(group_of(1, kAll), kR3);
    EXPECT_EQ(hazards.blocker({1, kAll}, r3.bits.data(), 51).writer, kNoWriter);
}

TEST(Scoreboard, AllPartsOfAGroup) {
    Scoreboard hazards(4, true);
    hazards.begin(100, 2);
    warp::Group group;
    group.parts = 2;
    group.part[0] = {0, 0x1};
    group.part[1] = {3, 0x2};
    hazards.set(group, kR3, Writer(5, 0));
    EXPECT_EQ(blocker(hazards, {0, 0x1}, Needs(3).bits.data()).flight(), 5);
    EXPECT_EQ(blocker(hazards, {3, 0x2}, Needs(3).bits.data()).flight(), 5);
    hazards.clear(group, kR3);
    EXPECT_EQ(blocker(hazards, {3, 0x2}, Needs(3).bits.data()), kNoWriter);
}

} // namespace
} // namespace heddle::sm
