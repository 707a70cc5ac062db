#include "exec/shared_tile.h"

#include <limits>

namespace heddle::exec {

namespace {

// PTX ISA, "Matrix Descriptor Format": a field of 14 bits holds bits 4 to 17 of a number of bytes.
std::uint32_t bytes_of(std::uint64_t descriptor, unsigned first_bit) {
    return static_cast<std::uint32_t>(descriptor >> first_bit & 0x3fff) << 4;
}

} // namespace

// PTX ISA, "Canonical Layouts".
SharedTile::SharedTile(std::uint64_t descriptor, bool along_k) : start_(bytes_of(descriptor, 0)) {
    const std::uint32_t leading = bytes_of(descriptor, 16), stride = bytes_of(descriptor, 32);
    constexpr Swizzle kModes[] = {Swizzle::None, Swizzle::Bytes128, Swizzle::Bytes64, Swizzle::Bytes32};
    swizzle_ = kModes[descriptor >> 62];
    const bool swizzles = swizzle_ != Swizzle::None;
    const auto units = 1U << static_cast<unsigned>(swizzle_); // of a line of the pattern
    pattern_ = swizzles ? static_cast<std::uint32_t>(descriptor >> 49 & 7) << 7 : 0;
    line_stride_ = kUnit * units;
    if (along_k) { // the units of a swizzled line lie side by side
        units_in_group_ = swizzles ? std::numeric_limits<std::uint32_t>::max() : 1;
        group_stride_ = leading;
        set_stride_ = stride;
    } else {
        units_in_group_ = units;
        group_stride_ = swizzles ? leading : stride;
        set_stride_ = swizzles ? stride : leading;
    }
}

Address SharedTile::address(unsigned line, unsigned unit) const {
    const Address at = start_ + Address{line % 8} * line_stride_ + Address{line / 8} * set_stride_ +
                       Address{unit % units_in_group_} * kUnit + Address{unit / units_in_group_} * group_stride_;
    // A pattern that does not begin at a multiple of 1024 bytes: lines are counted from its begin.
    return swizzled(at - pattern_, swizzle_) + pattern_;
}

} // namespace heddle::exec
