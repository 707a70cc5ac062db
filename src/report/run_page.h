// `heddle report`: stored runs as pages.
#pragma once

#include <span>

#include "report/page.h"
#include "report/stored_run.h"

namespace heddle::report {

// All that is known of one run.
[[nodiscard]] Page run_page(const StoredRun&);

// Several runs side by side, compared with the first.
[[nodiscard]] Page compared_page(std::span<const StoredRun>);

// Whether a run has a profile with lines, and what stands above its listing.
[[nodiscard]] bool has_source_listing(const StoredRun&);
[[nodiscard]] std::vector<std::string> source_explained(const Profile&);

// "expand_level and 2 more kernels"; "no kernel".
[[nodiscard]] std::string kernels_in_words(const Summary&);
// The program's name; the kernels where the result does not say it.
[[nodiscard]] std::string program_in_words(const Summary&);

// One row for each counter or ratio, a column for each run, then unit and meaning. `differing`: only rows with
// different values.
[[nodiscard]] PageTable statistics_table(std::span<const StoredRun>, const std::vector<std::string>& labels,
                                         bool differing);

} // namespace heddle::report
