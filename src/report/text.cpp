#include "report/text.h"

#include <algorithm>

namespace heddle::report {

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string wrapped(std::string_view text, std::string_view first) {
    std::string out, line(first);
    const std::string indent(characters(first), ' ');
    bool begun = false; // the line has a word
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string_view word = text.substr(at, end - at);
        at = end + 1;
        if (begun && characters(line) + 1 + characters(word) > kTextWidth) {
            out += line + "\n";
            line = indent;
            begun = false;
        }
        line += begun ? " " : "";
        line += word;
        begun = true;
    }
    return out + line + "\n";
}

std::string cut(std::string_view text, std::size_t most) {
    constexpr std::string_view kMark = "...";
    if (text.size() <= most)
        return std::string(text);
    return std::string(text.substr(0, most - kMark.size())).append(kMark);
}

} // namespace heddle::report
