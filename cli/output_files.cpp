#include "output_files.h"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "base/output_file.h"
#include "command.h"

namespace heddle::cli {

namespace fs = std::filesystem;

std::string prepare_result_file(const std::string& path) {
    if (path.empty())
        throw UsageError("'': no name of a file; name one for the results");
    const fs::path absolute = fs::absolute(path);
    std::error_code error;
    if (fs::is_directory(absolute, error))
        throw UsageError(fmt::format("{}: a folder; name a file for the results", path));
    if (!fs::is_directory(absolute.parent_path(), error))
        throw UsageError(fmt::format("{}: there is no folder {}", path, absolute.parent_path().string()));
    try {
        check_writable(path);
    } catch (const UserError& e) {
        throw UsageError(e.what());
    }
    return absolute.string();
}

std::string prepare_results(const std::string& path) {
    return path == kStandardOutput ? path : prepare_result_file(path);
}

void write_results(const std::string& path, std::string_view json) {
    if (path == kStandardOutput)
        std::fwrite(json.data(), 1, json.size(), stdout);
    else
        write_file(path, json);
}

std::string prepare_timeline_file(const TimelineOptions& timeline, const std::string& result) {
    if (timeline.file.empty())
        return {};
    if (timeline.file == kStandardOutput)
        throw UsageError("--timeline -: name a file; only the results go to standard output (-o -)");
    std::string path = prepare_result_file(timeline.file);
    if (fs::path(path).lexically_normal() == fs::path(result).lexically_normal())
        throw UsageError(fmt::format("{}: the results and the time line cannot go to the same file", timeline.file));
    return path;
}

void prepare_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw UsageError(fmt::format("{}: not a folder that can be written to: {}", path, error.message()));
    try {
        check_writable((fs::path(path) / ".heddle").string()); // no file of the command has this name
    } catch (const UserError& e) {
        throw UsageError(fmt::format("{}: not a folder that can be written to: {}", path, e.what()));
    }
}

} // namespace heddle::cli
