// The known word that a misspelt one most likely meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// The word of `known` nearest to `word`; empty when none is near enough to be a slip. The first of equals wins.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> known);

// "; did you mean 'x'?" for the nearest word, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> known);

// "a, b, c".
[[nodiscard]] std::string comma_list(std::span<const std::string> words);

} // namespace heddle
