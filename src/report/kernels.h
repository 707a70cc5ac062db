// How kernels are named and ordered where they are listed.
#pragma once

#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

// The name as CUDA C++ has it, without its parameters and unnamed namespaces; the name itself where it is no mangled
// one.
[[nodiscard]] std::string readable_name(const std::string& name);

// The same for a narrow place: of a longer name than that (libraries of templates have kernels whose names fill a page)
// what is left without its namespaces, and its beginning when that is still too long.
inline constexpr std::size_t kShortName = 60;
[[nodiscard]] std::string short_name(const std::string& name);

[[nodiscard]] std::uint64_t launches(const Summary&);

// By cycles, then by instructions.
[[nodiscard]] std::vector<const KernelSummary*> longest_first(const std::vector<KernelSummary>&);

} // namespace heddle::report
