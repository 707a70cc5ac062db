// Where heddle's own files are, found from the place of this executable: an installed heddle can be moved.
#pragma once

#include <filesystem>

namespace heddle::cli {

// The folder above bin/.
[[nodiscard]] std::filesystem::path own_prefix();

// A folder of own_prefix(): `installed`/NAME where that is there, else NAME, as in a build.
[[nodiscard]] std::filesystem::path own_folder(const char* installed, const char* name);

} // namespace heddle::cli
