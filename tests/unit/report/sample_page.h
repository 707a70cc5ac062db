// A page with figures of every kind, as experiments make them, and with texts that are not meant well.
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "report/page.h"

namespace heddle::report::test {

inline constexpr const char* kHostile = "</script><script>window.broken = 1</script><!-- \"&' <b>";

inline Figure begun(FigureKind kind, std::string id, std::string title, std::string unit, std::string category) {
    Figure f;
    f.kind = kind;
    f.id = std::move(id);
    f.title = std::move(title);
    f.unit = std::move(unit);
    f.category = std::move(category);
    return f;
}

inline Figure grouped_bars() {
    Figure f = begun(FigureKind::grouped_bars, "bars", "Figure 8: IPC of large warps", "IPC", "program");
    f.caption = "Thread instructions a cycle of six programs under four mechanisms, and their geometric mean.";
    f.categories = {"blackjack", "blackscholes", "bfs", "kmeans", "matmul", "sort", "mean"};
    f.means = 1;
    f.series = {{"baseline", "", {12.5, 21.25, 3.0, 9.1, 28.4, 0.0, 12.4}, {}},
                {"two-level", "", {12.9, 25.0, 3.1, 9.8, 30.1, 14.1, 13.4}, {}},
                {"large warps", "", {18.0, 21.3, 4.5, {}, 28.6, 16.2, 14.9}, {}},
                {"large warps and two-level", "", {18.75, 25.5, 4.6, 12.25, 30.25, 16.75, 18.0}, {}}};
    f.published = {{"IPC", "large warps", "baseline", "%", "19.1", "20.2", "+1.1 points", "inputs are smaller"},
                   {"IPC", "two-level", "baseline", "%", "8.4", "", "", ""}};
    f.published[0].mark = PublishedMark{2, 6, 14.77}; // 19.1 % over the baseline's 12.4
    f.remarks = {"kmeans did not run with large warps alone: it was stopped after a million cycles."};
    return f;
}

inline Figure stacked_bars() {
    Figure f = begun(FigureKind::stacked_bars, "stacks", "Figure 9: where slots went", "%", "program");
    f.categories = {"blackjack", "bfs", "matmul"};
    const char* stacks[] = {"baseline", "two-level", "lwm"};
    const char* parts[] = {"issued", "fetch_miss", "data_port", "memory",       "barrier",  "pipeline",
                           "empty",  "sb_alu",     "sb_dram",   "set_reserved", "mshr_full"};
    for (const char* stack : stacks)
        for (int p = 0; p < 11; ++p)
            f.series.push_back({parts[p], stack, {p == 0 ? 50.0 : 5.0, p == 3 ? 90.0 : 1.0, {}}, {}});
    return f;
}

inline Figure utilisation() {
    Figure f = begun(FigureKind::stacked_bars, "lanes", "Figure 16: lanes", "%", "");
    f.categories = {"bfs", "fft", "lu", "mean"};
    f.means = 1;
    for (const char* range : {"stall", "W0", "W1-4", "W5-8", "W9-12", "W13-16", "W17-20", "W21-24", "W25-28", "W29-32"})
        f.series.push_back({range, "", {10.0, 10.0, 10.0, 10.0}, {}});
    return f;
}

inline Figure one_bar() {
    Figure f = begun(FigureKind::stacked_bars, "alone", "A bar alone", "%", "kernel");
    f.categories = {"bfs"};
    f.series = {{"issued", "", {25.0}, {}},
                {"waits for arithmetic (sb_alu)", "", {15.0}, {}},
                {"waits for DRAM (sb_dram)", "", {60.0}, {}}};
    return f;
}

inline Figure sweep() {
    Figure f = begun(FigureKind::lines, "sweep", "Figure 13: size of a large warp", "speed-up", "threads");
    f.categories = {"64", "128", "256", "512"};
    f.series = {{"geometric mean", "", {1.02, 1.08, 1.19, 1.17}, {}}, {"bfs", "", {1.0, {}, 1.4, 1.5}, {}}};
    return f;
}

inline Figure one_point() {
    Figure f = begun(FigureKind::lines, "point", "A sweep of which one run is done", "IPC", "threads");
    f.categories = {"64"};
    f.series = {{"bfs", "", {4.0}, {}}};
    return f;
}

inline Figure over_time() {
    Figure f = begun(FigureKind::lines, "time", "IPC over time", "IPC", "cycle");
    f.series = {{"SM 0", "", {}, {}}};
    for (int i = 0; i < 300; ++i) {
        f.categories.push_back(std::to_string(1000 * i));
        f.series[0].values.emplace_back(16 + 10 * std::sin(i / 20.0));
    }
    return f;
}

inline Figure heat_map() {
    Figure f = begun(FigureKind::heat_map, "heat", "MAWS Figure 2", "accesses", "cycle");
    for (int c = 0; c < 40; ++c)
        f.categories.push_back(std::to_string(100000 * c));
    for (int degree = 7; degree >= 1; --degree) {
        Series row{std::to_string(degree), "", {}, {}};
        for (int c = 0; c < 40; ++c)
            row.values.emplace_back(std::floor(5000 * std::exp(-degree / 2.0) * (1 + std::sin(c / 6.0))));
        f.series.push_back(row);
    }
    return f;
}

inline Figure spans() {
    Figure f = begun(FigureKind::spans, "spans", "PRO Figure 2: blocks", "cycles", "block slot");
    for (int slot = 0; slot < 4; ++slot) {
        Series row{"slot " + std::to_string(slot), "", {}, {}};
        for (int n = 0; n < 6; ++n)
            row.spans.push_back(
                {1000.0 * n + 100.0 * slot, 1000.0 * n + 950 + 100 * slot, "block " + std::to_string(4 * n + slot)});
        f.series.push_back(row);
    }
    return f;
}

inline Figure table() {
    Figure f = begun(FigureKind::table, "table", "Table 2", "", "program");
    f.categories = {"bfs", "fft", "lu"};
    f.series = {{"cycles", "", {1234567.0, 89.0, 4096.0}, {}}, {"share", "", {0.5, 0.0625, {}}, {}}};
    return f;
}

inline Page sample_page() {
    Page page;
    page.title = "A sample of every kind of figure";
    page.introduction = {"The numbers of this page are made up: it is there to be looked at."};
    page.facts = {{"machine", "lwm11"}, {"heddle", "0.1.0 (0123456789ab)"}, {"program", kHostile}};
    Figure hostile = grouped_bars();
    hostile.id = hostile.title = hostile.caption = hostile.unit = hostile.category = kHostile;
    hostile.categories = {kHostile, "\xFF\x01"};
    hostile.means = 0;
    hostile.series = {{kHostile, "", {1.0, 2.0}, {}}};
    hostile.remarks = {kHostile};
    PageTable settings{"settings", "Settings", "", {"key", "value", "from"}, {}, 0, true};
    settings.rows = {{{"core.width", {}}, {"", 32}, {"machines/lwm11.toml:7", {}}},
                     {{"core.formation", {}}, {"pdom", {}}, {kHostile, {}}}};
    page.sections = {{"bars", "Bars", {"Bars come in groups and in stacks."}, {}, {}},
                     {"sweeps", "Sweeps and times", {}, {}, {}},
                     {"rest", "Tables", {}, {settings}, {}}};
    page.sections[0].figures = {grouped_bars(), stacked_bars(), utilisation()};
    page.sections[1].figures = {sweep(), over_time(), heat_map(), spans(), one_point(), one_bar()};
    page.sections[2].figures = {table(), hostile};
    return page;
}

} // namespace heddle::report::test
