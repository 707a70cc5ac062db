// The graph that a grid belongs to (%current_graph_exec) is a variable of heddle's functions for device code
// (runtime/device_code), which modules that launch graphs are linked with. The host sets it before each grid.
#pragma once

#include <string_view>

namespace heddle::ir {

inline constexpr std::string_view kCurrentGraphVariable = "__heddle_current_graph";

} // namespace heddle::ir
