// The views of `heddle run --view NAME`.
#include <algorithm>

#include <fmt/format.h>

#include "base/source.h"
#include "base/suggest.h"
#include "report/heat_map.h"
#include "report/kernels.h"
#include "report/run_summary.h"
#include "report/table.h"
#include "report/text.h"
#include "report/views.h"

namespace heddle::report {

namespace {

// "idle 12.0 %, scoreboard 3.1 %": parts of the slots, without those that are 0.
std::string shares(const Stalls& parts, std::uint64_t slots) {
    std::string out;
    for (const auto& [name, n] : parts)
        if (n != 0)
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name,
                               percent(static_cast<double>(n) / static_cast<double>(slots)));
    return out.empty() ? "no launch was timed" : out;
}

std::string kernels_view(const Summary& run) {
    Table table;
    table.column("kernel", Table::Align::Left);
    for (const char* heading : {"launches", "registers", "blocks/SM", "warp instr.", "thread instr."})
        table.column(heading);
    for (const KernelSummary* kernel : longest_first(run.kernels))
        table.row({short_name(kernel->name, 40), grouped(kernel->launches), grouped(kernel->registers),
                   grouped(kernel->blocks_per_sm), grouped(kernel->counts.warp_instructions),
                   grouped(kernel->counts.thread_instructions)});
    return table.render();
}

std::string classes_view(const Summary& run) {
    return wrapped("slots by class (PRO II.B): " + shares(stall_classes(run.totals.stalls), run.totals.slots()));
}

std::string warp_sizes_view(const Summary& run) {
    Stalls parts;
    if (run.totals.cycles != 0)
        for (const WarpSizes& range : warp_sizes(run.totals.active_lanes, run.totals.stalls))
            parts.emplace_back(range.range, range.slots);
    return wrapped("active lanes of a cycle (DWF07 Figure 16): " + shares(parts, run.totals.slots()));
}

std::string intensity_view(const Summary& run) {
    const Classification c = classify(run.totals.active_lanes, run.totals.cycles != 0);
    std::string out;
    if (c.idle)
        out += fmt::format("idle intensity {} ({} of the slots)", intensity_name(*c.idle), percent(c.idle_share));
    if (c.branch)
        out += fmt::format("{}branch intensity {} (mean {:.1f} of {} threads)", out.empty() ? "" : ", ",
                           intensity_name(*c.branch), c.mean_active_threads, run.totals.active_lanes.size() - 1);
    return wrapped("class (LWM10 Table 2): " + (out.empty() ? "no instruction was executed" : out));
}

std::string divergence_view(const Summary& run) {
    const auto& d = run.divergence;
    return wrapped(
        "a million cycles of an SM (MAWS Table 2): " +
        (!d ? std::string("the cores of this machine do not look at divergent cache accesses (core.model = "
                          "'wpu' and core.formation = 'maws' do), or no launch was timed")
            : fmt::format("{:.0f} non-loop conditional branches, {:.0f} divergent conditional branches, {:.0f} "
                          "SIMD cache misses, {:.0f} divergent accesses",
                          d->non_loop_branches, d->divergent_branches, d->cache_misses, d->divergent_accesses)));
}

std::string rates_view(const Summary& run) {
    std::string out;
    if (run.totals.cycles != 0)
        for (const auto& [name, value] : run.shares)
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, percent(value));
    return wrapped("rates: " + (out.empty() ? "no launch was timed" : out));
}

constexpr View kViews[] = {
    {"kernels", "registers, blocks of an SM and instructions of each kernel", kernels_view},
    {"classes", "issue slots by the classes of PRO II.B", classes_view},
    {"warp-sizes", "cycles by the number of active lanes (DWF07 Figure 16)", warp_sizes_view},
    {"intensity", "idle and branch intensity (LWM10 Table 2)", intensity_view},
    {"divergence", "divergent branches and cache accesses (MAWS Table 2)", divergence_view},
    {"heat-map", "divergent cache accesses over time (MAWS Figure 2)", heat_map},
    {"rates", "hit rates and other shares of the statistics", rates_view},
};

} // namespace

std::span<const View> views() {
    return kViews;
}

const View& view_named(std::string_view name) {
    std::vector<std::string> names;
    for (const View& view : kViews) {
        if (view.name == name)
            return view;
        names.emplace_back(view.name);
    }
    throw UserError(
        fmt::format("there is no view '{}'; valid: {}{}", name, comma_list(names), did_you_mean(name, names)));
}

} // namespace heddle::report
