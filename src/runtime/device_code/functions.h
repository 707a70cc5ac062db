// The functions of device code that heddle provides, by their names.
#pragma once

#include <span>
#include <string_view>

#include "ptx/syntax.h"

namespace heddle::runtime {

[[nodiscard]] bool is_heap_function(std::string_view name);      // malloc, free
[[nodiscard]] bool is_launch_function(std::string_view name);    // of CUDA's runtime for device code
[[nodiscard]] bool is_condition_function(std::string_view name); // sets the condition of a graph's conditional node

using Predicate = bool (*)(std::string_view name);
// Whether units call such a function, and define none.
[[nodiscard]] bool needs(std::span<const ptx::Module> units, Predicate is_function);

} // namespace heddle::runtime
