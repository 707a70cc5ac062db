// Reads PTX files that the command line names.
#pragma once

#include <string>

namespace heddle::cli {

// The text of a PTX file. Throws UsageError when there is no such file or it cannot be read.
[[nodiscard]] std::string read_ptx(const std::string& path);

} // namespace heddle::cli
