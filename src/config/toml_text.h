// TOML as every reader of heddle's files takes it: one kind of message for what is wrong with it.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace heddle::config {

// `label`: what messages call the text. Throws UserError "label:line:column: ...".
[[nodiscard]] toml::table parse_toml(const std::string& text, const std::string& label);

// "a list", "a whole number": what messages call a node.
[[nodiscard]] std::string_view kind_of(const toml::node& node);

} // namespace heddle::config
