#include "gpu_program.h"

#include <cstdlib>
#include <sstream>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "base/source.h"
#include "child.h"
#include "temporary_file.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
    return !fs::is_directory(file) && ::access(file.c_str(), X_OK) == 0;
}

fs::path find_nvcc() {
    std::vector<fs::path> folders;
    if (const char* const path = std::getenv("PATH")) {
        std::istringstream list{path};
        for (std::string folder; std::getline(list, folder, ':');)
            folders.emplace_back(folder);
    }
    if (const char* const home = std::getenv("CUDA_HOME"))
        folders.push_back(fs::path(home) / "bin");
    folders.emplace_back("/usr/local/cuda/bin");
    for (const fs::path& folder : folders)
        if (is_program(folder / "nvcc"))
            return folder / "nvcc";
    throw UserError(
        "no nvcc is in PATH, CUDA_HOME/bin or /usr/local/cuda/bin: programs for the GPU of this computer are "
        "built with the CUDA toolkit");
}

// A folder for one program, which goes with this object.
class ProgramFolder {
public:
    ProgramFolder() {
        std::string name = (fs::temp_directory_path() / "heddle-gpu-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw UserError(fmt::format("{}: no folder can be made there", fs::temp_directory_path().string()));
        folder_ = name;
    }
    ~ProgramFolder() {
        std::error_code error;
        fs::remove_all(folder_, error);
    }
    ProgramFolder(const ProgramFolder&) = delete;
    ProgramFolder& operator=(const ProgramFolder&) = delete;

    [[nodiscard]] std::string program() const {
        return (folder_ / "program").string();
    }

private:
    fs::path folder_;
};

// What a program prints. Throws UserError with it when the program fails.
std::string output_of(std::vector<std::string> words, const std::string& what) {
    const TemporaryFile output;
    SignalForwarder signals;
    const pid_t pid = start({std::move(words), {}, output.path()});
    signals.add(pid);
    const Ending ending = wait_for(pid);
    signals.remove(pid);
    if (ending.exit_status != 0 || ending.signal != 0)
        throw UserError(fmt::format("{} {}\n{}", what, ending.text(), output.content()));
    return output.content();
}

} // namespace

std::string output_on_gpu(const fs::path& source, std::span<const fs::path> include_folders) {
    const ProgramFolder folder;
    std::vector<std::string> words = {find_nvcc().string(), "-O2", "-std=c++17",
                                      "-arch=native",       "-o",  folder.program()};
    for (const fs::path& include : include_folders)
        words.push_back("-I" + include.string());
    words.push_back(source.string());
    output_of(std::move(words), fmt::format("{}: nvcc", source.string()));
    return output_of({folder.program()}, fmt::format("{} on the GPU of this computer", source.stem().string()));
}

} // namespace heddle::cli
