// RESULT.json files that a command reads.
#pragma once

#include <string>
#include <vector>

#include "report/stored_run.h"

namespace heddle::cli {

// Throws UsageError that says what the file is instead.
[[nodiscard]] report::StoredRun read_run(const std::string& file);

// Throws UsageError when the file to write is one of these results.
void refuse_to_overwrite(const std::vector<std::string>& results, const std::string& file);

} // namespace heddle::cli
