// MAWS Figure 2 in characters: the divergent cache accesses of a run by time and degree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

// A line for each degree, the highest first, and a column for each interval, or for several intervals where there are
// more than kHeatMapColumns. A brighter cell has more accesses, in ten steps: the first is 0, the last is the maximum
// of all cells.
inline constexpr std::size_t kHeatMapColumns = 64;
[[nodiscard]] std::string heat_map(const Summary& run);

// Intervals that a column sums up, and its divergent accesses of a degree.
[[nodiscard]] std::size_t rows_a_column(const DegreesOverTime&);
[[nodiscard]] std::vector<std::uint64_t> accesses_by_column(const DegreesOverTime&, std::size_t degree);

} // namespace heddle::report
