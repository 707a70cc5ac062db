// Libraries of NVIDIA whose kernels are machine code: they cannot be simulated.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "elf_file.h"
#include "loaded_libraries.h"

namespace heddle::cli {

// Throws UsageError when the program, or a library of it that is not NVIDIA's, calls such a library, or has one linked
// into it. A library that is loaded and not called is no reason. `folder` has the simulator's replacements: with these
// in place of NVIDIA's the calls are served.
void check_nvidia_libraries(const std::string& program, const ElfFile&, const std::vector<LoadedLibrary>&,
                            const std::filesystem::path& folder);

} // namespace heddle::cli
