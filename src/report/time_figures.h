// Figures of a stored run over time.
#pragma once

#include <vector>

#include "report/figure.h"
#include "report/stored_run.h"

namespace heddle::report {

// IPC, resident warps and open requests, the blocks, and the divergent cache accesses, as far as the result has them.
[[nodiscard]] std::vector<Figure> time_figures(const StoredRun&);

} // namespace heddle::report
