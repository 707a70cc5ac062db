// Tables in plain text: aligned columns, two spaces apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

class Table {
public:
    enum class Align { Left, Right };

    void column(std::string heading, Align align = Align::Right);
    // Missing cells at the end stay empty. A cell that begins a left-aligned last column may be of any length.
    void row(std::vector<std::string> cells);
    // A row whose second cell goes on over all further columns.
    void note(std::string cell, std::string text);
    [[nodiscard]] bool empty() const {
        return rows_.empty();
    }
    // One line a row with its end, headings first; no spaces at the ends of lines.
    [[nodiscard]] std::string render() const;

private:
    struct Column {
        std::string heading;
        Align align;
    };
    struct Row {
        std::vector<std::string> cells;
        bool is_note = false;
    };
    [[nodiscard]] std::string line(const Row& row, const std::vector<std::size_t>& widths) const;

    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

// "12,345,678".
[[nodiscard]] std::string grouped(std::uint64_t);
// "4 kernels", "1 launch".
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view what);
// "93.1 %", of a share from 0 to 1.
[[nodiscard]] std::string percent(double share);
// "12.3 M", three or so digits with a decimal prefix.
[[nodiscard]] std::string scaled(double);
// "3 min", "40 s", "2 h 5 min".
[[nodiscard]] std::string rough_time(double seconds);

} // namespace heddle::report
