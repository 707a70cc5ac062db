#include "report/html.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

std::string valid_utf8(std::string_view raw) {
    const std::string quoted = Json(std::string(raw)).dump(-1, ' ', false, Json::error_handler_t::replace);
    return Json::parse(quoted).get<std::string>();
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
}

void replace_all(std::string& in, std::string_view what, std::string_view by) {
    for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + by.size()))
        in.replace(at, what.size(), by);
}

// Puts a separator between thousands of the whole part of a number.
std::string group(std::string digits) {
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = point; at > first + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

} // namespace

std::string text(std::string_view raw) {
    std::string out;
    for (const char c : valid_utf8(raw)) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            if (is_control(c))
                out += kReplacement;
            else
                out += c;
        }
    }
    return out;
}

std::string script_data(const Json& json) {
    std::string out = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    // Only strings contain these characters, and JSON has escapes for them.
    replace_all(out, "<", "\\u003c");
    replace_all(out, ">", "\\u003e");
    replace_all(out, "&", "\\u0026");
    return out;
}

std::string script_code(std::string_view code) {
    std::string out(code);
    replace_all(out, "</script", "<\\/script");
    replace_all(out, "</SCRIPT", "<\\/SCRIPT");
    replace_all(out, "<!--", "<\\!--");
    return out;
}

int decimals(std::span<const std::optional<double>> values) {
    double greatest = 0;
    bool whole = true;
    for (const auto& value : values)
        if (value && std::isfinite(*value)) {
            greatest = std::max(greatest, std::abs(*value));
            whole = whole && *value == std::floor(*value);
        }
    if (whole)
        return 0;
    const int before = greatest < 1 ? static_cast<int>(std::floor(std::log10(greatest))) + 1 // 0 of 0.5, -2 of 0.005
                                    : static_cast<int>(std::log10(greatest)) + 1;
    return std::clamp(4 - before, 0, 9);
}

std::string number(double value, int decimals) {
    std::string digits = fmt::format("{:.{}f}", value, decimals);
    if (digits.find_first_of("123456789") == std::string::npos && digits.starts_with('-'))
        digits.erase(0, 1); // no "-0.00"
    return group(std::move(digits));
}

std::string Anchors::make(std::string_view wanted) {
    std::string name;
    for (const char c : wanted) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 && byte < 0x80)
            name += static_cast<char>(std::tolower(byte));
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-')
        name.pop_back();
    if (name.empty())
        name = "figure";
    std::string candidate = name;
    for (int n = 2; !used_.insert(candidate).second; ++n)
        candidate = fmt::format("{}-{}", name, n);
    return candidate;
}

} // namespace heddle::report::html
