// Checks the answers of a scheduler that a plug-in has brought, while it runs.
#pragma once

#include <memory>
#include <string>

#include "sched/scheduler.h"

namespace heddle::sched {

// The scheduler behind one that throws a fault (exec/policy_fault.h) when it picks what was not offered.
[[nodiscard]] std::unique_ptr<Scheduler> guard(std::unique_ptr<Scheduler> scheduler, std::string who,
                                               const Share& share, const config::Machine& machine);

} // namespace heddle::sched
