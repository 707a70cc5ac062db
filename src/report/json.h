// RESULT.json: all results of a run, in the layout of schema/result.schema.json.
#pragma once

#include <string>

#include "report/result.h"

namespace heddle::report {

// One line for each kernel, setting and section of statistics, so that diff can compare two results.
[[nodiscard]] std::string to_json(const RunResult&);

// "complete", "interrupted", "max_cycles", "max_instructions", "failed".
[[nodiscard]] std::string_view status_name(Status);

} // namespace heddle::report
