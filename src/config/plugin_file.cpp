#include "config/plugin_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/source.h"
#include "config/plugin.h"

namespace heddle::config {

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error))
        throw UserError(fmt::format("{}: there is no such plug-in", file.string()));
    if (!fs::is_regular_file(file, error))
        throw UserError(fmt::format("{}: not a file; a plug-in is a shared object (.so)", file.string()));
    std::ifstream in(file, std::ios::binary);
    if (!in)
        throw UserError(fmt::format("{}: cannot be read", file.string()));
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

template <class T>
std::optional<T> at(std::string_view content, std::uint64_t offset) {
    T out;
    if (offset > content.size() || content.size() - offset < sizeof out)
        return std::nullopt;
    std::memcpy(&out, content.data() + offset, sizeof out);
    return out;
}

// Of a file that ends before its header, UINT64_MAX.
std::uint64_t length_by_header(std::string_view content, const Elf64_Ehdr& header) {
    std::uint64_t length = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        const auto segment = at<Elf64_Phdr>(content, header.e_phoff + i * sizeof(Elf64_Phdr));
        if (!segment)
            return UINT64_MAX;
        length = std::max(length, segment->p_offset + segment->p_filesz);
    }
    return length;
}

// The loader does not look at the length: a file that ends early would end this process by a signal.
void check_shared_object(const fs::path& file, std::string_view content) {
    if (!content.starts_with(ELFMAG))
        throw UserError(fmt::format("{}: not a plug-in: it is no shared object; `heddle new` writes a plug-in to start "
                                    "from, and its build makes the .so file",
                                    file.string()));
    const auto header = at<Elf64_Ehdr>(content, 0);
    if (content.size() > EI_CLASS && content[EI_CLASS] == ELFCLASS32)
        throw UserError(fmt::format("{}: a 32-bit shared object; heddle is a program of 64 bits, build the plug-in as "
                                    "one",
                                    file.string()));
    if (header && header->e_machine != EM_X86_64)
        throw UserError(
            fmt::format("{}: a shared object for another kind of processor; build the plug-in for x86-64, as heddle is",
                        file.string()));
    if (!header || length_by_header(content, *header) > content.size())
        throw UserError(fmt::format("{}: the file ends early, after {} bytes; build or copy the plug-in again",
                                    file.string(), content.size()));
    if (header->e_type != ET_DYN)
        throw UserError(fmt::format("{}: not a shared object; link the plug-in with -shared", file.string()));
}

struct Mark {
    std::string_view abi, name, meaning;
};

std::optional<Mark> find_mark(std::string_view content) {
    constexpr std::string_view word = HEDDLE_PLUGIN_WORD;
    for (std::size_t at = content.find(word); at != std::string_view::npos; at = content.find(word, at + 1)) {
        std::string_view rest = content.substr(at + word.size());
        std::array<std::string_view, 3> lines;
        std::size_t found = 0;
        for (; found < lines.size(); ++found) {
            const std::size_t end = rest.find_first_of(std::string_view("\n\0", 2));
            if (end == std::string_view::npos || rest[end] == '\0')
                break;
            lines[found] = rest.substr(0, end);
            rest.remove_prefix(end + 1);
        }
        if (found == lines.size())
            return Mark{lines[0], lines[1], lines[2]};
    }
    return std::nullopt;
}

Mark mark_of(const fs::path& file, std::string_view content) {
    const std::optional<Mark> mark = find_mark(content);
    if (!mark)
        throw UserError(fmt::format("{}: not a plug-in of heddle: no source file of it has HEDDLE_PLUGIN(\"name\", "
                                    "\"meaning\") (config/plugin.h)",
                                    file.string()));
    if (mark->abi != HEDDLE_ABI)
        throw UserError(fmt::format("{}: the plug-in was built for another heddle; build it again with this one\n"
                                    "  plug-in: {}\n  this:    {}",
                                    file.string(), mark->abi, HEDDLE_ABI));
    return *mark;
}

} // namespace

PluginFile read_plugin_file(const fs::path& file) {
    const std::string content = read(file);
    check_shared_object(file, content);
    const Mark mark = mark_of(file, content);
    return {std::string(mark.name), std::string(mark.meaning), digest(content)};
}

} // namespace heddle::config
