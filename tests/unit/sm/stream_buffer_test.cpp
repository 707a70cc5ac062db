// A stream buffer of four lines of 128 bytes.
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sm/frame/stream_buffer.h"

namespace heddle::sm::stream_buffer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Found = StreamBuffer::Found;

constexpr Address line(unsigned n) {
    return Address{n} * 128;
}

struct Rig {
    StreamBuffer buffer{4, 128};
    std::map<Address, unsigned> places; // of lines that were asked for

    std::vector<Address> extend() {
        std::vector<Address> out;
        buffer.extend([&](unsigned place, Address at) {
            places[at] = place;
            out.push_back(at);
        });
        return out;
    }
    mem::MissId fill(unsigned n) {
        return buffer.fill(places.at(line(n)));
    }
};

TEST(StreamBuffer, AMissBeginsAStreamBehindIt) {
    Rig r;
    EXPECT_EQ(r.buffer.take(line(10), 0), Found::No);
    EXPECT_THAT(r.extend(), ElementsAre(line(11), line(12), line(13), line(14)));
    EXPECT_THAT(r.extend(), IsEmpty());
    EXPECT_EQ(r.buffer.stats().streams, 1U);
    EXPECT_EQ(r.buffer.stats().lines, 4U);
}

TEST(StreamBuffer, ALineThatHasComeLeavesForTheCacheAndTheStreamGoesOn) {
    Rig r;
    EXPECT_EQ(r.buffer.take(line(10), 0), Found::No);
    r.extend();
    EXPECT_EQ(r.fill(11), mem::kNoMiss);
    EXPECT_EQ(r.buffer.take(line(11), 5), Found::There);
    EXPECT_THAT(r.extend(), ElementsAre(line(15)));
    EXPECT_EQ(r.buffer.stats().hits, 1U);
}

TEST(StreamBuffer, AMissWaitsForALineOnItsWay) {
    Rig r;
    EXPECT_EQ(r.buffer.take(line(10), 0), Found::No);
    r.extend();
    EXPECT_EQ(r.buffer.take(line(11), 5), Found::Coming);
    EXPECT_THAT(r.extend(), IsEmpty()); // its place is taken until it comes
    EXPECT_EQ(r.fill(11), 5U);
    EXPECT_THAT(r.extend(), ElementsAre(line(15)));
    EXPECT_EQ(r.buffer.stats().late, 1U);
}

TEST(StreamBuffer, AnotherMissDropsTheStream) {
    Rig r;
    EXPECT_EQ(r.buffer.take(line(10), 0), Found::No);
    r.extend();
    EXPECT_EQ(r.fill(11), mem::kNoMiss);
    EXPECT_EQ(r.fill(12), mem::kNoMiss);
    EXPECT_EQ(r.buffer.take(line(40), 1), Found::No);
    EXPECT_THAT(r.extend(), ElementsAre(line(41), line(42))); // 13 and 14 are on their way, and keep their places
    EXPECT_EQ(r.fill(13), mem::kNoMiss);
    EXPECT_THAT(r.extend(), ElementsAre(line(43)));
    EXPECT_EQ(r.buffer.take(line(13), 2), Found::No); // it was dropped when it came
    EXPECT_EQ(r.buffer.stats().dropped, 3U);
}

TEST(StreamBuffer, AJumpInsideTheStreamKeepsWhatLiesBehindIt) {
    Rig r;
    EXPECT_EQ(r.buffer.take(line(10), 0), Found::No);
    r.extend();
    for (const unsigned n : {11U, 12U, 13U, 14U})
        EXPECT_EQ(r.fill(n), mem::kNoMiss);
    EXPECT_EQ(r.buffer.take(line(13), 0), Found::There); // 11 and 12 are dropped
    EXPECT_THAT(r.extend(), ElementsAre(line(15), line(16), line(17)));
    EXPECT_EQ(r.buffer.take(line(14), 0), Found::There);
}

TEST(StreamBuffer, WithoutPlacesNothingIsAsked) {
    StreamBuffer none(0, 128);
    EXPECT_EQ(none.take(line(1), 0), Found::No);
    none.extend([](unsigned /*place*/, Address /*line*/) { ADD_FAILURE(); });
}

TEST(StreamBuffer, AFlushDropsWhatIsThere) {
    Rig r;
    EXPECT_EQ(r.buffer.take(line(10), 0), Found::No);
    r.extend();
    r.fill(11);
    r.buffer.flush();
    EXPECT_EQ(r.buffer.stats().dropped, 1U);
    EXPECT_EQ(r.buffer.take(line(11), 1), Found::No);
}

} // namespace
} // namespace heddle::sm::stream_buffer
