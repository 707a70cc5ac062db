#include <algorithm>

#include <fmt/format.h>

#include "report/table.h"
#include "report/tables.h"

namespace heddle::report {

namespace {

double share(const CountsSummary& counts, const std::string& cause) {
    const std::uint64_t slots = counts.slots();
    for (const auto& [name, n] : counts.stalls)
        if (name == cause && slots != 0)
            return static_cast<double>(n) / static_cast<double>(slots);
    return 0;
}

// The causes with slots in any run, in the order of the results.
std::vector<std::string> causes_of(std::span<const ComparedRun> runs) {
    std::vector<std::string> out;
    for (const ComparedRun& run : runs)
        for (const auto& [cause, n] : run.summary.totals.stalls)
            if (n != 0 && !run.failed && std::find(out.begin(), out.end(), cause) == out.end())
                out.push_back(cause);
    return out;
}

// A run that stopped early did less work, so its time cannot be compared.
bool comparable(const ComparedRun& run) {
    return !run.failed && run.summary.status == "complete" && run.summary.totals.cycles != 0;
}

std::vector<std::string> row_of(const ComparedRun& run, const ComparedRun& first,
                                const std::vector<std::string>& causes) {
    if (run.failed)
        return {run.label, "failed"};
    const CountsSummary& totals = run.summary.totals;
    const bool timed = totals.cycles != 0;
    std::string speed_up = "-";
    if (comparable(run) && comparable(first))
        speed_up = fmt::format("{:.3f}",
                               static_cast<double>(first.summary.totals.cycles) / static_cast<double>(totals.cycles));
    std::vector<std::string> cells{run.label,
                                   timed ? grouped(totals.cycles) : "-",
                                   speed_up,
                                   grouped(totals.warp_instructions),
                                   timed ? fmt::format("{:.3f}", totals.ipc) : "-",
                                   totals.slots() == 0 ? "-" : percent(totals.lane_utilisation())};
    for (const std::string& cause : causes)
        cells.push_back(percent(share(totals, cause)));
    return cells;
}

} // namespace

std::string compare_table(std::span<const ComparedRun> runs) {
    const std::vector<std::string> causes = causes_of(runs);
    Table table;
    table.column("setting", Table::Align::Left);
    for (const char* heading : {"cycles", "speed-up", "warp instr.", "IPC", "lanes used"})
        table.column(heading);
    for (const std::string& cause : causes)
        table.column(cause);
    for (const ComparedRun& run : runs)
        table.row(row_of(run, runs.front(), causes));
    std::string out = table.render();
    for (const ComparedRun& run : runs)
        if (!run.message.empty())
            out += fmt::format("\n{}: {}\n", run.label, run.message);
    return out;
}

} // namespace heddle::report
