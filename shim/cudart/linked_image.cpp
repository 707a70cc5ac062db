#include "linked_image.h"

#include <cstring>

#include <fmt/format.h>

#include "base/source.h"

namespace heddle::cudart {
namespace {

struct Header {
    std::uint32_t magic = kLinkedMagic;
    std::uint32_t version = 1;
    std::uint64_t bytes = 0; // of all, this header too
};

constexpr std::uint64_t padded(std::uint64_t bytes) {
    return (bytes + 7) / 8 * 8;
}

void append(std::vector<char>& out, const void* data, std::size_t bytes) {
    const auto* const from = static_cast<const char*>(data);
    out.insert(out.end(), from, from + bytes);
    out.resize(padded(out.size()));
}

[[noreturn]] void damaged(std::uint64_t need, std::uint64_t have) {
    throw UserError(
        fmt::format("a linked image is cut short or damaged: {} bytes are needed, {} are left", need, have));
}

} // namespace

std::vector<char> make_linked_image(std::span<const std::vector<char>> fat_binaries) {
    Header header{.bytes = sizeof(Header)};
    for (const std::vector<char>& each : fat_binaries)
        header.bytes += sizeof(std::uint64_t) + padded(each.size());
    std::vector<char> out;
    append(out, &header, sizeof header);
    for (const std::vector<char>& each : fat_binaries) {
        const std::uint64_t bytes = each.size();
        append(out, &bytes, sizeof bytes);
        append(out, each.data(), each.size());
    }
    return out;
}

std::vector<FatBinary> parse_linked_image(const std::byte* data, std::size_t available) {
    if (available < sizeof(Header))
        damaged(sizeof(Header), available);
    Header header;
    std::memcpy(&header, data, sizeof header);
    if (header.version != 1)
        throw UserError(fmt::format("a linked image of version {}; version 1 is known", header.version));
    if (header.bytes < sizeof header || header.bytes > available)
        damaged(header.bytes, available);
    std::vector<FatBinary> out;
    for (std::uint64_t at = sizeof header; at != header.bytes;) {
        std::uint64_t bytes = 0;
        const std::uint64_t left = header.bytes - at;
        if (left < sizeof bytes)
            damaged(sizeof bytes, left);
        std::memcpy(&bytes, data + at, sizeof bytes);
        if (bytes > left - sizeof bytes || padded(bytes) > left - sizeof bytes)
            damaged(bytes, left - sizeof bytes);
        out.push_back(parse_fat_binary(data + at + sizeof bytes, bytes));
        at += sizeof bytes + padded(bytes);
    }
    return out;
}

} // namespace heddle::cudart
