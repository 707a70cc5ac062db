#include "simulator_version.h"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/source.h"
#include "experiment/plan.h"
#include "program_file.h"
#include "report/result.h"

namespace heddle::cli {

namespace {

// The replacements of NVIDIA's libraries are targets of their own.
bool is_optional(std::string_view library) {
    return library == "libcublas.so.13" || library == "libcurand.so.10";
}

} // namespace

std::string simulator_version() {
    std::string version(report::commit());
    if (version != "unknown" && !version.ends_with("-dirty"))
        return version;
    for (const char* name : {"libheddle.so.0", "libcudart.so.13", "libcublas.so.13", "libcurand.so.10"}) {
        std::filesystem::path library = runtime_folder() / name;
        if (!std::filesystem::exists(library)) // libheddle.so of an installed heddle
            library = runtime_folder().parent_path() / name;
        if (is_optional(name) && !std::filesystem::exists(library))
            continue;
        const auto digest = digest_file(library);
        if (!digest)
            throw UserError(fmt::format("{}: cannot be read", library.string()));
        version += "+" + digest->substr(0, 16);
    }
    return version;
}

} // namespace heddle::cli
