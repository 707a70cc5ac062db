#include "ptx_file.h"

#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>

#include "child.h"
#include "command.h"

namespace heddle::cli {

std::string read_ptx(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        throw UsageError(fmt::format("{}: there is no such file", path));
    if (!std::filesystem::is_regular_file(path, error))
        throw UsageError(fmt::format("{}: not a file", path));
    if (access(path.c_str(), R_OK) != 0)
        throw UsageError(fmt::format("{}: cannot be read", path));
    return read_file(path);
}

} // namespace heddle::cli
