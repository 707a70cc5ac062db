#include "report/run_page.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <type_traits>

#include <fmt/format.h>

#include "config/parameter.h"
#include "report/html.h"
#include "report/kernels.h"
#include "report/run_figures.h"
#include "report/table.h"
#include "report/time_figures.h"
#include "report/views.h"
#include "stats/statistic.h"

namespace heddle::report {

namespace {

constexpr std::size_t kKernelsDrawn = 20;

Cell words(std::string text) {
    return {std::move(text), {}};
}

Cell amount(std::optional<double> number) {
    return {"", number};
}

Cell count(std::uint64_t number) {
    return {"", static_cast<double>(number)};
}

// The description of a statistic with this dotted name; null when this version has no such statistic.
template <typename Sections, typename Members>
const auto* find_info(const Sections& sections, std::string_view dotted, Members members) {
    const std::size_t dot = std::min(dotted.find('.'), dotted.size());
    const auto section = sections.find(dotted.substr(0, dot));
    using Info = typename std::remove_reference_t<decltype(section->second.*members)>::value_type;
    const Info* none = nullptr;
    if (section == sections.end())
        return none;
    const auto& all = section->second.*members;
    const auto at = std::find_if(all.begin(), all.end(), [&](const Info& i) {
        return i.name == dotted.substr(std::min(dot + 1, dotted.size()));
    });
    return at == all.end() ? none : &*at;
}

PageTable settings_table(const StoredRun& run) {
    PageTable out{"settings", "Settings", "", {"key", "value", "unit", "from", "meaning"}, {}, 0, true};
    for (const StoredSetting& s : run.settings) {
        const auto* info = config::find_parameter(s.key);
        out.rows.push_back({words(s.key), words(s.value), words(info == nullptr ? "" : info->unit), words(s.origin),
                            words(info == nullptr ? "" : info->meaning)});
    }
    return out;
}

// Settings that differ from the machine's file and from the defaults.
PageTable chosen_table(const StoredRun& run) {
    PageTable out{"chosen", "Settings from the command line", "", {"key", "value", "meaning"}, {}, 0, false};
    for (const StoredSetting& s : run.settings)
        if (s.origin == "command line") {
            const auto* info = config::find_parameter(s.key);
            out.rows.push_back({words(s.key), words(s.value), words(info == nullptr ? "" : info->meaning)});
        }
    return out;
}

std::vector<Cell> kernel_row(const KernelSummary& k, std::uint64_t all_cycles) {
    const CountsSummary& c = k.counts;
    const bool timed = k.timed_launches != 0;
    const auto when_timed = [&](double value) { return amount(timed ? std::optional(value) : std::nullopt); };
    const auto cycles = static_cast<double>(c.cycles);
    return {words(readable_name(k.name)),
            count(k.launches),
            count(k.registers),
            count(k.blocks_per_sm),
            words(k.limited_by),
            when_timed(cycles),
            when_timed(all_cycles == 0 ? 0 : 100 * cycles / static_cast<double>(all_cycles)),
            count(c.warp_instructions),
            count(c.thread_instructions),
            when_timed(c.ipc),
            amount(c.slots() == 0 ? std::nullopt : std::optional(100 * c.lane_utilisation()))};
}

PageTable kernels_table(const Summary& run) {
    PageTable out{"kernels",
                  "Kernels",
                  "All launches of a kernel together, the longest first. Lanes used: the mean share "
                  "of the lanes that are active in slots that carry an instruction.",
                  {"kernel", "launches", "registers", "blocks an SM", "limited by", "cycles", "cycles, %",
                   "warp instructions", "thread instructions", "IPC", "lanes used, %"},
                  {},
                  0,
                  false};
    for (const KernelSummary* kernel : longest_first(run.kernels))
        out.rows.push_back(kernel_row(*kernel, run.totals.cycles));
    return out;
}

// The kernels with the most cycles, and all kernels together.
Bars kernel_bars(const Summary& run) {
    Bars out{"kernel", {}, 0};
    for (const KernelSummary* kernel : longest_first(run.kernels))
        if (kernel->timed_launches != 0 && out.bars.size() < kKernelsDrawn)
            out.bars.push_back({short_name(kernel->name), &kernel->counts});
    if (out.bars.size() != 1) {
        out.bars.push_back({"all kernels", &run.totals});
        out.means = 1;
    }
    return out;
}

std::vector<std::pair<std::string, std::string>> facts_of(const StoredRun& run) {
    const Summary& s = run.summary;
    const CountsSummary& totals = s.totals;
    std::vector<std::pair<std::string, std::string>> out{{"machine", s.machine}};
    const auto add = [&](const char* name, std::string value) {
        if (!value.empty())
            out.emplace_back(name, std::move(value));
    };
    add("formation", s.formation);
    add("scheduler", s.scheduler);
    add("program", s.program);
    add("kernels", fmt::format("{}, {}", counted(s.kernels.size(), "kernel"), counted(launches(s), "launch")));
    add("cycles", totals.cycles == 0 ? "" : grouped(totals.cycles));
    add("warp instructions", grouped(totals.warp_instructions));
    add("thread instructions", grouped(totals.thread_instructions));
    add("IPC (thread instructions a cycle)", totals.cycles == 0 ? "" : fmt::format("{:.3f}", totals.ipc));
    add("lanes used", totals.slots() == 0 ? "" : percent(totals.lane_utilisation()));
    if (const auto bytes = bandwidth(run))
        add("bytes to and from DRAM a cycle", fmt::format("{:.2f}", *bytes));
    add("ended", s.status);
    add("simulated in",
        fmt::format("{:.2f} s, {} warp instructions a second", s.wall_seconds, scaled(s.warp_instructions_per_second)));
    add("heddle", fmt::format("{} ({})", run.version, run.commit));
    add("result", std::filesystem::path(run.file).filename().string());
    return out;
}

// LWM10 Table 2 and MAWS Table 2.
std::vector<std::string> classes_in_words(const Summary& run) {
    std::vector<std::string> out;
    const Classification c = classify(run.totals.active_lanes, run.totals.cycles != 0);
    if (c.idle && c.branch)
        out.push_back(
            fmt::format("Of the classes of LWM10 Table 2 its idle intensity is {} ({} of the slots) and its branch "
                        "intensity {} (a mean of {:.1f} of {} threads).",
                        intensity_name(*c.idle), percent(c.idle_share), intensity_name(*c.branch),
                        c.mean_active_threads, run.totals.active_lanes.size() - 1));
    if (const auto& d = run.divergence)
        out.push_back(fmt::format("In a million cycles of an SM (MAWS Table 2) there were {} conditional branches that "
                                  "delimit no loop, {} divergent branches, {} loads and stores with a miss, and {} of "
                                  "these of which other threads hit.",
                                  html::number(d->non_loop_branches, 0), html::number(d->divergent_branches, 0),
                                  html::number(d->cache_misses, 0), html::number(d->divergent_accesses, 0)));
    return out;
}

PageTable memory_table(const StoredRun& run) {
    PageTable out{"latencies", "Waiting for memory", "", {"statistic", "value", "unit", "meaning"}, {}, 0, false};
    for (const char* name : {"data.mean_wait", "data.mean_lines", "memory_path.mean_latency", "dram.mean_read_latency",
                             "dram.mean_found_queued", "dcache.mshr_occupancy", "llc.mshr_occupancy"})
        if (const auto value = run.value(name)) {
            const auto* info = find_info(stats::sections(), name, &stats::SectionInfo::statistics);
            out.rows.push_back({words(name),
                                {fmt::format("{:.2f}", *value), value},
                                words(info == nullptr ? "" : info->unit),
                                words(info == nullptr ? "" : info->meaning)});
        }
    return out;
}

void add_if_filled(std::vector<Figure>& figures, Figure figure) {
    if (!figure.series.empty() && !figure.categories.empty())
        figures.push_back(std::move(figure));
}

} // namespace

bool has_source_listing(const StoredRun& run) {
    return run.profile && std::any_of(run.profile->kernels.begin(), run.profile->kernels.end(),
                                      [](const ProfiledKernel& kernel) { return !kernel.instructions.empty(); });
}

std::vector<std::string> source_explained(const Profile& profile) {
    const bool timed = std::any_of(profile.kernels.begin(), profile.kernels.end(),
                                   [](const ProfiledKernel& kernel) { return kernel.timed; });
    return {timed
                ? "The cost of a line is its share of all issue slots: those that carried its instructions, and those "
                  "that stayed empty because warps waited at it. Most slots: what the largest part of them was."
                : "No launch was timed: the cost of a line is its share of the executed instructions.",
            "The figure in the first column can be chosen. The number of a line shows its PTX instructions and all its "
            "figures; a line behind a cause shows where that cause is."};
}

std::string kernels_in_words(const Summary& run) {
    const auto order = longest_first(run.kernels);
    if (order.empty())
        return "no kernel";
    const std::string first = readable_name(order.front()->name);
    return order.size() == 1 ? first : fmt::format("{} and {}", first, counted(order.size() - 1, "more kernel"));
}

std::string program_in_words(const Summary& run) {
    return run.program.empty() ? kernels_in_words(run) : run.program;
}

PageTable statistics_table(std::span<const StoredRun> runs, const std::vector<std::string>& labels, bool differing) {
    PageTable out;
    out.headings = {"statistic"};
    out.headings.insert(out.headings.end(), labels.begin(), labels.end());
    out.headings.insert(out.headings.end(), {"unit", "meaning"});
    std::set<std::string> seen;
    for (const StoredRun& having : runs)
        for (const auto& named : having.values) {
            if (!seen.insert(named.first).second)
                continue;
            std::vector<Cell> row{words(named.first)};
            bool differs = false;
            std::vector<std::optional<double>> values;
            for (const StoredRun& run : runs) {
                values.push_back(run.value(named.first));
                differs = differs || values.back() != values.front();
            }
            if (differing && !differs)
                continue;
            const int decimals = std::min(html::decimals(values), 4);
            for (const auto& value : values)
                row.push_back(value ? Cell{html::number(*value, decimals), value} : Cell{});
            const auto* info = find_info(stats::sections(), named.first, &stats::SectionInfo::statistics);
            row.push_back(words(info == nullptr ? "" : info->unit));
            row.push_back(words(info == nullptr ? "" : info->meaning));
            out.rows.push_back(std::move(row));
        }
    return out;
}

Page run_page(const StoredRun& run) {
    const Summary& s = run.summary;
    Page page;
    page.title = fmt::format("{} on {}", program_in_words(s), s.machine);
    if (const std::string_view how = ending(s); !how.empty())
        page.introduction.push_back(fmt::format("Not complete: {}.", how));
    if (!s.error.empty())
        page.introduction.push_back(s.error);
    page.facts = facts_of(run);

    const Bars bars = kernel_bars(s);
    const std::span<const StoredRun> alone(&run, 1);
    PageSection cycles{"cycles", "Kernels and cycles", {}, {kernels_table(s)}, {}};
    add_if_filled(cycles.figures, stall_figure(bars));
    add_if_filled(cycles.figures, class_figure(bars));
    PageSection source{"source", "Source", {}, {}, {}};
    if (has_source_listing(run)) {
        source.paragraphs = source_explained(*run.profile);
        source.listings.push_back(source_listing(*run.profile, ""));
    }
    PageSection lanes{"use-of-lanes", "Lanes", classes_in_words(s), {}, {}};
    add_if_filled(lanes.figures, lane_figure(bars));
    PageSection memory{"memory", "Memory", {}, {memory_table(run)}, {}};
    add_if_filled(memory.figures, hit_rate_figure(alone, {"hit rate"}));
    add_if_filled(memory.figures, path_figure(alone, {s.machine}));
    PageSection time{"time", "Over time", {}, {}, time_figures(run)};
    PageTable statistics = statistics_table(alone, {"value"}, false);
    statistics.id = "statistics";
    statistics.title = "Statistics";
    statistics.folded = true;
    PageSection all{
        "all", "Everything that was counted and set", {}, {chosen_table(run), settings_table(run), statistics}, {}};

    for (PageSection* section : {&cycles, &source, &lanes, &memory, &time, &all}) {
        std::erase_if(section->tables, [](const PageTable& table) { return table.rows.empty(); });
        if (!section->tables.empty() || !section->figures.empty() || !section->paragraphs.empty() ||
            !section->listings.empty())
            page.sections.push_back(std::move(*section));
    }
    return page;
}

} // namespace heddle::report
