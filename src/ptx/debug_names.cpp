#include "ptx/debug_names.h"

#include <cctype>
#include <charconv>

namespace heddle::ptx {

void DebugNames::read(std::string_view section) {
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
    };
    for (std::size_t i = 0; i < section.size();) {
        if (!is_word(section[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < section.size() && is_word(section[end]))
            ++end;
        const std::string_view word = section.substr(i, end - i);
        unsigned byte = 0;
        const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), byte);
        if (error == std::errc{} && last == word.data() + word.size())
            bytes_ += static_cast<char>(byte & 0xff);
        else if (end < section.size() && section[end] == ':')
            labels_.emplace(word, bytes_.size());
        i = end;
    }
}

std::string DebugNames::name(std::string_view label, std::int64_t offset) const {
    const auto at = labels_.find(label);
    const std::size_t begin = at == labels_.end() ? bytes_.size() : at->second + static_cast<std::size_t>(offset);
    if (begin >= bytes_.size())
        return {};
    return bytes_.substr(begin, bytes_.find('\0', begin) - begin);
}

} // namespace heddle::ptx
