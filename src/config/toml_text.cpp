#include "config/toml_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/source.h"

namespace heddle::config {

namespace {

// A dot of a key makes a table in a table. The parser limits how deep values nest, but not the parts of a key, and
// tables are destroyed by recursion.
constexpr std::ptrdiff_t kMostDots = 1000; // of a line

void check_dots(const std::string& text, const std::string& label) {
    std::size_t number = 1;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const auto at = text.begin();
        if (std::count(at + static_cast<std::ptrdiff_t>(begin), at + static_cast<std::ptrdiff_t>(end), '.') > kMostDots)
            throw UserError(
                fmt::format("{}:{}: the line has more than {} dots: a key may not have so many parts, and a "
                            "long list takes several lines",
                            label, number, kMostDots));
        begin = end + 1;
    }
}

} // namespace

toml::table parse_toml(const std::string& text, const std::string& label) {
    check_dots(text, label);
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
