// All stored results as one flat table for other programs: a row a run (docs/results.md).
#pragma once

#include "experiment/queries.h"

namespace heddle::experiment {

// The columns of the view `runs`, the parameters that differ between the runs, and every number of `totals`,
// `active_lanes`, `stalls` and `stats`: "stats.dram.reads", "active_lanes[3]". Rows are in the order of labels, keys
// and versions.
[[nodiscard]] QueryTable flat_table(Queries&);

} // namespace heddle::experiment
