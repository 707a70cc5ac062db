// `heddle report`: stored runs as pages.
#pragma once

#include <span>

#include "report/page.h"
#include "report/stored_run.h"

namespace heddle::report {

// All that is known of one run.
[[nodiscard]] Page run_page(const StoredRun&);

// Several runs side by side; the first is the one that the others are held against.
[[nodiscard]] Page compared_page(std::span<const StoredRun>);

// "expand_level and 2 more kernels"; "no kernel".
[[nodiscard]] std::string kernels_in_words(const Summary&);

// One row a counter or ratio, a column a run, its unit and meaning last. `differing`: only those whose values do.
[[nodiscard]] PageTable statistics_table(std::span<const StoredRun>, const std::vector<std::string>& labels,
                                         bool differing);

} // namespace heddle::report
