// Names of functions in the debug information of a module: `L: .b8 95, 90, 0` in section .debug_str.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace heddle::ptx {

class DebugNames {
public:
    // Reads a section's text, which outlives this. What is no list of bytes is passed over: a name is a convenience.
    void read(std::string_view section);
    // The name `offset` bytes behind a label; empty: not known.
    [[nodiscard]] std::string name(std::string_view label, std::int64_t offset) const;

private:
    std::string bytes_; // of all sections
    std::map<std::string_view, std::size_t> labels_;
};

} // namespace heddle::ptx
