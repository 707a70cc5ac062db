// Object files of compilers, and archives of them, as far as they hold fat binaries.
#pragma once

#include <string_view>
#include <vector>

namespace heddle::driver {

// The files of an archive (ar) but for its tables; those before a place where it is damaged.
[[nodiscard]] std::vector<std::string_view> files_of_archive(std::string_view archive);

// The fat binaries of a 64-bit ELF file, which nvcc and clang put into sections of their own; those before a place
// where the file is damaged.
[[nodiscard]] std::vector<std::string_view> fat_binaries_of_object(std::string_view object);

} // namespace heddle::driver
