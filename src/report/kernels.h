// How kernels are named and ordered where they are listed.
#pragma once

#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

// The name as CUDA C++ has it, without its parameters and unnamed namespaces; the name itself where it is no mangled
// one.
[[nodiscard]] std::string readable_name(const std::string& name);

[[nodiscard]] std::uint64_t launches(const Summary&);

// By cycles, then by instructions.
[[nodiscard]] std::vector<const KernelSummary*> longest_first(const std::vector<KernelSummary>&);

} // namespace heddle::report
