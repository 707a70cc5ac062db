#include "report/heat_map.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/table.h"

namespace heddle::report {
namespace {

constexpr std::string_view kSteps = " .:-=+*#%@";

char step(std::uint64_t count, std::uint64_t most) {
    return count == 0 ? kSteps.front() : kSteps[1 + (count * (kSteps.size() - 1) - 1) / most];
}

} // namespace

std::size_t rows_a_column(const DegreesOverTime& all) {
    return std::max<std::size_t>(1, (all.rows.size() + kHeatMapColumns - 1) / kHeatMapColumns);
}

std::vector<std::uint64_t> accesses_by_column(const DegreesOverTime& all, std::size_t degree) {
    const std::size_t width = rows_a_column(all);
    std::vector<std::uint64_t> out((all.rows.size() + width - 1) / width);
    for (std::size_t r = 0; r < all.rows.size(); ++r)
        out[r / width] += all.rows[r].at(degree);
    return out;
}

std::string heat_map(const Summary& run) {
    if (!run.over_time)
        return "no heat map: the cores of this machine do not look at divergent cache accesses "
               "(core.model = 'wpu' and core.formation = 'maws' do)\n";
    const DegreesOverTime& all = *run.over_time;
    if (all.rows.empty())
        return "no heat map: no launch was timed\n";
    const std::size_t degrees = all.rows.front().size() - 1; // the last degree is the width: then no thread hits
    std::vector<std::vector<std::uint64_t>> lines;
    std::uint64_t most = 0;
    for (std::size_t degree = degrees; degree-- > 1;) {
        lines.push_back(accesses_by_column(all, degree));
        most = std::max(most, *std::max_element(lines.back().begin(), lines.back().end()));
    }
    std::string out = "divergent cache accesses over time by the threads that missed (MAWS Figure 2)\n";
    for (std::size_t l = 0; l < lines.size(); ++l) {
        out += fmt::format("{:>4} |", degrees - 1 - l);
        for (const std::uint64_t count : lines[l])
            out += step(count, most);
        out += "|\n";
    }
    return out + fmt::format("     a column: {} cycles; '@': {} accesses\n", grouped(rows_a_column(all) * all.interval),
                             grouped(most));
}

} // namespace heddle::report
