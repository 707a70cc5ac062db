#include "report/markdown.h"

#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "report/html.h"

namespace heddle::report::html {

namespace {

bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_punctuation(char c) {
    return std::ispunct(static_cast<unsigned char>(c)) != 0;
}

// What is marked up at the begin of a text: its HTML and the bytes that it takes.
struct Piece {
    std::string html;
    std::size_t length = 0;
};

std::optional<Piece> code(std::string_view text) {
    const std::size_t ticks = std::min(text.find_first_not_of('`'), text.size());
    const std::string_view fence = text.substr(0, ticks);
    for (std::size_t end = text.find(fence, ticks); end != std::string_view::npos;) {
        const std::size_t behind = std::min(text.find_first_not_of('`', end), text.size());
        if (behind - end == ticks)
            return Piece{fmt::format("<code>{}</code>", html::text(text.substr(ticks, end - ticks))), behind};
        end = text.find(fence, behind);
    }
    return std::nullopt;
}

// "docs/workloads.md" of "../../docs/workloads.md#inputs".
std::string_view file_of(std::string_view target) {
    while (target.starts_with("../") || target.starts_with("./"))
        target.remove_prefix(target.find('/') + 1);
    return target.substr(0, target.find('#'));
}

std::optional<Piece> link(std::string_view text) {
    const std::size_t middle = text.find("](");
    const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
    if (end == std::string_view::npos || text.substr(1, middle - 1).find('[') != std::string_view::npos)
        return std::nullopt;
    const std::string content = markdown(text.substr(1, middle - 1));
    const std::string_view target = text.substr(middle + 2, end - middle - 2);
    if (target.starts_with("https://") || target.starts_with("http://"))
        return Piece{fmt::format("<a href=\"{}\">{}</a>", html::text(target), content), end + 1};
    const std::string_view file = file_of(target);
    return Piece{file.empty() ? content : fmt::format("{} (<code>{}</code>)", content, html::text(file)), end + 1};
}

// `before`: the character in front of the text. The delimiters hold together words: no space inside of them, and none
// of them within a word or a product.
std::optional<Piece> emphasis(std::string_view text, char before) {
    const std::string_view mark = text.starts_with("**") ? "**" : "*";
    const auto is_outside = [](char c) { return is_space(c) || is_punctuation(c); };
    if (!is_outside(before) || text.size() <= mark.size() || is_space(text[mark.size()]))
        return std::nullopt;
    for (std::size_t end = text.find(mark, mark.size() + 1); end != std::string_view::npos;
         end = text.find(mark, end + 1)) {
        const std::size_t behind = end + mark.size();
        if (is_space(text[end - 1]) || (behind < text.size() && !is_outside(text[behind])))
            continue;
        const std::string_view name = mark.size() == 2 ? "strong" : "em";
        return Piece{fmt::format("<{0}>{1}</{0}>", name, markdown(text.substr(mark.size(), end - mark.size()))),
                     behind};
    }
    return std::nullopt;
}

std::optional<Piece> piece_at(std::string_view text, char before) {
    switch (text.front()) {
    case '\\':
        if (text.size() > 1 && is_punctuation(text[1]))
            return Piece{html::text(text.substr(1, 1)), 2};
        return std::nullopt;
    case '`':
        return code(text);
    case '[':
        return link(text);
    case '*':
        return emphasis(text, before);
    default:
        return std::nullopt;
    }
}

} // namespace

std::string markdown(std::string_view paragraph) {
    std::string out;
    std::size_t plain = 0; // the begin of what is text so far
    for (std::size_t at = 0; at < paragraph.size();) {
        const std::optional<Piece> piece = piece_at(paragraph.substr(at), at == 0 ? ' ' : paragraph[at - 1]);
        if (!piece) {
            const std::size_t run =
                paragraph.find_first_not_of(paragraph[at], at); // of delimiters: no shorter one opens
            at = paragraph[at] == '`' || paragraph[at] == '*' ? std::min(run, paragraph.size()) : at + 1;
            continue;
        }
        out += text(paragraph.substr(plain, at - plain)) + piece->html;
        plain = at += piece->length;
    }
    return out + text(paragraph.substr(plain));
}

} // namespace heddle::report::html
