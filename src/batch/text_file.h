// Small files of a batch.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::batch {

// Empty when the file cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path&);
// Aside first: a call that is killed leaves the whole file, or none. Throws UserError.
void write_text(const std::filesystem::path&, const std::string&);

} // namespace heddle::batch
