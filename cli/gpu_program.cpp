#include "gpu_program.h"

#include <cstdlib>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "base/source.h"
#include "child.h"
#include "program_file.h"
#include "temporary_file.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

std::string find_nvcc() {
    if (auto found = program_in_path("nvcc"))
        return *std::move(found);
    const char* const home = std::getenv("CUDA_HOME");
    for (const fs::path& toolkit : {fs::path(home == nullptr ? "" : home), fs::path("/usr/local/cuda")})
        if (const fs::path nvcc = toolkit / "bin/nvcc"; !toolkit.empty() && ::access(nvcc.c_str(), X_OK) == 0)
            return nvcc.string();
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

// What nvcc is told of the GPU. Instructions that only Hopper has need a target of their own, which "native" is not.
std::string target_of_gpu() {
    const auto tool = program_in_path("nvidia-smi");
    if (!tool)
        return "-arch=native";
    const std::string capability =
        output_of({*tool, "--query-gpu=compute_cap", "--format=csv,noheader", "--id=0"}, "nvidia-smi");
    return capability.starts_with("9.0") ? "-gencode=arch=compute_90a,code=sm_90a" : "-arch=native";
}

} // namespace

std::string output_on_gpu(const fs::path& source, std::span<const fs::path> include_folders) {
    const ProgramFolder folder;
    std::vector<std::string> words = {find_nvcc(), "-O2", "-std=c++17", target_of_gpu(), "-o", folder.program()};
    for (const fs::path& include : include_folders)
        words.push_back("-I" + include.string());
    words.push_back(source.string());
    output_of(std::move(words), fmt::format("{}: nvcc", source.string()));
    return output_of({folder.program(), "--long"},
                     fmt::format("{} on the GPU of this computer", source.stem().string()));
}

} // namespace heddle::cli
