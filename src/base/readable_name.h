// Names of symbols as people read them.
#pragma once

#include <string>

namespace heddle {

// The name in CUDA C++, without parameters and unnamed namespaces; the symbol itself where it is not mangled.
[[nodiscard]] std::string readable_name(const std::string& symbol);

} // namespace heddle
