// ELF files: the programs whose linked-in runtime is redirected.
#include "elf_image.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::file_of("program", data, size);
    const static_runtime::ElfImage image(file.c_str());
    (void)image.has_device_code();
    std::size_t bytes = 0;
    image.for_functions([&](std::string_view name, const Elf64_Sym&) { bytes += name.size(); });
    return 0;
}
