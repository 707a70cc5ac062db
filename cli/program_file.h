// The program to simulate: its path, and checks that the simulator can run it.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::cli {

// The folder of the simulator's CUDA runtime: ../lib beside this executable. Throws UserError when it is missing.
[[nodiscard]] std::filesystem::path runtime_folder();

// LD_LIBRARY_PATH for simulated programs: `folder` before the present value.
[[nodiscard]] std::string library_path(const std::filesystem::path& folder);

// The program's path, found as a shell would find it. Throws UsageError when there is no such file, when it is not an
// executable for this computer, or when it certainly cannot be simulated: a program with a static CUDA runtime, or with
// a runtime of another version or from another place than `folder`. Each message says what to do. Scripts and
// interpreters may start or load CUDA programs: what they do is seen when they run.
[[nodiscard]] std::string check_program(const std::string& word, const std::filesystem::path& folder);

} // namespace heddle::cli
