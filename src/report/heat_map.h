// MAWS Figure 2 in characters: when a run's divergent cache accesses were, and of which degree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

// A line a degree, the highest first, and a column an interval, or several where there are more than kHeatMapColumns.
// The brighter a cell, the more accesses: ten steps, of which the first is none and the last the most of all cells.
inline constexpr std::size_t kHeatMapColumns = 64;
[[nodiscard]] std::string heat_map(const Summary& run);

// Intervals that a column sums up, and its divergent accesses of a degree.
[[nodiscard]] std::size_t rows_a_column(const DegreesOverTime&);
[[nodiscard]] std::vector<std::uint64_t> accesses_by_column(const DegreesOverTime&, std::size_t degree);

} // namespace heddle::report
