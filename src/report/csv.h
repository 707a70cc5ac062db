// Comma-separated values.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

namespace heddle::report {

// A field, in quotes where it needs them.
[[nodiscard]] inline std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

// The fields, at least one, with commas between them, and the end of the line.
[[nodiscard]] inline std::string csv_line(std::span<const std::string> fields) {
    std::string out;
    for (const std::string& field : fields)
        out += csv_field(field) + ",";
    out.back() = '\n';
    return out;
}
[[nodiscard]] inline std::string csv_line(std::initializer_list<std::string> fields) {
    return csv_line(std::span(fields.begin(), fields.size()));
}

} // namespace heddle::report
