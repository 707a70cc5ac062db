#include "simulator_version.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/source.h"
#include "experiment/plan.h"
#include "program_file.h"
#include "report/result.h"

namespace heddle::cli {

std::string simulator_version() {
    std::string version(report::commit());
    if (version != "unknown" && !version.ends_with("-dirty"))
        return version;
    for (const char* name : {"libheddle.so.0", "libcudart.so.13"}) {
        const std::filesystem::path library = runtime_folder() / name;
        const auto digest = experiment::digest_file(library);
        if (!digest)
            throw UserError(fmt::format("{}: cannot be read", library.string()));
        version += "+" + digest->substr(0, 16);
    }
    return version;
}

} // namespace heddle::cli
