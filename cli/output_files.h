// Files and folders that a command writes, checked before it does its work.
#pragma once

#include <string>

#include "timeline_options.h"

namespace heddle::cli {

// The absolute path of a file that can be written. A file that is there stays as it is until write_file replaces it.
// Throws UsageError.
[[nodiscard]] std::string prepare_result_file(const std::string& path);
// The timeline's file, in the same way; empty when there is to be none.
[[nodiscard]] std::string prepare_timeline_file(const TimelineOptions&, const std::string& result);
// Makes a folder where there is none. Throws UsageError when files cannot be written there.
void prepare_folder(const std::string& path);

} // namespace heddle::cli
