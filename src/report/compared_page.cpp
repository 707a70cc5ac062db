#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "report/kernels.h"
#include "report/run_figures.h"
#include "report/run_labels.h"
#include "report/run_page.h"
#include "report/table.h"

namespace heddle::report {

namespace {

std::vector<std::string> kernel_names(const StoredRun& run) {
    std::vector<std::string> out;
    for (const KernelSummary& kernel : run.summary.kernels)
        out.push_back(fmt::format("{} {}", kernel.launches, kernel.name));
    return out;
}

// Whether the times of two runs can be compared: both are complete and did the same work.
bool comparable(const StoredRun& run, const StoredRun& first) {
    return run.summary.status == "complete" && run.summary.totals.cycles != 0 &&
           kernel_names(run) == kernel_names(first);
}

std::optional<double> speed_up(const StoredRun& run, const StoredRun& first) {
    if (!comparable(run, first) || !comparable(first, first))
        return std::nullopt;
    return static_cast<double>(first.summary.totals.cycles) / static_cast<double>(run.summary.totals.cycles);
}

std::optional<double> ipc(const StoredRun& run) {
    return run.summary.totals.cycles == 0 ? std::nullopt : std::optional(run.summary.totals.ipc);
}

std::vector<std::string> remarks_on(std::span<const StoredRun> runs, const std::vector<std::string>& labels) {
    std::vector<std::string> out;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const Summary& s = runs[r].summary;
        if (const std::string_view how = ending(s); !how.empty())
            out.push_back(fmt::format("{}: {}.{}{}", labels[r], how, s.error.empty() ? "" : " ", s.error));
        if (kernel_names(runs[r]) != kernel_names(runs.front()))
            out.push_back(fmt::format("{}: other kernels or launches than those of {}; it has no speed-up.", labels[r],
                                      labels.front()));
    }
    return out;
}

Figure bars_a_run(const char* id, const char* title, const char* unit, std::span<const StoredRun> runs,
                  const std::vector<std::string>& labels, auto value) {
    Figure figure = make_figure(FigureKind::grouped_bars, id, title, unit, "run");
    figure.categories = labels;
    figure.series = {{unit, "", {}, {}}};
    for (const StoredRun& run : runs)
        figure.series.front().values.push_back(value(run));
    return figure;
}

PageTable runs_table(std::span<const StoredRun> runs, const std::vector<std::string>& labels) {
    PageTable out{"runs",
                  "Runs",
                  "",
                  {"run", "cycles", "speed-up", "IPC", "warp instructions", "thread instructions", "lanes used, %",
                   "DRAM bytes a cycle", "ended", "file"},
                  {},
                  0,
                  false};
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const CountsSummary& c = runs[r].summary.totals;
        const auto number = [](std::uint64_t n) { return Cell{"", static_cast<double>(n)}; };
        out.rows.push_back({{labels[r], {}},
                            c.cycles == 0 ? Cell{} : number(c.cycles),
                            {"", speed_up(runs[r], runs.front())},
                            {"", ipc(runs[r])},
                            number(c.warp_instructions),
                            number(c.thread_instructions),
                            {"", c.slots() == 0 ? std::nullopt : std::optional(100 * c.lane_utilisation())},
                            {"", bandwidth(runs[r])},
                            {runs[r].summary.status, {}},
                            {std::filesystem::path(runs[r].file).filename().string(), {}}});
    }
    return out;
}

PageTable settings_table(std::span<const StoredRun> runs, const std::vector<std::string>& labels) {
    PageTable out{"settings", "Settings that differ", "", {"key"}, {}, 0, false};
    out.headings.insert(out.headings.end(), labels.begin(), labels.end());
    for (const std::string& key : differing_settings(runs)) {
        std::vector<Cell> row{{key, {}}};
        for (const StoredRun& run : runs)
            row.push_back({run.setting(key), {}});
        out.rows.push_back(std::move(row));
    }
    return out;
}

// IPC of each kernel that all runs have, in the order of the first run.
Figure kernels_figure(std::span<const StoredRun> runs, const std::vector<std::string>& labels) {
    constexpr std::size_t kDrawn = 16;
    Figure figure =
        make_figure(FigureKind::grouped_bars, "kernels", "Thread instructions a cycle by kernel", "IPC", "kernel");
    std::vector<std::string> names;
    for (const KernelSummary* kernel : longest_first(runs.front().summary.kernels))
        if (names.size() < kDrawn) {
            names.push_back(kernel->name);
            figure.categories.push_back(short_name(kernel->name));
        }
    for (std::size_t r = 0; r < runs.size(); ++r) {
        Series series{labels[r], "", std::vector<std::optional<double>>(names.size()), {}};
        for (const KernelSummary& kernel : runs[r].summary.kernels) {
            const auto at = std::find(names.begin(), names.end(), kernel.name);
            if (at != names.end() && kernel.timed_launches != 0)
                series.values[static_cast<std::size_t>(at - names.begin())] = kernel.counts.ipc;
        }
        figure.series.push_back(std::move(series));
    }
    return figure;
}

