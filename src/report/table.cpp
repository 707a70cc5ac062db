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
    rows_.push_back({std::move(cells)});
}

void Table::note(std::string cell, std::string text) {
    rows_.push_back({{std::move(cell), std::move(text)}, true});
}

std::string Table::line(const Row& row, const std::vector<std::size_t>& widths) const {
    std::string out;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const std::string& cell = row.cells[i];
        const bool goes_on = row.is_note && i + 1 == row.cells.size();
        const std::string padding(goes_on ? 0 : widths[i] - characters(cell), ' ');
        out += i == 0 ? "" : "  ";
        out += goes_on || columns_[i].align == Align::Left ? cell + padding : padding + cell;
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
        for (const Row& row : rows_)
            if (!row.is_note || i == 0)
                widths[i] = std::max(widths[i], characters(row.cells[i]));
    }
    std::string out = line({headings}, widths);
    for (const Row& row : rows_)
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

std::string rough_time(double seconds) {
    const auto whole = static_cast<unsigned long>(std::lround(seconds));
    if (whole < 90)
        return fmt::format("{} s", whole);
    const unsigned long minutes = (whole + 30) / 60;
    return minutes < 90 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

} // namespace heddle::report
