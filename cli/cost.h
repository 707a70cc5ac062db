// The hardware cost of a machine's mechanisms, as the policies themselves report it.
#pragma once

#include "config/parameter.h"
#include "report/cost.h"

namespace heddle::cli {

[[nodiscard]] report::CostResult cost_of(const config::Machine&);

} // namespace heddle::cli
