// The shipped machine files, part of the program: no file on disk is read.
#pragma once

#include <span>
#include <string_view>

namespace heddle::config {

struct MachineFile {
    std::string_view name; // "lwm11"
    unsigned year;         // `year` of the file; 0: it has none
    std::string_view text; // machines/lwm11.toml
};

// Sorted by name. Generated from machines/*.toml by embed_machines.cmake.
[[nodiscard]] std::span<const MachineFile> machine_files();

} // namespace heddle::config
