// Digests of texts and files, by which contents are compared and results are kept.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

// 128 bits of a text or a file as hexadecimal digits; nothing for a file that cannot be read.
[[nodiscard]] std::string digest(std::string_view);
[[nodiscard]] std::optional<std::string> digest_file(const std::filesystem::path&);

} // namespace heddle
