#include "program_file.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "child.h"
#include "command.h"
#include "elf_file.h"
#include "loaded_libraries.h"
#include "nvidia_libraries.h"
#include "own_folder.h"

namespace heddle::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSoname = "libcudart.so.13";
constexpr const char* kStaticRuntime = "libheddle-static-runtime.so";

std::string find_program(const std::string& word) {
    if (word.find('/') != std::string::npos)
        return word;
    if (auto found = program_in_path(word))
        return *std::move(found);
    std::error_code error;
    if (fs::exists(word, error))
        throw UsageError(
            fmt::format("{0}: there is no such program in PATH; for the file in this folder write ./{0}", word));
    throw UsageError(fmt::format("{}: there is no such program", word));
}

void check_runtime(const std::string& program, const LoadedLibrary& runtime, const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / runtime.soname, error))
        throw UsageError(
            fmt::format("{}: the program needs {}, and the simulator serves {} only; build the program with a CUDA "
                        "toolkit of that version",
                        program, runtime.soname, kSoname));
    if (!fs::equivalent(runtime.path, folder / runtime.soname, error))
        throw UsageError(
            fmt::format("{}: the program takes {} from {}, not from the simulator; link it without an RPATH to "
                        "that folder",
                        program, runtime.soname, runtime.path));
}

// A program with device code that the loader of glibc does not start: nothing can be loaded before it or by it.
void check_without_runtime(const std::string& program, const ElfFile& elf) {
    if (elf.has_device_code() && !elf.is_loaded_by_glibc())
        throw UsageError(
            fmt::format("{}: the C library is linked statically into this CUDA program, so that neither a CUDA runtime "
                        "nor a driver can take the place of its own; link it without -static",
                        program));
}

// "#!/bin/sh -e": the first word is a program.
void check_script(const std::string& script, std::string_view text) {
    std::string_view line = text.substr(2, text.find('\n') - 2);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::string interpreter(line.substr(0, line.find_first_of(" \t\r")));
    if (access(interpreter.c_str(), X_OK) != 0)
        throw UsageError(fmt::format("{}: the program of its first line, '{}', is not there", script, interpreter));
}

// Whether a CUDA runtime is linked into the program. It may load heddle's beside it, which heddle's driver needs.
bool has_own_runtime(const ElfFile& elf) {
    const std::vector<std::string_view> names = elf.functions();
    return std::find(names.begin(), names.end(), "__cudaRegisterFatBinary") != names.end();
}

void check_elf(const std::string& program, const ElfFile& elf, const fs::path& folder) {
    if (!elf.is_program_for_this_computer())
        throw UsageError(fmt::format("{}: not a program for 64-bit x86", program));
    const std::vector<LoadedLibrary> libraries =
        elf.is_loaded_by_glibc() ? loaded_libraries(program, folder) : std::vector<LoadedLibrary>{};
    const LoadedLibrary* const runtime = has_own_runtime(elf) ? nullptr : find_runtime(libraries);
    if (runtime != nullptr)
        check_runtime(program, *runtime, folder);
    else
        check_without_runtime(program, elf);
    check_nvidia_libraries(program, elf, libraries, folder);
}

} // namespace

std::optional<std::string> program_in_path(const std::string& name) {
    const char* const variable = std::getenv("PATH");
    std::string_view path = variable == nullptr ? "" : variable;
    while (!path.empty()) {
        const std::size_t colon = std::min(path.find(':'), path.size());
        const fs::path candidate = fs::path(path.substr(0, colon)) / name;
        std::error_code error;
        if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error))
            return candidate.string();
        path.remove_prefix(std::min(colon + 1, path.size()));
    }
    return std::nullopt;
}

fs::path runtime_folder() {
    const fs::path installed = own_prefix() / "lib/heddle";
    const fs::path folder = fs::is_directory(installed) ? installed : own_prefix() / "lib";
    for (const char* const library : {kSoname, kStaticRuntime})
        if (!fs::exists(folder / library))
            throw UserError(fmt::format("{}: not there; build it with `make`", (folder / library).string()));
    return folder;
}

std::string library_path(const fs::path& folder) {
    const char* const before = std::getenv("LD_LIBRARY_PATH");
    return before == nullptr || *before == '\0' ? folder.string() : folder.string() + ":" + before;
}

std::string preloads(const std::string& program, const fs::path& folder) {
    const char* const variable = std::getenv("LD_PRELOAD");
    const std::string before = variable == nullptr ? "" : variable;
    const ElfFile elf(read_file(program));
    if (elf.is_elf() && elf.is_loaded_by_glibc() && !has_own_runtime(elf) &&
        find_runtime(loaded_libraries(program, folder)) != nullptr)
        return before;
    const std::string library = (folder / kStaticRuntime).string();
    if (library.find_first_of(" :") != std::string::npos) // the loader would take it for several
        return before;
    return before.empty() ? library : library + ":" + before;
}

std::string check_program(const std::string& word, const fs::path& folder) {
    const std::string program = find_program(word);
    std::error_code error;
    if (!fs::exists(program, error))
        throw UsageError(fmt::format("{}: there is no such program", program));
    if (!fs::is_regular_file(program, error))
        throw UsageError(fmt::format("{}: not a file", program));
    if (access(program.c_str(), X_OK) != 0)
        throw UsageError(fmt::format("{}: not executable", program));
    std::string content = read_file(program);
    const bool script = content.starts_with("#!");
    if (script)
        check_script(program, content);
    const ElfFile elf(std::move(content));
    if (elf.is_elf())
        check_elf(program, elf, folder);
    else if (!script)
        throw UsageError(fmt::format("{}: neither a compiled program (ELF) nor a script (#!)", program));
    return program;
}

} // namespace heddle::cli
