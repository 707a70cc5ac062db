// Native code of the kernels of a PTX text, as `heddle ptx --native` prints it.
#pragma once

#include <cstdint>
#include <string>

#include "ir/program.h"

namespace heddle::runtime {

// `entry`: one kernel, empty: all of them. `target`: "sm_70" ... Throws UserError: an unknown target or kernel, errors
// in the text, an instruction that the back end has no code for.
[[nodiscard]] std::string native_code(const std::string& file, std::string ptx, const std::string& entry,
                                      const std::string& target, unsigned registers);

// From now on the kernel executes native code for the compute capability (ten times the major number, plus the minor
// number): appends it to the program. `rows_stay_whole`, `registers`: native::Settings. Throws UserError as above.
void make_native(ir::Program& program, ir::Kernel& kernel, std::uint64_t compute_capability, bool rows_stay_whole,
                 unsigned registers = 0);

} // namespace heddle::runtime
