// TOML for all readers of heddle's files, with one kind of error message.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace heddle::config {

// `label`: name of the text in messages. Throws UserError "label:line:column: ...".
[[nodiscard]] toml::table parse_toml(const std::string& text, const std::string& label);

// "a list", "a whole number": name of a node's type in messages.
[[nodiscard]] std::string_view kind_of(const toml::node& node);

} // namespace heddle::config
