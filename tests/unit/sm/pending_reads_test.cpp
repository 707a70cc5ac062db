// Readers of registers that are counted: a register that has readers is not written, and has no more readers than the
// scoreboard counts (Huerta et al., MICRO 2025, 7.5).
#include <array>

#include <gtest/gtest.h>

#include "sm/sub_core/pending_reads.h"

namespace heddle::sm::pending_reads {
namespace {

const Writer kReader(Writer::kPassing, 2);
constexpr RowId kRow = 1;

struct Mask { // a bit a register, of 100
    Mask(std::initializer_list<unsigned> registers) {
        for (const unsigned r : registers)
            bits[r / 64] |= std::uint64_t{1} << (r % 64);
    }
    std::array<std::uint64_t, 2> bits{};
};

Scoreboard::Block blocker(PendingReads& reads, const Mask& sources, const Mask& results, Cycle now) {
    return reads.blocker(kRow, sources.bits, results.bits, now);
}

TEST(PendingReads, AWriteWaitsForTheLastReader) {
    PendingReads reads(2, 63);
    reads.add(kRow, Mask{3, 70}.bits, kReader, 50);
    reads.add(kRow, Mask{70}.bits, kReader, 40);
    EXPECT_EQ(blocker(reads, {}, {70}, 30).until, 50U);
    EXPECT_EQ(blocker(reads, {}, {70}, 30).writer, kReader);
    EXPECT_EQ(blocker(reads, {}, {3}, 30).until, 50U);
    EXPECT_EQ(blocker(reads, {}, {70}, 49).until, 50U);
    EXPECT_EQ(blocker(reads, {}, {70}, 50).writer, kNoWriter);
}

TEST(PendingReads, OtherRegistersAndRowsAreFree) {
    PendingReads reads(2, 63);
    reads.add(kRow, Mask{3, 70}.bits, kReader, 50);
    EXPECT_EQ(blocker(reads, {3, 70}, {6}, 30).writer, kNoWriter); // 70 - 64
    EXPECT_EQ(reads.blocker(0, Mask{}.bits, Mask{3}.bits, 30).writer, kNoWriter);
}

TEST(PendingReads, AReaderMoreThanAreCountedWaitsForTheFirstToGo) {
    PendingReads reads(2, 2);
    reads.add(kRow, Mask{3}.bits, kReader, 50);
    EXPECT_EQ(blocker(reads, {3}, {}, 30).writer, kNoWriter);
    reads.add(kRow, Mask{3}.bits, kReader, 40);
    EXPECT_EQ(blocker(reads, {3}, {}, 30).until, 40U);
    EXPECT_EQ(blocker(reads, {3}, {}, 40).writer, kNoWriter);
}

TEST(PendingReads, WithoutACountNothingWaits) {
    PendingReads reads(2, 0);
    EXPECT_FALSE(reads.are_counted());
    reads.add(kRow, Mask{3}.bits, kReader, 50);
    EXPECT_EQ(blocker(reads, {3}, {3}, 30).writer, kNoWriter);
}

TEST(PendingReads, AKernelBeginsWithoutReaders) {
    PendingReads reads(2, 63);
    reads.add(kRow, Mask{3}.bits, kReader, 50);
    reads.begin();
    EXPECT_EQ(blocker(reads, {}, {3}, 30).writer, kNoWriter);
}

} // namespace
} // namespace heddle::sm::pending_reads
