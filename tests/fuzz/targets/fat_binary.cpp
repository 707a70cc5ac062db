// Fat binaries, and the device code that a program hands over to be loaded.
#include "fat_binary.h"

#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::text_of(data, size); // ends with a null byte, as images do
    (void)cudart::kind_of(text.c_str());
    fuzz::read_or_refuse([&] {
        const cudart::FatBinary binary = cudart::parse_fat_binary(reinterpret_cast<const std::byte*>(data), size);
        for (const cudart::PtxEntry& entry : binary.ptx)
            fuzz::read_or_refuse([&] { (void)cudart::ptx_text(entry); });
        (void)cudart::choose_ptx(binary, 75);
    });
    return 0;
}
