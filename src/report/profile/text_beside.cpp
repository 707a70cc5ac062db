#include "report/profile/text_beside.h"

#include <algorithm>
#include <sstream>

namespace heddle::report {

namespace {

constexpr std::size_t kWidth = 120, kLeast = 16;

bool begins_character(char c) { // of UTF-8
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

// At most so many characters; tabs become spaces.
std::string cut(const std::string& text, std::size_t width) {
    std::string out;
    std::size_t characters = 0;
    for (const char c : text) {
        characters += begins_character(c) ? std::size_t{1} : 0;
        if (characters > width)
            break;
        out += c == '\t' ? ' ' : c;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

} // namespace

std::string text_beside(const std::string& table, const std::string& heading, const std::vector<std::string>& texts) {
    std::vector<std::string> lines;
    std::istringstream in(table);
    std::size_t widest = 0;
    for (std::string line; std::getline(in, line);) {
        widest = std::max(widest, width_of(line));
        lines.push_back(std::move(line));
    }
    const std::size_t begin = widest + 2;
    if (begin + kLeast > kWidth || std::all_of(texts.begin(), texts.end(), [](const auto& t) { return t.empty(); }))
        return table;
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string text = cut(i == 0 ? heading : texts[i - 1], kWidth - begin);
        out += lines[i];
        if (!text.empty())
            out += std::string(begin - width_of(lines[i]), ' ') + text;
        out += '\n';
    }
    return out;
}

} // namespace heddle::report
