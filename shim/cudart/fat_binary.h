// Fat binaries: what a compiler embeds into a host program, one entry a target. heddle takes PTX entries only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cudart {

enum class Compression { None, Lz4, Zstd, Other };

struct PtxEntry {
    unsigned sm; // of the .target: 75
    Compression compression;
    std::string stored;        // the text, or what it is compressed to
    std::uint64_t plain_bytes; // of a compressed one's text
};

struct FatBinary {
    std::vector<PtxEntry> ptx;
    unsigned other_entries = 0; // machine code, which a simulator of PTX cannot run
};

// The struct that clang and nvcc put into section .nvFatBinSegment.
struct FatBinaryWrapper {
    std::uint32_t magic;
    std::uint32_t version; // 1: data is the fat binary. 2 (-rdc=true): more is a null-terminated array of them
    const void* data;
    const void* const* more;
};

// The size of data of the program is not known; the header of the data contains it.
inline constexpr std::size_t kUnknownBytes = std::numeric_limits<std::size_t>::max();

// Reads the entries of one fat binary of at most `available` bytes. Throws UserError when it is not one or is cut
// short.
[[nodiscard]] FatBinary parse_fat_binary(const std::byte* data, std::size_t available);

// The first bytes of a linked image (linked_image.h).
inline constexpr std::uint32_t kLinkedMagic = 0x4c4c4448; // "HDLL"

// What a program hands over to be loaded, by how it begins.
enum class Image { Wrapper, FatBinary, Linked, MachineCode, Text };
[[nodiscard]] Image kind_of(const void* image);

// Every fat binary of a wrapper, as one list of entries each. Throws UserError.
[[nodiscard]] std::vector<FatBinary> parse_wrapper(const FatBinaryWrapper& wrapper);

// The entry to run on a device of compute capability `sm` (75): the newest that is not newer than the device; the
// oldest when all are newer. Throws UserError when there is no PTX, with what to do about it.
[[nodiscard]] const PtxEntry& choose_ptx(const FatBinary& binary, unsigned sm);

// The text of an entry. Throws UserError when its compression is unknown or its bytes are damaged.
[[nodiscard]] std::string ptx_text(const PtxEntry& entry);

} // namespace heddle::cudart
