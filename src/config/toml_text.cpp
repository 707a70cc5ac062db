#include "config/toml_text.h"

#include <fmt/format.h>

#include "base/source.h"

namespace heddle::config {

toml::table parse_toml(const std::string& text, const std::string& label) {
    try {
        return toml::parse(text, label);
    } catch (const toml::parse_error& e) {
        const toml::source_position at = e.source().begin;
        throw UserError(fmt::format("{}:{}:{}: {}", label, at.line, at.column, e.description()));
    }
}

std::string_view kind_of(const toml::node& node) {
    switch (node.type()) {
    case toml::node_type::table:
        return "a table";
    case toml::node_type::array:
        return "a list";
    case toml::node_type::string:
        return "a text";
    case toml::node_type::integer:
        return "a whole number";
    case toml::node_type::floating_point:
        return "a real number";
    case toml::node_type::boolean:
        return "a boolean";
    default:
        return "a date or time";
    }
}

} // namespace heddle::config