PageSection cycles_section(std::span<const StoredRun> runs, const std::vector<std::string>& labels) {
    const StoredRun& first = runs.front();
    Bars bars{"run", {}, 0};
    for (std::size_t r = 0; r < runs.size(); ++r)
        bars.bars.push_back({labels[r], &runs[r].summary.totals});
    PageSection out{"cycles", "Cycles", remarks_on(runs, labels), {runs_table(runs, labels)}, {}};
    Figure ups = bars_a_run("speed-up", "Speed-up", "speed-up", runs, labels,
                            [&](const StoredRun& run) { return speed_up(run, first); });
    ups.caption = fmt::format("Cycles of the first run, {}, over those of each.", labels.front());
    out.figures.push_back(std::move(ups));
    out.figures.push_back(bars_a_run("ipc", "Thread instructions a cycle", "IPC", runs, labels, ipc));
    if (first.summary.kernels.size() > 1)
        out.figures.push_back(kernels_figure(runs, labels));
    out.figures.push_back(stall_figure(bars));
    out.figures.push_back(class_figure(bars));
    out.figures.push_back(lane_figure(bars));
    return out;
}

// The first profiled run beside each of the next few.
PageSection source_section(std::span<const StoredRun> runs, const std::vector<std::string>& labels) {
    constexpr std::size_t kListed = 3;
    PageSection out{"source", "Source", {}, {}, {}};
    std::vector<std::size_t> profiled;
    for (std::size_t r = 0; r < runs.size(); ++r)
        if (has_source_listing(runs[r]))
            profiled.push_back(r);
    if (profiled.size() < 2)
        return out;
    const StoredRun& first = runs[profiled.front()];
    out.paragraphs = source_explained(*first.profile);
    out.paragraphs.emplace_back(
        "Lines of two runs are matched by their text: + is a line that only the second run has, − one "
        "that only the first has.");
    for (std::size_t i = 1; i < profiled.size() && i <= kListed; ++i)
        out.listings.push_back(
            source_listing(*first.profile, labels[profiled.front()], *runs[profiled[i]].profile, labels[profiled[i]]));
    if (profiled.size() - 1 > kListed)
        out.paragraphs.push_back(
            fmt::format("Of {} profiled runs the first {} beside the first are listed.", profiled.size(), kListed));
    return out;
}

} // namespace

Page compared_page(std::span<const StoredRun> runs) {
    const std::vector<std::string> labels = run_labels(runs);
    Page page;
    page.title = fmt::format("{}: {} compared", program_in_words(runs.front().summary), counted(runs.size(), "run"));
    page.introduction = {
        fmt::format("The runs are named by what distinguishes them; the first, {}, is the one that the "
                    "others are held against.",
                    labels.front())};
    const auto same = [&](auto member) {
        return std::all_of(runs.begin(), runs.end(),
                           [&](const StoredRun& run) { return member(run) == member(runs.front()); });
    };
    const auto machine = [](const StoredRun& run) { return run.summary.machine; };
    const auto version = [](const StoredRun& run) { return fmt::format("{} ({})", run.version, run.commit); };
    const auto program = [](const StoredRun& run) { return run.summary.program; };
    if (same(program) && !program(runs.front()).empty())
        page.facts.emplace_back("program", program(runs.front()));
    if (same(machine))
        page.facts.emplace_back("machine", machine(runs.front()));
    page.facts.emplace_back("kernels", kernels_in_words(runs.front().summary));
    page.facts.emplace_back("heddle", same(version) ? version(runs.front()) : "several versions");

    PageSection memory{"memory", "Memory", {}, {}, {hit_rate_figure(runs, labels), path_figure(runs, labels)}};
    PageTable statistics = statistics_table(runs, labels, true);
    statistics.id = "statistics";
    statistics.title = "Statistics that differ";
    PageSection differences{"differences", "Differences", {}, {settings_table(runs, labels), statistics}, {}};
    page.sections = {cycles_section(runs, labels), source_section(runs, labels), std::move(memory),
                     std::move(differences)};
    for (PageSection& section : page.sections) {
        std::erase_if(section.figures, [](const Figure& f) { return f.series.empty() || f.categories.empty(); });
        std::erase_if(section.tables, [](const PageTable& table) { return table.rows.empty(); });
    }
    std::erase_if(page.sections,
                  [](const PageSection& s) { return s.figures.empty() && s.tables.empty() && s.listings.empty(); });
    return page;
}

} // namespace heddle::report
