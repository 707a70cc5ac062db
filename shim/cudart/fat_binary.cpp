#include "fat_binary.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <lz4.h>
#include <zstd.h>

#include <fmt/format.h>

#include "base/source.h"

namespace heddle::cudart {
namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kEntryHeaderBytes = 64; // the fields read here; a longer header is skipped by its own size
constexpr std::uint16_t kKindPtx = 1;
constexpr std::uint64_t kMostPlainBytes = std::uint64_t{1} << 30; // of a text: LZ4 counts bytes in an int
constexpr std::uint64_t kLz4Ratio = 255;             // a byte of its lengths stands for as many bytes of text
constexpr std::uint64_t kZstdRatio = 128 * 1024 / 4; // a block of up to 128 KiB takes at least 4 bytes
constexpr std::uint64_t kFlagLz4 = 0x2000, kFlagZstd = 0x8000;

template <class T>
T field(const std::byte* at, std::size_t offset) {
    T value;
    std::memcpy(&value, at + offset, sizeof value);
    return value;
}

[[noreturn]] void cut_short(const char* part, std::uint64_t need, std::uint64_t have) {
    throw UserError(
        fmt::format("the embedded fat binary is cut short: its {} needs {} bytes, {} are left", part, need, have));
}

Compression compression_of(std::uint64_t flags, std::uint32_t compressed_bytes) {
    if ((flags & kFlagZstd) != 0)
        return Compression::Zstd;
    if ((flags & kFlagLz4) != 0)
        return Compression::Lz4;
    return compressed_bytes == 0 ? Compression::None : Compression::Other;
}

PtxEntry ptx_entry(const std::byte* entry, const std::byte* payload, std::uint64_t payload_bytes) {
    const auto compressed_bytes = field<std::uint32_t>(entry, 16);
    PtxEntry out{field<std::uint32_t>(entry, 28),
                 compression_of(field<std::uint64_t>(entry, 40), compressed_bytes),
                 {},
                 field<std::uint64_t>(entry, 56)};
    const char* text = reinterpret_cast<const char*>(payload);
    if (out.compression == Compression::None) {
        out.stored.assign(text, strnlen(text, payload_bytes));
    } else { // the payload is padded
        if (compressed_bytes > payload_bytes)
            cut_short("compressed PTX", compressed_bytes, payload_bytes);
        out.stored.assign(text, compressed_bytes);
    }
    return out;
}

// Whether the text can be as large as the entry says: a damaged size takes no memory.
bool size_is_possible(const PtxEntry& entry) {
    const std::uint64_t ratio = entry.compression == Compression::Zstd ? kZstdRatio : kLz4Ratio;
    return entry.plain_bytes <= kMostPlainBytes && entry.plain_bytes / ratio <= entry.stored.size();
}

// Writes the text to `out`, which has its size; false when the bytes are not what makes so much.
bool decompress(const PtxEntry& entry, std::string& out) {
    const std::string& from = entry.stored;
    if (entry.compression == Compression::Zstd)
        return ZSTD_decompress(out.data(), out.size(), from.data(), from.size()) == out.size();
    const int written =
        LZ4_decompress_safe(from.data(), out.data(), static_cast<int>(from.size()), static_cast<int>(out.size()));
    return written >= 0 && static_cast<std::size_t>(written) == out.size();
}

} // namespace

Image kind_of(const void* image) {
    constexpr std::array<char, 4> kElf{0x7f, 'E', 'L', 'F'};
    // Byte by byte: a text may be shorter than a number.
    const auto begins_with = [image](const void* what) {
        const auto* const have = static_cast<const char*>(image);
        const auto* const want = static_cast<const char*>(what);
        for (unsigned i = 0; i < 4; ++i)
            if (have[i] != want[i])
                return false;
        return true;
    };
    return begins_with(&kWrapperMagic)  ? Image::Wrapper
           : begins_with(&kMagic)       ? Image::FatBinary
           : begins_with(&kLinkedMagic) ? Image::Linked
           : begins_with(kElf.data())   ? Image::MachineCode
                                        : Image::Text;
}

