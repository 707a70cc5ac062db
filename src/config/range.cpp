#include "config/range.h"

#include <bit>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

#include "base/suggest.h"
#include "config/value.h"

namespace heddle::config {

namespace {

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

double number(Type type, std::string_view text) {
    double value = 0;
    if (type == Type::Integer)
        return static_cast<double>(parse_bytes(text));
    assign(value, parse_value(Type::Real, "", text));
    return value;
}

} // namespace

Range::Range(Type type, std::string_view text) : type_(type), text_(text) {
    try {
        std::string_view rest = text;
        while (!rest.empty()) {
            const std::size_t bar = std::min(rest.find('|'), rest.find(" or "));
            add(trim(rest.substr(0, bar)));
            rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + (rest[bar] == '|' ? 1 : 4));
        }
    } catch (const UserError& e) {
        throw std::logic_error(fmt::format("the range '{}' cannot be read: {}", text, e.what()));
    }
}

void Range::add(std::string_view text) {
    Alternative out;
    if (type_ == Type::Text || type_ == Type::Boolean) {
        out.literal = text;
        alternatives_.push_back(std::move(out));
        return;
    }
    constexpr std::string_view kPower = "power of two", kMultiple = "multiple of ";
    if (text.starts_with(kPower)) {
        out.power_of_two = true;
        text = trim(text.substr(kPower.size()));
    } else if (text.starts_with(kMultiple)) {
        text.remove_prefix(kMultiple.size());
        const std::size_t end = std::min(text.find(' '), text.size());
        out.multiple_of = parse_bytes(text.substr(0, end));
        text = trim(text.substr(end));
    }
    if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
        if (dots > 0)
            out.low = number(type_, text.substr(0, dots));
        if (dots + 2 < text.size())
            out.high = number(type_, text.substr(dots + 2));
    } else if (!text.empty() && !out.power_of_two && out.multiple_of == 0) {
        out.literal = parse_value(type_, "bytes", text);
    } else if (!text.empty()) {
        throw UserError(fmt::format("'{}' is not LOW..HIGH", text));
    }
    alternatives_.push_back(std::move(out));
}

bool Range::contains(const Alternative& alternative, std::string_view canonical) const {
    if (!alternative.literal.empty())
        return alternative.literal == canonical;
    const double value = number(type_, canonical);
    if (type_ == Type::Integer) {
        const std::uint64_t exact = parse_integer(canonical);
        if (alternative.power_of_two && !std::has_single_bit(exact))
            return false;
        if (alternative.multiple_of != 0 && exact % alternative.multiple_of != 0)
            return false;
    }
    return (!alternative.low || value >= *alternative.low) && (!alternative.high || value <= *alternative.high);
}

std::optional<std::string> Range::objection(std::string_view canonical) const {
    if (alternatives_.empty())
        return std::nullopt;
    std::vector<std::string> names;
    if (type_ == Type::Text) {
        if (alternatives_.size() == 1)
            names = choices(text_);
        if (names.empty())
            for (const Alternative& alternative : alternatives_)
                names.push_back(alternative.literal);
    }
    for (const std::string& name : names)
        if (name == canonical)
            return std::nullopt;
    if (!names.empty()) {
        const bool registered = !choices(text_).empty();
        return fmt::format("unknown {} '{}'; valid: {}{}", registered ? text_ : "value", canonical, comma_list(names),
                           did_you_mean(canonical, names));
    }
    for (const Alternative& alternative : alternatives_)
        if (contains(alternative, canonical))
            return std::nullopt;
    return fmt::format("{} is out of range; valid: {}", canonical, text_);
}

} // namespace heddle::config
