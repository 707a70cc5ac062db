// Result files of `heddle work`, as they lie in a folder: the result itself, and the note of a lost run.
#include <filesystem>

#include "experiment/result_folder.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    experiment::ResultFolder folder("results");
    const auto file = fuzz::file_of("results/key.run", data, size);
    fuzz::file_of("results/key.lost", data, size);
    fuzz::read_or_refuse([&] { (void)experiment::read_result_file(file); });
    fuzz::read_or_refuse([&] { (void)folder.find("key", ""); });
    fuzz::read_or_refuse([&] { (void)folder.loss("key"); });
    return 0;
}
