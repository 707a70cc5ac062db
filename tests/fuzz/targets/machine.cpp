// Machine files.
#include "config/parameter.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::file_of("machine.toml", data, size);
    fuzz::read_or_refuse([&] {
        const config::Machine machine = config::Machine::load(file.string(), {});
        // What `heddle describe machines FILE --toml` prints is a machine file.
        const std::string text = machine.to_toml();
        const auto again = fuzz::file_of("again.toml", reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
        if (config::Machine::load(again.string(), {}).to_toml() != text)
            std::abort();
    });
    return 0;
}
