// Text for an HTML page from any source: names of kernels, paths and messages come from users.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace heddle::report::html {

// For the content of an element and for the value of an attribute in double quotes. What HTML does not allow (control
// characters, bytes that are not UTF-8) becomes U+FFFD.
[[nodiscard]] std::string text(std::string_view);

// JSON for the inside of a <script>: it contains neither "</script" nor "<!--", for any strings in the data.
[[nodiscard]] std::string script_data(const nlohmann::ordered_json&);

// A program for the inside of a <script>: without these two texts, by escapes that string literals and regular
// expressions allow.
[[nodiscard]] std::string script_code(std::string_view);

// Digits after the point that leave the greatest of these numbers four significant ones; 0 if all are whole.
[[nodiscard]] int decimals(std::span<const std::optional<double>> values);
// "12,345.67".
[[nodiscard]] std::string number(double value, int decimals);

// Names for the link targets of a page; each name is given out once.
class Anchors {
public:
    // "lwm11-8" of "lwm11-8", "lwm11-8-2" the next time; letters, digits and '-' alone.
    [[nodiscard]] std::string make(std::string_view wanted);

private:
    std::set<std::string> used_;
};

} // namespace heddle::report::html
