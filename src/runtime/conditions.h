// The device function that sets the condition of a graph's conditional node. It is PTX (device_code/conditions.ptx),
// which is linked with modules that call it.
#pragma once

#include <span>
#include <string_view>

#include "ptx/syntax.h"

namespace heddle::runtime {

[[nodiscard]] bool needs_conditions(std::span<const ptx::Module> units);
[[nodiscard]] bool is_condition_function(std::string_view name);

} // namespace heddle::runtime
