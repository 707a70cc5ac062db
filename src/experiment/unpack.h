// Texts that Zstandard has compressed, as stores and result files hold them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::experiment {

// Nothing when the bytes are not one whole frame. A damaged frame takes no more memory than such a frame could need.
[[nodiscard]] std::optional<std::string> unpack(std::string_view bytes);

} // namespace heddle::experiment
