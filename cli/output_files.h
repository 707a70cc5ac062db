// Files and folders that a command writes, checked before it does its work.
#pragma once

#include <string>
#include <string_view>

#include "timeline_options.h"

namespace heddle::cli {

// The absolute path of a file that can be written. A file that is there stays as it is until write_file replaces it.
// Throws UsageError.
[[nodiscard]] std::string prepare_result_file(const std::string& path);
// The same for a file of results, which may also be standard output.
inline constexpr const char* kStandardOutput = "-";
inline constexpr const char* kResultMeaning = "write everything that was found to this file; -: to standard output";
[[nodiscard]] std::string prepare_results(const std::string& path);
void write_results(const std::string& path, std::string_view json);
// The timeline's file, in the same way; empty when there is to be none.
[[nodiscard]] std::string prepare_timeline_file(const TimelineOptions&, const std::string& result);
// Makes a folder where there is none. Throws UsageError when files cannot be written there.
void prepare_folder(const std::string& path);

} // namespace heddle::cli
