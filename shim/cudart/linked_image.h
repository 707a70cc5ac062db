// What the driver's linker returns for several texts or fat binaries: one block of bytes that can be copied, stored and
// loaded by another process. heddle links when it is loaded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fat_binary.h"

namespace heddle::cudart {

// Numbers have the byte order of the host: the magic number, the version, the bytes of all; then of each fat binary its
// bytes, and itself, padded to 8.
[[nodiscard]] std::vector<char> make_linked_image(std::span<const std::vector<char>> fat_binaries);

// Reads an image of at most `available` bytes. Throws UserError when it is cut short or damaged.
[[nodiscard]] std::vector<FatBinary> parse_linked_image(const std::byte* data, std::size_t available);

} // namespace heddle::cudart
