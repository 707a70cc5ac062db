// Which functions of a kernel stay functions in native code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace heddle::native {

// The functions (numbers in Program::functions) that the kernel's code has once, behind calls; callers stand in front
// of those that they call. None where the code with all calls replaced has at most `in_place` micro-ops; else those
// that are called from more than one place. Of functions that call each other in a cycle, calls from outside count.
[[nodiscard]] std::vector<std::uint32_t> called_functions(const ir::Program& program, const ir::Kernel& kernel,
                                                          std::size_t in_place);

} // namespace heddle::native
