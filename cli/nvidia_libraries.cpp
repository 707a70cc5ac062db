#include "nvidia_libraries.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "child.h"
#include "command.h"

namespace heddle::cli {

namespace fs = std::filesystem;

namespace {

struct Family {
    std::string_view library; // what the names of its files begin with, before ".so"
    std::string_view prefix;  // what the names of its functions begin with
    std::string_view entry;   // a function that every program with this library calls, if there is one
    bool replaced = false;    // by a library of the simulator
};

// What these libraries have in common
constexpr std::string_view kReason =
    "its kernels are machine code of NVIDIA's GPUs, and the CUDA runtime inside it works with NVIDIA's driver only";

// A family stands before one whose name or prefix is the begin of its own.
constexpr std::array kFamilies = {
    Family{"libcublasLt", "cublasLt", "cublasLtCreate"},
    Family{"libcublasMp", "cublasMp", "cublasMpCreate"},
    Family{"libcublas", "cublas", "cublasCreate_v2", true},
    Family{"libcurand", "curand", "curandCreateGenerator", true},
    Family{"libcufftw", "fftw", ""},
    Family{"libcufft", "cufft", "cufftDestroy"},
    Family{"libcusparseLt", "cusparseLt", "cusparseLtInit"},
    Family{"libcusparse", "cusparse", "cusparseCreate"},
    Family{"libcusolverMg", "cusolverMg", "cusolverMgCreate"},
    Family{"libcusolver", "cusolver", "cusolverDnCreate"},
    Family{"libcudnn", "cudnn", "cudnnCreate"},
    Family{"libcutensor", "cutensor", "cutensorCreate"},
    Family{"libcudss", "cudss", "cudssCreate"},
    Family{"libnccl", "nccl", "ncclGetUniqueId"},
    Family{"libnvjpeg", "nvjpeg", "nvjpegDestroy"},
    Family{"libnpp", "npp", ""},
};

// "libcudnn_ops.so.9" and "libnppc.so.13" are of the families "libcudnn" and "libnpp".
const Family* family_of(std::string_view soname) {
    const auto* const found = std::find_if(kFamilies.begin(), kFamilies.end(),
                                           [&](const Family& family) { return soname.starts_with(family.library); });
    return found == kFamilies.end() ? nullptr : found;
}

bool is_function_of(const Family& family, std::string_view name) {
    const auto* const first = std::find_if(kFamilies.begin(), kFamilies.end(),
                                           [&](const Family& other) { return name.starts_with(other.prefix); });
    return first != kFamilies.end() && first->library == family.library;
}

// The first function of the family that a file imports; empty when there is none.
std::string called_function(const ElfFile& file, const Family& family) {
    for (const std::string_view name : file.imported_names())
        if (is_function_of(family, name))
            return std::string(name);
    return {};
}

// The same of the program and of its libraries but NVIDIA's.
std::string called_function(const ElfFile& program, const std::vector<LoadedLibrary>& libraries, const Family& family) {
    std::string found = called_function(program, family);
    for (std::size_t i = 0; i < libraries.size() && found.empty(); ++i)
        if (!libraries[i].path.empty() && family_of(libraries[i].soname) == nullptr)
            found = called_function(ElfFile(read_file(libraries[i].path)), family);
    return found;
}

std::string advice(const Family& family, const LoadedLibrary& library, const fs::path& folder) {
    std::error_code error;
    if (!family.replaced)
        return "heddle replaces libcublas and libcurand only; in place of this library use code that carries PTX";
    if (fs::exists(folder / library.soname, error))
        return "heddle has a library of this name; link the program without an RPATH to the folder of NVIDIA's";
    return fmt::format("heddle has no {} of this version; build the program with CUDA 11, 12 or 13", family.library);
}

void check_library(const std::string& program, const ElfFile& elf, const std::vector<LoadedLibrary>& libraries,
                   const LoadedLibrary& library, const fs::path& folder) {
    const Family* const family = family_of(library.soname);
    std::error_code error;
    if (family == nullptr ||
        (family->replaced && !library.path.empty() && fs::equivalent(library.path, folder / library.soname, error)))
        return;
    const std::string function = called_function(elf, libraries, *family);
    if (!function.empty())
        throw UsageError(fmt::format(
            "{}: the program calls {} of {}{}, which cannot be simulated: {}; {}", program, function, library.soname,
            library.path.empty() ? "" : fmt::format(" ({})", library.path), kReason, advice(*family, library, folder)));
}

void check_static(const std::string& program, const ElfFile& elf) {
    if (!elf.has_device_code())
        return;
    for (const std::string_view name : elf.functions())
        for (const Family& family : kFamilies)
            if (!family.entry.empty() && name == family.entry)
                throw UsageError(fmt::format(
                    "{}: {}_static is linked into the program (it has {}), which cannot be simulated: {}; {}", program,
                    family.library, name, kReason,
                    family.replaced
                        ? fmt::format("link the program with -l{}, which heddle replaces", family.library.substr(3))
                        : "heddle replaces libcublas and libcurand only"));
}

} // namespace

void check_nvidia_libraries(const std::string& program, const ElfFile& elf, const std::vector<LoadedLibrary>& libraries,
                            const fs::path& folder) {
    for (const LoadedLibrary& library : libraries)
        check_library(program, elf, libraries, library, folder);
    check_static(program, elf);
}

} // namespace heddle::cli
