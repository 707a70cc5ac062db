#include "base/source.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle {

SourceText::SourceText(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n')
            starts_.push_back(i + 1);
}

std::string_view SourceText::line(std::uint32_t line) const {
    if (line == 0 || line > starts_.size())
        return {};
    const std::size_t begin = starts_[line - 1];
    std::size_t end = line < starts_.size() ? starts_[line] - 1 : text_.size();
    if (end > begin && text_[end - 1] == '\r')
        --end;
    return text().substr(begin, end - begin);
}

void Diagnostics::error(Position where, std::string message) {
    if (!full())
        errors_.push_back({where, std::move(message)});
}

std::string Diagnostics::render() const {
    std::vector<Entry> sorted = errors_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
        return a.where.line != b.where.line ? a.where.line < b.where.line : a.where.column < b.where.column;
    });
    std::string out;
    for (const Entry& e : sorted) {
        if (e.where.line == 0) {
            out += fmt::format("{}: error: {}\n", source_->name(), e.message);
            continue;
        }
        out += fmt::format("{}:{}:{}: error: {}\n", source_->name(), e.where.line, e.where.column, e.message);
        const std::string_view line = source_->line(e.where.line);
        std::string caret; // tabs stay tabs, so that the caret stands below its column
        for (std::size_t i = 0; i + 1 < e.where.column; ++i)
            caret += i < line.size() && line[i] == '\t' ? '\t' : ' ';
        out += fmt::format("    {}\n    {}^\n", line, caret);
    }
    if (full())
        out += fmt::format("{}: error: too many errors, the rest is not shown\n", source_->name());
    return out;
}

void Diagnostics::throw_if_failed() const {
    if (failed())
        throw UserError(render());
}

} // namespace heddle
