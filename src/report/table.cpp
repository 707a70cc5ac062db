#include "report/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/text.h"

namespace heddle::report {

void Table::column(std::string heading, Align align) {
    columns_.push_back({std::move(heading), align});
}

void Table::row(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string padding(widths[i] - characters(cells[i]), ' ');
        out += i == 0 ? "" : "  ";
        out += columns_[i].align == Align::Left ? cells[i] + padding : padding + cells[i];
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
}

std::string Table::render() const {
    std::vector<std::string> headings;
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        headings.push_back(columns_[i].heading);
        widths.push_back(characters(columns_[i].heading));
        for (const auto& row : rows_)
            widths[i] = std::max(widths[i], characters(row[i]));
    }
    std::string out = line(headings, widths);
    for (const auto& row : rows_)
        out += line(row, widths);
    return out;
}

std::string grouped(std::uint64_t value) {
    const std::string digits = fmt::format("{}", value);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i != 0 && (digits.size() - i) % 3 == 0)
            out += ',';
        out += digits[i];
    }
    return out;
}

std::string counted(std::uint64_t n, std::string_view what) {
    return fmt::format("{} {}{}", grouped(n), what, n == 1 ? "" : what.ends_with("ch") ? "es" : "s");
}

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

std::string scaled(double value) {
    constexpr const char* kPrefixes[] = {"", " k", " M", " G", " T"};
    std::size_t i = 0;
    while (value >= 999.5 && i + 1 < std::size(kPrefixes)) {
        value /= 1000;
        ++i;
    }
    if (i == 0 && value == std::floor(value))
        return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}{}", value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, kPrefixes[i]);
}

} // namespace heddle::report
