// The table of `heddle compare`.
#pragma once

#include <span>
#include <string>

#include "report/summary.h"

namespace heddle::report {

// Of the issue slots: a cause with less is left out of summaries and tables.
inline constexpr double kLeastShare = 0.005;

struct ComparedRun {
    std::string label;   // the settings that distinguish it
    bool failed = false; // then only `message` is shown
    std::string message; // the reason of the failure, or a remark; may have several lines
    Summary summary;
};

// One row for each run with its speed-up over the first run, then a table of the causes of their issue slots, the
// largest first, with a column for each run, then the messages. Speed-ups need a successful first run.
[[nodiscard]] std::string compare_table(std::span<const ComparedRun>);

} // namespace heddle::report
