// heddle validate --workloads: workloads on a machine, kernel by kernel, beside what was measured on a GPU.
#pragma once

#include <string>
#include <vector>

#include "machine_options.h"

namespace heddle::cli {

// `programs`: only these; empty: all. `csv`: a file for the table; empty: none. Returns the exit status.
[[nodiscard]] int validate_workloads(const MachineOptions&, const LaunchOptions&,
                                     const std::vector<std::string>& programs, const std::string& csv);

} // namespace heddle::cli
