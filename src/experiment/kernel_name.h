// The names of kernels in experiments.
#pragma once

#include <string>

namespace heddle::experiment {

// "_Z5mergeILi64EEvPj" is "merge<64>", without arguments "merge", without its namespaces; other names are themselves.
[[nodiscard]] std::string source_name(const std::string& symbol, bool with_arguments);
// Whether `name` is the symbol, or one of its source names.
[[nodiscard]] bool is_kernel_called(const std::string& symbol, const std::string& name);

} // namespace heddle::experiment
