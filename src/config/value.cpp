#include "config/value.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace heddle::config {

namespace {

constexpr std::string_view kSizeHint = "write digits with an optional KiB, MiB or GiB, for example 32KiB";

// The factor of a size suffix; nothing when it is not one.
std::optional<std::uint64_t> suffix_factor(std::string_view suffix) {
    if (suffix.empty() || suffix == "B")
        return 1;
    if (suffix == "KiB")
        return std::uint64_t{1} << 10;
    if (suffix == "MiB")
        return std::uint64_t{1} << 20;
    if (suffix == "GiB")
        return std::uint64_t{1} << 30;
    return std::nullopt;
}

std::string parse_real(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        throw UserError(fmt::format("'{}' is not a number; write for example 1.5", text));
    return canonical(value);
}

} // namespace

std::uint64_t parse_integer(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
        throw UserError(fmt::format("'{}' is too large; the largest whole number is {}", text, UINT64_MAX));
    if (error != std::errc() || end != text.data() + text.size())
        throw UserError(fmt::format("'{}' is not a whole number; write decimal digits only, for example 12", text));
    return value;
}

std::uint64_t parse_bytes(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view suffix = text.substr(digits);
    if (digits > 0 && suffix.size() > 1 && suffix.front() == ' ')
        suffix.remove_prefix(1);
    const std::optional<std::uint64_t> factor = suffix_factor(suffix);
    if (digits == 0 || !factor)
        throw UserError(fmt::format("'{}' is not a size in bytes; {}", text, kSizeHint));
    const std::uint64_t count = parse_integer(text.substr(0, digits));
    if (count > UINT64_MAX / *factor)
        throw UserError(fmt::format("'{}' is too large; the largest size is {} bytes", text, UINT64_MAX));
    return count * *factor;
}

std::string readable_bytes(std::uint64_t bytes) {
    constexpr const char* kSuffixes[] = {"", "KiB", "MiB", "GiB"};
    std::size_t i = 0;
    for (; bytes != 0 && bytes % 1024 == 0 && i + 1 < std::size(kSuffixes); ++i)
        bytes /= 1024;
    return fmt::format("{}{}", bytes, kSuffixes[i]);
}

std::string parse_value(Type type, std::string_view unit, std::string_view text) {
    switch (type) {
    case Type::Integer:
        return canonical(unit == "bytes" ? parse_bytes(text) : parse_integer(text));
    case Type::Real:
        return parse_real(text);
    case Type::Boolean:
        if (text != "true" && text != "false")
            throw UserError(fmt::format("'{}' is not a boolean; write true or false", text));
        return std::string(text);
    case Type::Text:
        return std::string(text);
    }
    std::abort();
}

void assign(std::uint64_t& to, const std::string& canonical) {
    to = parse_integer(canonical);
}
void assign(double& to, const std::string& canonical) {
    std::from_chars(canonical.data(), canonical.data() + canonical.size(), to);
}
void assign(bool& to, const std::string& canonical) {
    to = canonical == "true";
}
void assign(std::string& to, const std::string& canonical) {
    to = canonical;
}

std::string canonical(std::uint64_t value) {
    return fmt::format("{}", value);
}
std::string canonical(double value) {
    return fmt::format("{}", value);
}
std::string canonical(bool value) {
    return value ? "true" : "false";
}
std::string canonical(const std::string& value) {
    return value;
}

} // namespace heddle::config
