// The Markdown of notes (DEVIATIONS.md) as HTML.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report::html {

// A paragraph, for the content of an element. What notes use is marked up: `code`, *emphasis*, **strong emphasis**,
// [links](to) and a backslash before a character that stands for itself. A link to a web address stays one; a link to a
// file of the source tree, which is not beside the page, becomes its text with the file's name behind it. Everything
// else, HTML too, is text. Delimiters without a partner stand for themselves.
[[nodiscard]] std::string markdown(std::string_view paragraph);

} // namespace heddle::report::html
