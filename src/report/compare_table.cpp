#include <algorithm>

#include <fmt/format.h>

#include "probe/slot.h"
#include "report/table.h"
#include "report/tables.h"
#include "report/text.h"

namespace heddle::report {

namespace {

constexpr std::size_t kLabel = 40;     // characters of a setting in a table; a longer one is written out below
constexpr std::size_t kSideBySide = 6; // runs in a table of causes

double share(const CountsSummary& counts, const std::string& cause) {
    const std::uint64_t slots = counts.slots();
    for (const auto& [name, n] : counts.stalls)
        if (name == cause && slots != 0)
            return static_cast<double>(n) / static_cast<double>(slots);
    return 0;
}

// The causes of the runs, that with the largest share in any run first.
std::vector<std::string> causes_of(std::span<const ComparedRun> runs) {
    std::vector<std::pair<double, std::string>> found;
    for (const ComparedRun& run : runs)
        for (const auto& [cause, n] : run.summary.totals.stalls) {
            const double here = run.failed ? 0 : share(run.summary.totals, cause);
            const auto at =
                std::find_if(found.begin(), found.end(), [&cause = cause](const auto& f) { return f.second == cause; });
            if (at == found.end())
                found.emplace_back(here, cause);
            else
                at->first = std::max(at->first, here);
        }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> out;
    for (auto& [most, cause] : found)
        if (most >= kLeastShare)
            out.push_back(std::move(cause));
    return out;
}

// A run that stopped early did less work, so its time cannot be compared.
bool comparable(const ComparedRun& run) {
    return !run.failed && run.summary.status == "complete" && run.summary.totals.cycles != 0;
}

void add_row(Table& table, const ComparedRun& run, std::size_t number, const ComparedRun& first) {
    if (run.failed)
        return table.note(cut(run.label, kLabel),
                          cut("failed: " + run.message.substr(0, run.message.find('\n')), kTextWidth - kLabel - 2));
    const CountsSummary& totals = run.summary.totals;
    const bool timed = totals.cycles != 0;
    std::string speed_up = "-";
    if (comparable(run) && comparable(first))
        speed_up = fmt::format("{:.3f}",
                               static_cast<double>(first.summary.totals.cycles) / static_cast<double>(totals.cycles));
    table.row({cut(run.label, kLabel), grouped(number), timed ? grouped(totals.cycles) : "-", speed_up,
               grouped(totals.warp_instructions), timed ? fmt::format("{:.3f}", totals.ipc) : "-",
               totals.slots() == 0 ? "-" : percent(totals.lane_utilisation())});
}

std::string runs_table(std::span<const ComparedRun> runs) {
    Table table;
    table.column("setting", Table::Align::Left);
    for (const char* heading : {"#", "cycles", "speed-up", "warp instr.", "IPC", "lanes used"})
        table.column(heading);
    for (std::size_t r = 0; r < runs.size(); ++r)
        add_row(table, runs[r], r + 1, runs.front());
    return table.render();
}

// The causes of the runs from number `first` on, a column each.
std::string causes_table(std::span<const ComparedRun> runs, std::size_t first, const std::vector<std::string>& causes) {
    Table table;
    table.column("issue slots", Table::Align::Left);
    for (std::size_t r = 0; r < runs.size(); ++r)
        table.column(fmt::format("{}", first + r));
    for (const std::string& cause : causes) {
        std::vector<std::string> cells{cause == "issued" ? cause
                                                         : fmt::format("{} ({})", probe::words_of(cause), cause)};
        for (const ComparedRun& run : runs)
            cells.push_back(run.failed || run.summary.totals.cycles == 0 ? "-"
                                                                         : percent(share(run.summary.totals, cause)));
        table.row(std::move(cells));
    }
    return table.render();
}

} // namespace

std::string compare_table(std::span<const ComparedRun> runs) {
    std::string out = runs_table(runs);
    const std::vector<std::string> causes = causes_of(runs);
    for (std::size_t first = 0; first < runs.size() && !causes.empty(); first += kSideBySide)
        out.append("\n").append(
            causes_table(runs.subspan(first, std::min(kSideBySide, runs.size() - first)), first + 1, causes));
    for (const ComparedRun& run : runs)
        if (!run.message.empty() || run.label.size() > kLabel)
            out += fmt::format("\n{}{}{}\n", run.label, run.message.empty() ? "" : ": ", run.message);
    return out;
}

} // namespace heddle::report
