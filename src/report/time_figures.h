// What a stored run was like over time.
#pragma once

#include <vector>

#include "report/figure.h"
#include "report/stored_run.h"

namespace heddle::report {

// IPC, resident warps and open requests, the blocks, and the divergent cache accesses: those that the result holds.
[[nodiscard]] std::vector<Figure> time_figures(const StoredRun&);

} // namespace heddle::report
