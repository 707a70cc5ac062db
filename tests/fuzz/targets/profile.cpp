// Profiles of sites (--profile).
#include "batch/profile.h"

#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = fuzz::file_of("profile.toml", data, size);
    fuzz::read_or_refuse([&] { (void)batch::read_profile(file); });
    return 0;
}
