// The swizzle modes of tiles in shared memory, which wgmma reads and bulk copies of tensors write.
//
// PTX ISA, "Strides" and "Swizzling modes": a pattern of 8 lines of 32, 64 or 128 bytes repeats along the lines of a
// tile. Within it the 16-byte chunks of a line change places: the number of a chunk in its line is combined by XOR with
// the bits of the address from bit 7 on.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace heddle::exec {

// The number is that of the mode in a tensor map, and the number of address bits that change.
enum class Swizzle : std::uint8_t { None, Bytes32, Bytes64, Bytes128 };

// The address in shared memory of the byte that lies at `address` without a swizzle. The function is its own inverse.
[[nodiscard]] constexpr Address swizzled(Address address, Swizzle mode) {
    const Address bits = (Address{1} << static_cast<unsigned>(mode)) - 1;
    return address ^ (address >> 7 & bits) << 4;
}

} // namespace heddle::exec
