// Addresses of matrices in shared memory, against the examples of the PTX ISA, "Canonical Layouts".
#include "exec/shared_tile.h"

#include <gtest/gtest.h>

namespace heddle::exec {
namespace {

enum Mode : std::uint64_t { kNone = 0, kBytes128 = 1, kBytes64 = 2, kBytes32 = 3 };

std::uint64_t descriptor(Mode mode, std::uint64_t start, std::uint64_t leading, std::uint64_t stride,
                         std::uint64_t base = 0) {
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | base << 49 | static_cast<std::uint64_t>(mode) << 62;
}

// Calls expected(line, unit) for 16 lines of `units` units.
template <class F>
void expect_addresses(const SharedTile& tile, unsigned units, const F& expected) {
    for (unsigned line = 0; line < 16; ++line)
        for (unsigned unit = 0; unit < units; ++unit)
            EXPECT_EQ(tile.address(line, unit), expected(line, unit)) << line << " " << unit;
}

// The exchange of bits that a mode of `bits` bits makes.
Address exchanged(Address at, unsigned bits) {
    Address out = at;
    for (unsigned b = 0; b < bits; ++b)
        if ((at >> (7 + b) & 1) != 0)
            out ^= Address{16} << b;
    return out;
}

// ((8,2),(4,4)):((4,32),(1,64)) elements of tf32.
TEST(SharedTile, AlongKWithoutSwizzle) {
    expect_addresses(SharedTile(descriptor(kNone, 0, 256, 128), true), 4,
                     [](unsigned row, unsigned unit) { return 4 * (row % 8 * 4 + row / 8 * 32 + unit * 64); });
}

// Swizzle<1,4,3> o ((8,2),(4,4)):((8,64),(1,4)) elements of tf32.
TEST(SharedTile, AlongKWith32Bytes) {
    expect_addresses(SharedTile(descriptor(kBytes32, 0, 16, 256), true), 2, [](unsigned row, unsigned unit) {
        return exchanged(4 * (row % 8 * 8 + row / 8 * 64 + unit * 4), 1);
    });
}

// ((8,1,2),(8,2)):((1,8,64),(8,128)) elements of bf16.
TEST(SharedTile, AcrossWithoutSwizzle) {
    expect_addresses(SharedTile(descriptor(kNone, 0, 256, 128), false), 2,
                     [](unsigned k, unsigned unit) { return 2 * (unit * 64 + k % 8 * 8 + k / 8 * 128); });
}

// Swizzle<1,4,3> o ((8,2,2),(8,2)):((1,8,128),(16,256)) and Swizzle<2,4,3> o ((8,4,2),(8,2)):((1,8,256),(32,512))
// elements of bf16.
TEST(SharedTile, AcrossWithASwizzle) {
    expect_addresses(SharedTile(descriptor(kBytes32, 0, 256, 512), false), 4, [](unsigned k, unsigned unit) {
        return exchanged(2 * (unit % 2 * 8 + unit / 2 * 128 + k % 8 * 16 + k / 8 * 256), 1);
    });
    expect_addresses(SharedTile(descriptor(kBytes64, 0, 512, 1024), false), 8, [](unsigned k, unsigned unit) {
        return exchanged(2 * (unit % 4 * 8 + unit / 4 * 256 + k % 8 * 32 + k / 8 * 512), 2);
    });
}

// A step along k within the lines of 128 bytes moves the begin; the pattern stays where it is.
TEST(SharedTile, BeginsWithinALine) {
    expect_addresses(SharedTile(descriptor(kBytes128, 0x4000 + 32, 16, 1024), true), 2,
                     [](unsigned row, unsigned unit) { return exchanged(0x4000 + 32 + row * 128 + unit * 16, 3); });
}

// A pattern that begins three lines behind a multiple of 1024 bytes.
TEST(SharedTile, HasABaseOffset) {
    expect_addresses(SharedTile(descriptor(kBytes128, 384, 16, 1024, 3), true), 2,
                     [](unsigned row, unsigned unit) { return 384 + exchanged(row * 128 + unit * 16, 3); });
}

} // namespace
} // namespace heddle::exec
