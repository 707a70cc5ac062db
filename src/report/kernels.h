// Names and order of kernels in lists.
#pragma once

#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

// The name in CUDA C++, without parameters and unnamed namespaces; the name itself where it is not mangled.
[[nodiscard]] std::string readable_name(const std::string& name);

// A short form for narrow columns. A longer name (template libraries have kernel names of a page) loses its namespaces,
// and is cut at the end when it is still too long.
inline constexpr std::size_t kShortName = 60;
[[nodiscard]] std::string short_name(const std::string& name, std::size_t most = kShortName);

[[nodiscard]] std::uint64_t launches(const Summary&);

// By cycles, then by instructions.
[[nodiscard]] std::vector<const KernelSummary*> longest_first(const std::vector<KernelSummary>&);

} // namespace heddle::report
