// The program that a user wants simulated: found, and checked to be one that the simulator can serve.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::cli {

// Where the simulator's CUDA runtime lies: ../lib beside this executable. Throws UserError when it is not there.
[[nodiscard]] std::filesystem::path runtime_folder();

// LD_LIBRARY_PATH for simulated programs: `folder` before what is set already.
[[nodiscard]] std::string library_path(const std::filesystem::path& folder);

// The program's path, looked for as a shell would. Throws UsageError when there is none, when it is not an executable
// for this computer, or when it does not take its CUDA runtime from `folder`: no libcudart, one that is linked
// statically, one of another version or from another place. Each message says what to do.
[[nodiscard]] std::string check_program(const std::string& word, const std::filesystem::path& folder);

} // namespace heddle::cli
