// Device code of heddle in PTX. Each text is a module of its own, which is linked with modules that call its functions.
#pragma once

#include <string_view>

namespace heddle::runtime {

[[nodiscard]] std::string_view heap_functions();      // heap.ptx: malloc, free
[[nodiscard]] std::string_view condition_functions(); // conditions.ptx: cudaGraphSetConditional
[[nodiscard]] std::string_view launch_functions();    // launches.cu: CUDA's runtime for device code

} // namespace heddle::runtime
