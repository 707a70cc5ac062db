// The program to simulate: its path, and checks that the simulator can run it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace heddle::cli {

// A program in the folders of PATH; nothing: there is none.
[[nodiscard]] std::optional<std::string> program_in_path(const std::string& name);

// The folder of the simulator's CUDA runtimes: lib/heddle of an installed heddle, lib of a build. Throws UserError when
// one is missing.
[[nodiscard]] std::filesystem::path runtime_folder();

// LD_LIBRARY_PATH for simulated programs: `folder` before the present value.
[[nodiscard]] std::string library_path(const std::filesystem::path& folder);

// LD_PRELOAD for a simulated program: the present value, and before it the library that replaces a CUDA runtime which
// is linked into the program, or into what a script starts. A program with a shared CUDA runtime does not get this
// library: the address sanitizer, for one, wants to be the first.
[[nodiscard]] std::string preloads(const std::string& program, const std::filesystem::path& folder);

// The program's path, found as a shell would find it. Throws UsageError when there is no such file, when it is not an
// executable for this computer, or when it certainly cannot be simulated: a CUDA program that loads no library, or one
// with a runtime of another version or from another place than `folder`. Each message says what to do. Scripts and
// interpreters may start or load CUDA programs: what they do is seen when they run.
[[nodiscard]] std::string check_program(const std::string& word, const std::filesystem::path& folder);

} // namespace heddle::cli
