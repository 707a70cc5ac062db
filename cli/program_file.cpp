#include "program_file.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "child.h"
#include "command.h"
#include "temporary_file.h"

namespace heddle::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSoname = "libcudart.so.13";
constexpr const char* kStaticRuntime = "libheddle-static-runtime.so";

// The headers of an ELF file. All offsets are checked: the file may be anything.
class ElfFile {
public:
    explicit ElfFile(std::string bytes) : bytes_(std::move(bytes)) {
        header_ = read<Elf64_Ehdr>(0);
    }

    [[nodiscard]] bool is_elf() const {
        return bytes_.size() >= SELFMAG && std::memcmp(bytes_.data(), ELFMAG, SELFMAG) == 0;
    }
    [[nodiscard]] bool is_program_for_this_computer() const {
        return is_elf() && header_ && header_->e_ident[EI_CLASS] == ELFCLASS64 && header_->e_machine == EM_X86_64 &&
               (header_->e_type == ET_EXEC || header_->e_type == ET_DYN);
    }
    // Whether the loader of glibc starts it, which can list its libraries. Else it is linked statically, or the loader
    // of another C library starts it.
    [[nodiscard]] bool is_loaded_by_glibc() const {
        for (std::size_t i = 0; header_ && i < header_->e_phnum; ++i)
            if (const auto segment = read<Elf64_Phdr>(header_->e_phoff + i * sizeof(Elf64_Phdr)))
                if (segment->p_type == PT_INTERP)
                    return text_at(segment->p_offset).find("/ld-linux") != std::string_view::npos;
        return false;
    }
    // Whether the file has device code: every CUDA compiler puts it into a section with one of these names.
    [[nodiscard]] bool has_device_code() const {
        for (std::size_t i = 0; header_ && i < header_->e_shnum; ++i) {
            const std::string_view name = section_name(i);
            if (name == ".nv_fatbin" || name == ".nvFatBinSegment" || name == "__nv_relfatbin")
                return true;
        }
        return false;
    }

private:
    template <class T>
    [[nodiscard]] std::optional<T> read(std::uint64_t offset) const {
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
            return std::nullopt;
        T out;
        std::memcpy(&out, bytes_.data() + offset, sizeof(T));
        return out;
    }
    [[nodiscard]] std::optional<Elf64_Shdr> section(std::size_t index) const {
        return read<Elf64_Shdr>(header_->e_shoff + index * sizeof(Elf64_Shdr));
    }
    [[nodiscard]] std::string_view section_name(std::size_t index) const {
        const auto names = section(header_->e_shstrndx);
        const auto described = section(index);
        if (!names || !described)
            return {};
        return text_at(names->sh_offset + described->sh_name);
    }
    [[nodiscard]] std::string_view text_at(std::uint64_t offset) const {
        if (offset >= bytes_.size())
            return {};
        const std::size_t end = bytes_.find('\0', offset);
        return std::string_view(bytes_).substr(offset, end == std::string::npos ? end : end - offset);
    }

    std::string bytes_;
    std::optional<Elf64_Ehdr> header_;
};

std::string find_program(const std::string& word) {
    if (word.find('/') != std::string::npos)
        return word;
    const char* const variable = std::getenv("PATH");
    std::string_view path = variable == nullptr ? "" : variable;
    while (!path.empty()) {
        const std::size_t colon = std::min(path.find(':'), path.size());
        const fs::path candidate = fs::path(path.substr(0, colon)) / word;
        std::error_code error;
        if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error))
            return candidate.string();
        path.remove_prefix(std::min(colon + 1, path.size()));
    }
    std::error_code error;
    if (fs::exists(word, error))
        throw UsageError(
            fmt::format("{0}: there is no such program in PATH; for the file in this folder write ./{0}", word));
    throw UsageError(fmt::format("{}: there is no such program", word));
}

struct LoadedRuntime {
    std::string soname, path; // path: empty when the loader does not find it
};

// The libcudart that the loader uses for the program, directly or through its libraries. Runs the loader, which lists
// the libraries and runs nothing else.
std::optional<LoadedRuntime> loaded_runtime(const std::string& program, const fs::path& folder) {
    const TemporaryFile list;
    (void)wait_for(
        start({{program}, {{"LD_TRACE_LOADED_OBJECTS", "1"}, {"LD_LIBRARY_PATH", library_path(folder)}}, list.path()}));
    const std::string text = list.content();
    const std::size_t at = text.find("\tlibcudart.so");
    if (at == std::string::npos)
        return std::nullopt;
    const std::string line = text.substr(at + 1, text.find('\n', at) - at - 1);
    LoadedRuntime out{line.substr(0, line.find(' ')), ""};
    const std::size_t arrow = line.find("=> /");
    if (arrow != std::string::npos)
        out.path = line.substr(arrow + 3, line.rfind(" (") - arrow - 3);
    return out;
}

void check_runtime(const std::string& program, const LoadedRuntime& runtime, const fs::path& folder) {
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

void check_elf(const std::string& program, const ElfFile& elf, const fs::path& folder) {
    if (!elf.is_program_for_this_computer())
        throw UsageError(fmt::format("{}: not a program for 64-bit x86", program));
    const std::optional<LoadedRuntime> runtime =
        elf.is_loaded_by_glibc() ? loaded_runtime(program, folder) : std::nullopt;
    if (runtime)
        check_runtime(program, *runtime, folder);
    else
        check_without_runtime(program, elf);
}

} // namespace

fs::path runtime_folder() {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib";
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
    if (elf.is_elf() && elf.is_loaded_by_glibc() && loaded_runtime(program, folder))
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
