// RESULT.json: the whole of a run, in the layout of schema/result.schema.json.
#pragma once

#include <string>

#include "report/result.h"

namespace heddle::report {

// One line a kernel, a setting and a section of statistics, so that two results can be compared with diff.
[[nodiscard]] std::string to_json(const RunResult&);

// "complete", "interrupted", "max_cycles", "max_instructions", "failed".
[[nodiscard]] std::string_view status_name(Status);

} // namespace heddle::report
