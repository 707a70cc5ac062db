#include <fmt/format.h>

#include "report/kernels.h"
#include "report/table.h"
#include "report/tables.h"
#include "report/views.h"

namespace heddle::report {

namespace {

constexpr std::size_t kKernelsShown = 12;

std::vector<std::string> kernel_row(const std::string& name, std::uint64_t launches, bool timed, std::string registers,
                                    std::string blocks, const CountsSummary& c) {
    const auto when_timed = [&](std::string text) { return timed ? std::move(text) : std::string("-"); };
    return {name,
            grouped(launches),
            std::move(registers),
            std::move(blocks),
            when_timed(grouped(c.cycles)),
            grouped(c.warp_instructions),
            grouped(c.thread_instructions),
            when_timed(fmt::format("{:.3f}", c.ipc)),
            c.slots() == 0 ? "-" : percent(c.lane_utilisation())};
}

// The kernels that took most time, the longest first.
std::string kernel_table(const Summary& run) {
    const std::vector<const KernelSummary*> order = longest_first(run.kernels);
    Table table;
    table.column("kernel", Table::Align::Left);
    for (const char* heading :
         {"launches", "registers", "blocks an SM", "cycles", "warp instr.", "thread instr.", "IPC", "lanes used"})
        table.column(heading);
    std::uint64_t launches = 0, timed = 0;
    std::size_t shown = 0;
    for (const KernelSummary* kernel : order) {
        launches += kernel->launches;
        timed += kernel->timed_launches;
        if (shown++ < kKernelsShown)
            table.row(kernel_row(short_name(kernel->name), kernel->launches, kernel->timed_launches > 0,
                                 fmt::format("{}", kernel->registers),
                                 fmt::format("{} ({})", kernel->blocks_per_sm, kernel->limited_by), kernel->counts));
    }
    if (order.size() > kKernelsShown)
        table.row({fmt::format("... {} more", order.size() - kKernelsShown)});
    if (order.size() != 1)
        table.row(kernel_row("all", launches, timed > 0, "", "", run.totals));
    return table.render();
}

std::string policies(const Summary& run) {
    std::string out;
    if (!run.formation.empty())
        out += ", formation " + run.formation;
    if (!run.scheduler.empty())
        out += ", scheduler " + run.scheduler;
    return out;
}

std::string slot_shares(const CountsSummary& counts, const Stalls& stalls) {
    std::string out;
    const std::uint64_t slots = counts.slots();
    if (slots == 0)
        return out;
    for (const auto& [cause, n] : stalls)
        if (n != 0)
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", cause,
                               percent(static_cast<double>(n) / static_cast<double>(slots)));
    return out;
}

// DWF07 Figure 16 in a line.
std::string size_shares(const CountsSummary& counts) {
    std::string out;
    for (const WarpSizes& range : warp_sizes(counts.active_lanes, counts.stalls))
        if (range.slots != 0)
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", range.range,
                               percent(static_cast<double>(range.slots) / static_cast<double>(counts.slots())));
    return out;
}

std::string classification(const CountsSummary& counts) {
    const Classification c = classify(counts.active_lanes, counts.cycles != 0);
    std::string out;
    if (c.idle)
        out += fmt::format("idle intensity {} ({} of the slots), ", intensity_name(*c.idle), percent(c.idle_share));
    if (c.branch)
        out += fmt::format("branch intensity {} (mean {:.1f} of {} threads)", intensity_name(*c.branch),
                           c.mean_active_threads, counts.active_lanes.size() - 1);
    return out;
}

} // namespace

std::string run_table(const Summary& run) {
    std::string out = fmt::format("machine {}{}\n", run.machine, policies(run));
    if (const std::string_view how = ending(run); !how.empty())
        out += fmt::format("{}\n", how);
    if (run.kernels.empty())
        return out + "no kernel was launched\n";
    out += kernel_table(run);
    if (const std::string text = slot_shares(run.totals, run.totals.stalls); !text.empty())
        out += fmt::format("issue slots: {}\n", text);
    if (const std::string text = slot_shares(run.totals, stall_classes(run.totals.stalls)); !text.empty())
        out += fmt::format("classes (PRO II.B): {}\n", text);
    if (const std::string text = size_shares(run.totals); !text.empty() && run.totals.cycles != 0)
        out += fmt::format("lanes: {}\n", text);
    if (const std::string text = classification(run.totals); !text.empty())
        out += fmt::format("class (LWM10 Table 2): {}\n", text);
    if (const auto& d = run.divergence)
        out += fmt::format("a million cycles of an SM (MAWS Table 2): {:.0f} non-loop conditional branches, {:.0f} "
                           "divergent conditional branches, {:.0f} SIMD cache misses, {:.0f} divergent accesses\n",
                           d->non_loop_branches, d->divergent_branches, d->cache_misses, d->divergent_accesses);
    std::string rates;
    for (const auto& [name, value] : run.shares)
        rates += fmt::format("{}{} {}", rates.empty() ? "" : ", ", name, percent(value));
    if (!rates.empty() && run.totals.cycles != 0)
        out += fmt::format("rates: {}\n", rates);
    out += fmt::format("simulated {} warp instructions in {:.2f} s{}: {}/s; peak memory {} MB\n",
                       scaled(static_cast<double>(run.totals.warp_instructions)), run.wall_seconds,
                       run.host_threads > 1 ? fmt::format(" on {} host threads", run.host_threads) : "",
                       scaled(run.warp_instructions_per_second), run.peak_rss_bytes / 1000000);
    return out;
}

} // namespace heddle::report
