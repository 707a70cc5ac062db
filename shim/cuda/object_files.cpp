#include "object_files.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>

namespace heddle::driver {

namespace {

template <class T>
std::optional<T> read(std::string_view from, std::uint64_t at) {
    if (at > from.size() || from.size() - at < sizeof(T))
        return std::nullopt;
    T out;
    std::memcpy(&out, from.data() + at, sizeof out);
    return out;
}

std::string_view part(std::string_view from, std::uint64_t at, std::uint64_t bytes) {
    return at > from.size() || from.size() - at < bytes ? std::string_view() : from.substr(at, bytes);
}

// The fat binaries that stand in a section one behind the other, at multiples of eight bytes.
void append_fat_binaries(std::string_view section, std::vector<std::string_view>& out) {
    constexpr std::uint32_t kMagic = 0xba55ed50;
    constexpr std::uint64_t kAlignment = 8;
    for (std::uint64_t at = 0; read<std::uint32_t>(section, at) == kMagic;) {
        const auto header = read<std::uint16_t>(section, at + 6);
        const auto bytes = read<std::uint64_t>(section, at + 8);
        if (!header || !bytes || *bytes > section.size())
            return;
        const std::string_view found = part(section, at, *header + *bytes);
        if (found.empty())
            return;
        out.push_back(found);
        at += (found.size() + kAlignment - 1) / kAlignment * kAlignment;
    }
}

} // namespace

std::vector<std::string_view> files_of_archive(std::string_view archive) {
    constexpr std::string_view kMagic = "!<arch>\n";
    constexpr std::uint64_t kHeader = 60, kSizeAt = 48, kSizeDigits = 10;
    std::vector<std::string_view> out;
    if (!archive.starts_with(kMagic))
        return out;
    for (std::uint64_t at = kMagic.size(); !part(archive, at, kHeader).empty();) {
        const std::string_view size = archive.substr(at + kSizeAt, kSizeDigits);
        std::uint64_t bytes = 0;
        if (std::from_chars(size.data(), size.data() + size.size(), bytes).ec != std::errc())
            break;
        const std::string_view file = part(archive, at + kHeader, bytes);
        if (file.empty() && bytes != 0)
            break;
        const bool is_table = archive[at] == '/' && (archive[at + 1] == ' ' || archive[at + 1] == '/');
        if (!is_table)
            out.push_back(file);
        at += kHeader + bytes + bytes % 2;
    }
    return out;
}

std::vector<std::string_view> fat_binaries_of_object(std::string_view object) {
    std::vector<std::string_view> out;
    const auto header = read<Elf64_Ehdr>(object, 0);
    if (!header || !object.starts_with(ELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64)
        return out;
    const auto section = [&](std::uint64_t number) {
        return read<Elf64_Shdr>(object, header->e_shoff + number * sizeof(Elf64_Shdr));
    };
    const auto names = section(header->e_shstrndx);
    const std::string_view texts = names ? part(object, names->sh_offset, names->sh_size) : std::string_view();
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto s = section(i);
        if (!s || s->sh_name >= texts.size())
            break;
        const std::string_view name = texts.substr(s->sh_name, texts.find('\0', s->sh_name) - s->sh_name);
        if (name == ".nv_fatbin" || name == "__nv_relfatbin") // the second: of -rdc=true
            append_fat_binaries(part(object, s->sh_offset, s->sh_size), out);
    }
    return out;
}

} // namespace heddle::driver
