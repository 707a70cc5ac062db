#include "report/heat_map.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/table.h"

namespace heddle::report {
namespace {

constexpr std::string_view kSteps = " .:-=+*#%@";

// Accesses of a degree by column.
std::vector<std::uint64_t> line_of(const DegreesOverTime& all, std::size_t degree, std::size_t rows_a_column) {
    std::vector<std::uint64_t> out((all.rows.size() + rows_a_column - 1) / rows_a_column);
    for (std::size_t r = 0; r < all.rows.size(); ++r)
        out[r / rows_a_column] += all.rows[r].at(degree);
    return out;
}

char step(std::uint64_t count, std::uint64_t most) {
    return count == 0 ? kSteps.front() : kSteps[1 + (count * (kSteps.size() - 1) - 1) / most];
}

} // namespace

std::string heat_map(const Summary& run) {
    if (!run.over_time)
        return "no heat map: the cores of this machine do not look at divergent cache accesses "
               "(core.model = 'wpu' and core.formation = 'maws' do)\n";
    const DegreesOverTime& all = *run.over_time;
    if (all.rows.empty())
        return "no heat map: no launch was timed\n";
    const std::size_t rows_a_column = (all.rows.size() + kHeatMapColumns - 1) / kHeatMapColumns;
    const std::size_t degrees = all.rows.front().size() - 1; // the last is the width, where nobody hits
    std::vector<std::vector<std::uint64_t>> lines;
    std::uint64_t most = 0;
    for (std::size_t degree = degrees; degree-- > 1;) {
        lines.push_back(line_of(all, degree, rows_a_column));
        most = std::max(most, *std::max_element(lines.back().begin(), lines.back().end()));
    }
    std::string out = "divergent cache accesses over time by the threads that missed (MAWS Figure 2)\n";
    for (std::size_t l = 0; l < lines.size(); ++l) {
        out += fmt::format("{:>4} |", degrees - 1 - l);
        for (const std::uint64_t count : lines[l])
            out += step(count, most);
        out += "|\n";
    }
    return out + fmt::format("     a column: {} cycles; '@': {} accesses\n", grouped(rows_a_column * all.interval),
                             grouped(most));
}

} // namespace heddle::report
