// The libraries that the loader uses for a program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::cli {

struct LoadedLibrary {
    std::string soname, path; // path: empty when the loader does not find it
};

// Those of the program, directly or through its libraries, with `folder` first in the search. Runs the loader, which
// lists the libraries and runs nothing else.
[[nodiscard]] std::vector<LoadedLibrary> loaded_libraries(const std::string& program,
                                                          const std::filesystem::path& folder);

// The CUDA runtime among them; null when there is none.
[[nodiscard]] const LoadedLibrary* find_runtime(const std::vector<LoadedLibrary>& libraries);

} // namespace heddle::cli
