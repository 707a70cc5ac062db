// What the targets of libFuzzer have in common. A target reads an input as the program does. It must read the input or
// throw UserError with a message; libFuzzer reports any other exception, as it does signals and findings of sanitizers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/source.h"

namespace heddle::fuzz {

// Runs `body`; a UserError with a message is a right answer.
template <class Body>
void read_or_refuse(Body&& body) {
    try {
        body();
    } catch (const UserError& e) {
        if (std::string_view(e.what()).empty())
            std::abort();
    }
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// Writes the input to a file of the working folder, for readers that take a path.
inline std::filesystem::path file_of(const char* name, const std::uint8_t* data, std::size_t size) {
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    return name;
}

} // namespace heddle::fuzz
