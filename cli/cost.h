// What the mechanisms of a machine need in hardware, asked of the policies themselves.
#pragma once

#include "config/parameter.h"
#include "report/cost.h"

namespace heddle::cli {

[[nodiscard]] report::CostResult cost_of(const config::Machine&);

} // namespace heddle::cli
