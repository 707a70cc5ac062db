// Rules of thumb that follow from the numbers of a kernel: what limits it, and what would help.
#pragma once

#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

// At most `most` sentences, each with the number it rests on; the one that concerns the largest share of the kernel's
// time is first. Empty where no rule applies or nothing was timed.
[[nodiscard]] std::vector<std::string> advice(const KernelSummary&, const MachineFacts&, std::size_t most);

} // namespace heddle::report
