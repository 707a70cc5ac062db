#include <gtest/gtest.h>

#include "check/written_bytes.h"

namespace heddle::check {
namespace {

constexpr Address kBase = 0x1000'0000'0000;

TEST(WrittenBytes, AreThoseThatWereWritten) {
    WrittenBytes bytes;
    bytes.write(kBase + 10, 3);
    EXPECT_FALSE(bytes.any(kBase, 10));
    EXPECT_TRUE(bytes.any(kBase + 9, 2));
    EXPECT_TRUE(bytes.any(kBase + 12, 1));
    EXPECT_FALSE(bytes.any(kBase + 13, 100));
    EXPECT_TRUE(bytes.all(kBase + 10, 3));
    EXPECT_FALSE(bytes.all(kBase + 10, 4));
}

TEST(WrittenBytes, RangesOfManyPages) {
    WrittenBytes bytes;
    constexpr std::uint64_t kBytes = 300'000; // 4.6 pages of 64 KiB
    bytes.write(kBase + 100, kBytes);
    EXPECT_FALSE(bytes.any(kBase, 100));
    EXPECT_TRUE(bytes.any(kBase + 100, 1));
    EXPECT_TRUE(bytes.any(kBase + 100 + kBytes - 1, 1));
    EXPECT_FALSE(bytes.any(kBase + 100 + kBytes, 1000));
    bytes.forget(kBase + 65536, 65536);
    EXPECT_FALSE(bytes.any(kBase + 65536, 65536));
    EXPECT_TRUE(bytes.any(kBase + 65535, 1));
    bytes.forget(kBase + 131072, 8);
    EXPECT_FALSE(bytes.any(kBase + 131072, 8));
    EXPECT_TRUE(bytes.any(kBase + 131080, 1));
}

TEST(WrittenBytes, ACopyHasWhatItsSourceHas) {
    WrittenBytes bytes;
    bytes.write(kBase, 4);
    bytes.write(kBase + 100, 8);
    bytes.copy(kBase + 100, kBase, 8); // 4 bytes written, 4 not
    EXPECT_TRUE(bytes.any(kBase + 100, 4));
    EXPECT_FALSE(bytes.any(kBase + 104, 4));
}

} // namespace
} // namespace heddle::check
