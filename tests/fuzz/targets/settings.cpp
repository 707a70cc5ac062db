// Settings of the command line: a line for each KEY=VALUE.
#include <sstream>
#include <vector>

#include "config/parameter.h"
#include "target.h"

using namespace heddle;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream in(fuzz::text_of(data, size).c_str()); // a word of a command line has no null byte
    std::vector<std::string> settings;
    for (std::string line; std::getline(in, line);)
        settings.push_back(line);
    fuzz::read_or_refuse([&] { (void)config::Machine::load("lwm11", settings); });
    return 0;
}
