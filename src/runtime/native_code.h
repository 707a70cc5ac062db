// Native code of the kernels of a PTX text, as `heddle ptx --native` prints it.
#pragma once

#include <string>

namespace heddle::runtime {

// `entry`: one kernel, empty: all of them. `target`: "sm_70" ... Throws UserError: an unknown target or kernel, errors
// in the text, an instruction that the back end has no code for.
[[nodiscard]] std::string native_code(const std::string& file, std::string ptx, const std::string& entry,
                                      const std::string& target, unsigned registers);

} // namespace heddle::runtime
