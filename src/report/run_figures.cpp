#include "report/run_figures.h"

#include <algorithm>

#include <fmt/format.h>

#include "probe/slot.h"
#include "report/table.h"
#include "report/views.h"

namespace heddle::report {

namespace {

// The named parts of each bar, as shares of their sum.
Figure shares(Figure figure, const Bars& bars, const std::vector<Stalls>& parts) {
    figure.means = bars.means;
    std::vector<std::string> names;
    for (const Stalls& of_bar : parts)
        for (const auto& [name, slots] : of_bar)
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
    for (const std::string& name : names)
        figure.series.push_back({name, "", {}, {}});
    for (std::size_t b = 0; b < parts.size(); ++b) {
        figure.categories.push_back(bars.bars[b].label);
        double sum = 0;
        for (const auto& [name, slots] : parts[b])
            sum += static_cast<double>(slots);
        for (Series& series : figure.series) {
            const auto at = std::find_if(parts[b].begin(), parts[b].end(),
                                         [&](const auto& part) { return part.first == series.name; });
            const double slots = at == parts[b].end() ? 0 : static_cast<double>(at->second);
            series.values.push_back(sum == 0 ? std::nullopt : std::optional(100 * slots / sum));
        }
    }
    return figure;
}

// Removes parts that no bar has.
Figure used(Figure figure) {
    std::erase_if(figure.series, [](const Series& series) {
        return std::all_of(series.values.begin(), series.values.end(),
                           [](const auto& v) { return v.value_or(0) == 0; });
    });
    return figure;
}

template <typename Parts>
std::vector<Stalls> of_bars(const Bars& bars, Parts parts) {
    std::vector<Stalls> out;
    for (const CountedBar& bar : bars.bars)
        out.push_back(bar.counts->cycles == 0 ? Stalls{} : parts(*bar.counts));
    return out;
}

// "waits for DRAM (sb_dram)": what a cause is, and the name that it has in results.
std::string in_words(const std::string& cause) {
    const std::string_view words = probe::words_of(cause);
    return words == cause ? cause : fmt::format("{} ({})", words, cause);
}

// "dcache" of "dcache.hit_rate", "DRAM rows" of "dram.row_hit_rate"; empty for other statistics.
std::string hit_rate_name(const std::string& statistic) {
    const std::size_t dot = statistic.find('.');
    const std::string section = statistic.substr(0, dot), name = statistic.substr(std::min(dot + 1, statistic.size()));
    return name == "hit_rate" ? section : name == "row_hit_rate" ? section + " rows" : "";
}

} // namespace

Figure make_figure(FigureKind kind, std::string id, std::string title, std::string unit, std::string category) {
    Figure out;
    out.kind = kind;
    out.id = std::move(id);
    out.title = std::move(title);
    out.unit = std::move(unit);
    out.category = std::move(category);
    return out;
}

Figure stall_figure(const Bars& bars) {
    Figure figure = make_figure(FigureKind::stacked_bars, "stalls", "Where the issue slots went", "%", bars.category);
    figure.caption = "Every issue slot of every cycle has one cause: what used it, or what kept it from being used.";
    figure =
        used(shares(std::move(figure), bars, of_bars(bars, [](const CountsSummary& counts) { return counts.stalls; })));
    for (Series& series : figure.series)
        series.name = in_words(series.name);
    return figure;
}

Figure class_figure(const Bars& bars) {
    Figure figure =
        make_figure(FigureKind::stacked_bars, "classes", "The same by the classes of PRO II.B", "%", bars.category);
    figure.caption = "idle: no instruction; scoreboard: operands missing; pipeline: units taken.";
    return used(shares(std::move(figure), bars,
                       of_bars(bars, [](const CountsSummary& counts) { return stall_classes(counts.stalls); })));
}

Figure lane_figure(const Bars& bars) {
    Figure figure =
        make_figure(FigureKind::stacked_bars, "lanes", "What the lanes did (DWF07 Figure 16)", "%", bars.category);
    figure.caption = "Cycles by the number of lanes that an instruction executed for. W0: nothing executed; stall: an "
                     "instruction from memory took the write-back stage.";
    figure = shares(std::move(figure), bars, of_bars(bars, [](const CountsSummary& counts) {
                        Stalls out;
                        for (const WarpSizes& range : warp_sizes(counts.active_lanes, counts.stalls))
                            out.emplace_back(range.range, range.slots);
                        return out;
                    }));
    const Figure without = used(figure);
    if (without.series.empty() || without.series.front().name != "stall") // "stall": few machines have it
        std::erase_if(figure.series, [](const Series& series) { return series.name == "stall"; });
    return without.series.empty() ? without : figure; // with all ranges: their colours form a scale
}

Figure hit_rate_figure(std::span<const StoredRun> runs, const std::vector<std::string>& labels) {
    Figure figure = make_figure(FigureKind::grouped_bars, "hit-rates", "Hit rates", "%", "cache");
    figure.caption = "Share of the look-ups that found their line; of DRAM, of the requests that found their row open.";
    for (const StoredRun& run : runs)
        for (const auto& [statistic, value] : run.summary.shares)
            if (const std::string name = hit_rate_name(statistic);
                !name.empty() &&
                std::find(figure.categories.begin(), figure.categories.end(), name) == figure.categories.end())
                figure.categories.push_back(name);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        Series series{labels[r], "", std::vector<std::optional<double>>(figure.categories.size()), {}};
        for (const auto& [statistic, value] : runs[r].summary.shares) {
            const auto at = std::find(figure.categories.begin(), figure.categories.end(), hit_rate_name(statistic));
            if (at != figure.categories.end())
                series.values[static_cast<std::size_t>(at - figure.categories.begin())] = 100 * value;
        }
        figure.series.push_back(std::move(series));
    }
    return figure;
}

Figure path_figure(std::span<const StoredRun> runs, const std::vector<std::string>& labels) {
    constexpr std::pair<const char*, const char*> kParts[] = {{"memory_path.request_network", "to the slice"},
                                                              {"memory_path.slice", "in the slice"},
                                                              {"memory_path.memory", "in memory"},
                                                              {"memory_path.reply_network", "back"}};
    Figure figure =
        make_figure(FigureKind::stacked_bars, "path", "The way of a load to memory and back", "cycles", "run");
    figure.caption =
        "Mean cycles of a load's request from leaving its SM to the answer, by where they were spent. Loads "
        "that the last level answered spend none in memory.";
    for (const auto& [statistic, name] : kParts)
        figure.series.push_back({name, "", {}, {}});
    bool any = false;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        figure.categories.push_back(labels[r]);
        const double loads = runs[r].value("memory_path.loads").value_or(0);
        any = any || loads != 0;
        for (std::size_t p = 0; p < std::size(kParts); ++p) {
            const auto cycles = runs[r].value(kParts[p].first);
            figure.series[p].values.push_back(loads != 0 && cycles ? std::optional(*cycles / loads) : std::nullopt);
        }
    }
    if (!any)
        figure.series.clear();
    return figure;
}

std::optional<double> bandwidth(const StoredRun& run) {
    const auto bytes = run.value("dram.bytes");
    const std::uint64_t cycles = run.summary.totals.cycles;
    return bytes && cycles != 0 ? std::optional(*bytes / static_cast<double>(cycles)) : std::nullopt;
}

} // namespace heddle::report