FatBinary parse_fat_binary(const std::byte* data, std::size_t available) {
    if (available < kHeaderBytes)
        cut_short("header", kHeaderBytes, available);
    if (const auto magic = field<std::uint32_t>(data, 0); magic != kMagic)
        throw UserError(fmt::format("not a fat binary: it begins with {:#010x} instead of {:#010x}", magic, kMagic));
    const std::size_t header = field<std::uint16_t>(data, 6);
    const auto bytes = field<std::uint64_t>(data, 8);
    if (header < kHeaderBytes || header > available || bytes > available - header)
        cut_short("content", bytes, header > available ? 0 : available - header);

    FatBinary out;
    const std::byte* entry = data + header;
    for (std::uint64_t left = bytes; left != 0;) {
        if (left < kEntryHeaderBytes)
            cut_short("next entry's header", kEntryHeaderBytes, left);
        const std::uint64_t entry_header = field<std::uint32_t>(entry, 4);
        const auto payload = field<std::uint64_t>(entry, 8);
        if (entry_header < kEntryHeaderBytes || entry_header > left || payload > left - entry_header)
            cut_short("next entry", payload, entry_header > left ? 0 : left - entry_header);
        if (field<std::uint16_t>(entry, 0) == kKindPtx)
            out.ptx.push_back(ptx_entry(entry, entry + entry_header, payload));
        else
            ++out.other_entries;
        entry += entry_header + payload;
        left -= entry_header + payload;
    }
    return out;
}

std::vector<FatBinary> parse_wrapper(const FatBinaryWrapper& wrapper) {
    if (wrapper.magic != kWrapperMagic)
        throw UserError(fmt::format("not a fat binary's wrapper: it begins with {:#010x} instead of {:#010x}",
                                    wrapper.magic, kWrapperMagic));
    if (wrapper.version != 1 && wrapper.version != 2)
        throw UserError(
            fmt::format("a fat binary's wrapper of version {}; versions 1 and 2 are known", wrapper.version));
    std::vector<FatBinary> out;
    if (wrapper.version == 1) {
        out.push_back(parse_fat_binary(static_cast<const std::byte*>(wrapper.data), kUnknownBytes));
    } else if (wrapper.more != nullptr) {
        for (const void* const* each = wrapper.more; *each != nullptr; ++each)
            out.push_back(parse_fat_binary(static_cast<const std::byte*>(*each), kUnknownBytes));
    }
    return out;
}

const PtxEntry& choose_ptx(const FatBinary& binary, unsigned sm) {
    if (binary.ptx.empty())
        throw UserError(
            fmt::format("the program carries no PTX{}; compile it for a virtual architecture too, for example with "
                        "nvcc -gencode arch=compute_{},code=compute_{}",
                        binary.other_entries == 0 ? "" : ", only machine code of a GPU", sm, sm));
    const auto rank = [sm](const PtxEntry& e) { return e.sm <= sm ? std::int64_t{e.sm} : -std::int64_t{e.sm}; };
    const PtxEntry& best = *std::max_element(binary.ptx.begin(), binary.ptx.end(),
                                             [&](const PtxEntry& a, const PtxEntry& b) { return rank(a) < rank(b); });
    return best;
}

std::string ptx_text(const PtxEntry& entry) {
    if (entry.compression == Compression::None)
        return entry.stored;
    if (entry.compression == Compression::Other)
        throw UserError(fmt::format("the program's PTX (sm_{}) is compressed by a method that heddle does not know; "
                                    "compile it with nvcc --no-compress",
                                    entry.sm));
    std::string text;
    if (size_is_possible(entry)) {
        text.resize(entry.plain_bytes);
        if (decompress(entry, text)) {
            text.resize(strnlen(text.data(), text.size()));
            return text;
        }
    }
    throw UserError(fmt::format("the program's compressed PTX (sm_{}) is damaged: {} bytes do not make the {} that its "
                                "header promises",
                                entry.sm, entry.stored.size(), entry.plain_bytes));
}

} // namespace heddle::cudart
