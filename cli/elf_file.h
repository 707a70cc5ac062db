// The headers and symbols of an ELF file. All offsets are checked: the file may be anything.
#pragma once

#include <cstdint>
#include <elf.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

class ElfFile {
public:
    explicit ElfFile(std::string bytes);

    [[nodiscard]] bool is_elf() const;
    [[nodiscard]] bool is_program_for_this_computer() const;
    // Whether the loader of glibc starts it, which can list its libraries. Else it is linked statically, or the loader
    // of another C library starts it.
    [[nodiscard]] bool is_loaded_by_glibc() const;
    // Whether the file has device code: every CUDA compiler puts it into a section with one of these names.
    [[nodiscard]] bool has_device_code() const;

    // Names that other libraries define for it, and names of functions in it. The views live as long as this object.
    [[nodiscard]] std::vector<std::string_view> imported_names() const;
    [[nodiscard]] std::vector<std::string_view> functions() const;

private:
    template <class T>
    [[nodiscard]] std::optional<T> read(std::uint64_t offset) const;
    [[nodiscard]] std::optional<Elf64_Shdr> section(std::size_t index) const;
    [[nodiscard]] std::string_view section_name(std::size_t index) const;
    [[nodiscard]] std::string_view text_at(std::uint64_t offset) const;
    // visit(name, symbol) for the symbols in sections of a type
    template <class Visit>
    void for_symbols(std::uint32_t type, Visit&& visit) const;

    std::string bytes_;
    std::optional<Elf64_Ehdr> header_;
};

} // namespace heddle::cli
