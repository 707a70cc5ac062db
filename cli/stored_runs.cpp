#include "stored_runs.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "child.h"
#include "command.h"

namespace heddle::cli {

namespace fs = std::filesystem;

report::StoredRun read_run(const std::string& file) {
    std::error_code error;
    if (!fs::exists(file, error))
        throw UsageError(fmt::format("{}: no such file; name a RESULT.json as `heddle run -o` writes it", file));
    if (fs::is_directory(file, error))
        throw UsageError(fmt::format("{}: a folder; name the RESULT.json files in it", file));
    if (fs::is_character_file(file, error)) // it may have no end
        throw UsageError(fmt::format("{}: a device; name a RESULT.json as `heddle run -o` writes it", file));
    if (!std::ifstream(file, std::ios::binary))
        throw UsageError(fmt::format("{}: cannot be read", file));
    try {
        return report::read_stored_run(read_file(file), file);
    } catch (const UserError& e) {
        throw UsageError(e.what());
    }
}

void refuse_to_overwrite(const std::vector<std::string>& results, const std::string& file) {
    std::error_code error;
    for (const std::string& result : results)
        if (fs::equivalent(result, file, error))
            throw UsageError(fmt::format("{}: a result that is read; name another file to write", file));
}

} // namespace heddle::cli
