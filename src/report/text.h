// Lines of text for the terminal.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

inline constexpr std::size_t kTextWidth = 100;

// The number of characters: bytes that do not continue a UTF-8 sequence.
[[nodiscard]] std::size_t characters(std::string_view);

// The words of a text in lines of at most kTextWidth characters, each with its end. The first line begins with
// `first`, the others with as many spaces.
[[nodiscard]] std::string wrapped(std::string_view text, std::string_view first = "");

// The text, or its beginning and "..." where it is longer than `most` bytes.
[[nodiscard]] std::string cut(std::string_view text, std::size_t most);

} // namespace heddle::report
