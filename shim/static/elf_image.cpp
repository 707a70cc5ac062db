#include "elf_image.h"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

namespace heddle::static_runtime {

ElfImage::ElfImage(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat status;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void* const mapped = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
        if (mapped != MAP_FAILED) {
            begin_ = static_cast<const char*>(mapped);
            bytes_ = static_cast<std::uint64_t>(status.st_size);
        }
    }
    close(file);
    const auto* const header = read<Elf64_Ehdr>(0);
    if (header != nullptr && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
        header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_machine == EM_X86_64)
        header_ = header;
}

ElfImage::~ElfImage() {
    if (begin_ != nullptr && !kept_)
        munmap(const_cast<char*>(begin_), bytes_);
}

const Elf64_Shdr* ElfImage::section(std::size_t index) const {
    return header_ == nullptr || index >= header_->e_shnum
               ? nullptr
               : read<Elf64_Shdr>(header_->e_shoff + index * sizeof(Elf64_Shdr));
}

const Elf64_Shdr* ElfImage::section_of_type(std::uint32_t type) const {
    for (std::size_t i = 0; header_ != nullptr && i < header_->e_shnum; ++i)
        if (const Elf64_Shdr* const found = section(i); found != nullptr && found->sh_type == type)
            return found;
    return nullptr;
}

std::string_view ElfImage::text(std::size_t index, std::uint64_t offset) const {
    const Elf64_Shdr* const texts = section(index);
    if (texts == nullptr || texts->sh_offset > bytes_ || texts->sh_size > bytes_ - texts->sh_offset ||
        offset >= texts->sh_size)
        return {};
    const char* const begin = begin_ + texts->sh_offset + offset;
    return {begin, strnlen(begin, texts->sh_size - offset)};
}

bool ElfImage::has_device_code() const {
    for (std::size_t i = 0; header_ != nullptr && i < header_->e_shnum; ++i) {
        const Elf64_Shdr* const described = section(i);
        const std::string_view name = described == nullptr ? "" : text(header_->e_shstrndx, described->sh_name);
        if (name == ".nv_fatbin" || name == ".nvFatBinSegment" || name == "__nv_relfatbin")
            return true;
    }
    return false;
}

} // namespace heddle::static_runtime
