#include "elf_file.h"

#include <cstring>
#include <utility>

namespace heddle::cli {

ElfFile::ElfFile(std::string bytes) : bytes_(std::move(bytes)), header_(read<Elf64_Ehdr>(0)) {}

bool ElfFile::is_elf() const {
    return bytes_.size() >= SELFMAG && std::memcmp(bytes_.data(), ELFMAG, SELFMAG) == 0;
}

bool ElfFile::is_program_for_this_computer() const {
    return is_elf() && header_ && header_->e_ident[EI_CLASS] == ELFCLASS64 && header_->e_machine == EM_X86_64 &&
           (header_->e_type == ET_EXEC || header_->e_type == ET_DYN);
}

bool ElfFile::is_loaded_by_glibc() const {
    for (std::size_t i = 0; header_ && i < header_->e_phnum; ++i)
        if (const auto segment = read<Elf64_Phdr>(header_->e_phoff + i * sizeof(Elf64_Phdr)))
            if (segment->p_type == PT_INTERP)
                return text_at(segment->p_offset).find("/ld-linux") != std::string_view::npos;
    return false;
}

bool ElfFile::has_device_code() const {
    for (std::size_t i = 0; header_ && i < header_->e_shnum; ++i) {
        const std::string_view name = section_name(i);
        if (name == ".nv_fatbin" || name == ".nvFatBinSegment" || name == "__nv_relfatbin")
            return true;
    }
    return false;
}

std::vector<std::string_view> ElfFile::imported_names() const {
    std::vector<std::string_view> out;
    for_symbols(SHT_DYNSYM, [&](std::string_view name, const Elf64_Sym& symbol) {
        if (symbol.st_shndx == SHN_UNDEF)
            out.push_back(name);
    });
    return out;
}

std::vector<std::string_view> ElfFile::functions() const {
    std::vector<std::string_view> out;
    for_symbols(SHT_SYMTAB, [&](std::string_view name, const Elf64_Sym& symbol) {
        if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
            out.push_back(name);
    });
    return out;
}

template <class T>
std::optional<T> ElfFile::read(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
        return std::nullopt;
    T out;
    std::memcpy(&out, bytes_.data() + offset, sizeof(T));
    return out;
}

std::optional<Elf64_Shdr> ElfFile::section(std::size_t index) const {
    return read<Elf64_Shdr>(header_->e_shoff + index * sizeof(Elf64_Shdr));
}

std::string_view ElfFile::section_name(std::size_t index) const {
    const auto names = section(header_->e_shstrndx);
    const auto described = section(index);
    if (!names || !described)
        return {};
    return text_at(names->sh_offset + described->sh_name);
}

std::string_view ElfFile::text_at(std::uint64_t offset) const {
    if (offset >= bytes_.size())
        return {};
    const std::size_t end = bytes_.find('\0', offset);
    return std::string_view(bytes_).substr(offset, end == std::string::npos ? end : end - offset);
}

template <class Visit>
void ElfFile::for_symbols(std::uint32_t type, Visit&& visit) const {
    for (std::size_t i = 0; header_ && i < header_->e_shnum; ++i) {
        const auto symbols = section(i);
        if (!symbols || symbols->sh_type != type)
            continue;
        const auto names = section(symbols->sh_link);
        for (std::uint64_t at = 0; names && at < symbols->sh_size; at += sizeof(Elf64_Sym)) {
            const auto symbol = read<Elf64_Sym>(symbols->sh_offset + at);
            if (!symbol)
                break;
            visit(text_at(names->sh_offset + symbol->st_name), *symbol);
        }
    }
}

} // namespace heddle::cli
