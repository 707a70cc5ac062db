// The profile of a run as its results hold it (docs/profile.md).
#pragma once

#include <span>

#include "ir/program.h"
#include "probe/sm_profile.h"
#include "report/profile.h"
#include "report/result.h"

namespace heddle::runtime {

// `counts`: of all SMs. `launched`: the number of the kernel in the program, for each of the `launches`. `width`: lanes
// of an issue slot; `line_bytes`: of the data cache.
[[nodiscard]] report::Profile profile_of(const probe::SmProfile& counts, const ir::Program& program,
                                         std::span<const std::size_t> launched,
                                         std::span<const report::KernelResult> launches, unsigned width,
                                         unsigned line_bytes);

} // namespace heddle::runtime
