#include <zstd.h>

#include <gtest/gtest.h>

#include "experiment/unpack.h"

namespace heddle::experiment {
namespace {

std::string frame_of(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 19));
    return out;
}

TEST(Unpack, GivesTheText) {
    EXPECT_EQ(unpack(frame_of("a text")), "a text");
    const std::string run(std::size_t{1} << 26U, 'a'); // no text becomes smaller than a run
    EXPECT_EQ(unpack(frame_of(run)), run);
}

// A frame whose header says 2^62 bytes, with one block of none.
TEST(Unpack, ADamagedSizeTakesNoMemory) {
    const std::string frame("\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x40\x01\0\0", 16);
    ASSERT_EQ(ZSTD_getFrameContentSize(frame.data(), frame.size()), 1ULL << 62U);
    EXPECT_FALSE(unpack(frame));
    EXPECT_FALSE(unpack(frame_of("a text").substr(0, 12)));
    EXPECT_FALSE(unpack(""));
}

} // namespace
} // namespace heddle::experiment
