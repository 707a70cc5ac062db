// Checks the answers of a DRAM scheduler that a plug-in has brought, while it runs.
#pragma once

#include <memory>
#include <string>

#include "mem/dram/scheduler.h"

namespace heddle::mem {

// The scheduler behind one that throws a fault (exec/policy_fault.h) when it names a request or bank that was not
// offered.
[[nodiscard]] std::unique_ptr<DramScheduler> guard(std::unique_ptr<DramScheduler> scheduler, std::string who,
                                                   const DramConfig& config);

} // namespace heddle::mem
