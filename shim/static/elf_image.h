// The symbol table of an ELF file, which the loader does not map: read from the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <string_view>

namespace heddle::static_runtime {

// All offsets are checked: the file may be anything. Allocates no memory.
class ElfImage {
public:
    explicit ElfImage(const char* path);
    ~ElfImage();
    ElfImage(const ElfImage&) = delete;
    ElfImage& operator=(const ElfImage&) = delete;

    // The texts that for_functions() gives stay valid when the image ends.
    void keep() {
        kept_ = true;
    }

    // Whether the file has device code: every CUDA compiler puts it into a section with one of these names.
    [[nodiscard]] bool has_device_code() const;

    // Calls use(name, symbol) for every function that the symbol table defines.
    template <class Use>
    void for_functions(Use&& use) const {
        const Elf64_Shdr* const table = section_of_type(SHT_SYMTAB);
        if (table == nullptr)
            return;
        for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
            const auto* const symbol = read<Elf64_Sym>(table->sh_offset + at);
            if (symbol == nullptr)
                return;
            if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF)
                use(text(table->sh_link, symbol->st_name), *symbol);
        }
    }

private:
    template <class T>
    [[nodiscard]] const T* read(std::uint64_t offset) const {
        const bool inside = offset <= bytes_ && bytes_ - offset >= sizeof(T) && offset % alignof(T) == 0;
        return inside ? reinterpret_cast<const T*>(begin_ + offset) : nullptr;
    }
    [[nodiscard]] const Elf64_Shdr* section(std::size_t index) const;
    [[nodiscard]] const Elf64_Shdr* section_of_type(std::uint32_t type) const;
    // A text of a section of texts; empty where there is none.
    [[nodiscard]] std::string_view text(std::size_t section, std::uint64_t offset) const;

    const char* begin_ = nullptr;
    std::uint64_t bytes_ = 0;
    bool kept_ = false;
    const Elf64_Ehdr* header_ = nullptr; // null: no file of this computer's kind
};

} // namespace heddle::static_runtime
