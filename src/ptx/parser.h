// Text to syntax tree.
#pragma once

#include <memory>
#include <string_view>

#include "base/source.h"
#include "ptx/syntax.h"

namespace heddle::ptx {

// Parses PTX as clang and nvcc print it (.version up to 9.0). Reports errors to `diagnostics`, recovers at the next
// statement and goes on; the module is valid only when diagnostics.failed() is false.
[[nodiscard]] Module parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);
// Whether .version names one that is newer than all that are known.
[[nodiscard]] bool is_of_newer_version(std::string_view text);

} // namespace heddle::ptx
