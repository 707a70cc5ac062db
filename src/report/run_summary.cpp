#include "report/run_summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "probe/slot.h"
#include "report/advice.h"
#include "report/kernels.h"
#include "report/peak.h"
#include "report/table.h"
#include "report/tables.h"
#include "report/text.h"

namespace heddle::report {

namespace {

constexpr std::size_t kKernelsShown = 5;
constexpr std::size_t kAdvice = 2; // sentences for a kernel

// "256 x 2".
std::string shape(Dim3 d) {
    std::string out = grouped(d.x);
    if (d.y != 1 || d.z != 1)
        out.append(" x ").append(grouped(d.y));
    if (d.z != 1)
        out.append(" x ").append(grouped(d.z));
    return out;
}

// "12,345.6".
std::string tenths(double value) {
    const auto n = static_cast<std::uint64_t>(10 * value + 0.5);
    return fmt::format("{}.{}", grouped(n / 10), n % 10);
}

std::string machine_line(const Summary& run, bool is_default) {
    std::string out = fmt::format("machine {}{}", run.machine, is_default ? " (default; -m NAME selects another)" : "");
    if (!run.formation.empty())
        out += ", formation " + run.formation;
    if (!run.scheduler.empty())
        out += ", scheduler " + run.scheduler;
    return wrapped(out);
}

// "38.2 µs, 26,755 cycles, IPC 12.3"; the instructions where nothing was timed.
std::string cost(const CountsSummary& counts, const MachineFacts& machine) {
    if (counts.cycles == 0)
        return fmt::format("not timed, {}, {}", counted(counts.warp_instructions, "warp instruction"),
                           counted(counts.thread_instructions, "thread instruction"));
    std::string out;
    if (const double time = machine.time(counts.cycles); time != 0)
        out = fmt::format("{} µs, ", tenths(time));
    return out + fmt::format("{}, IPC {:.1f}", counted(counts.cycles, "cycle"), counts.ipc);
}

std::string launches_of(const KernelSummary& kernel) {
    std::string out = counted(kernel.launches, "launch");
    if (kernel.timed_launches != 0 && kernel.timed_launches != kernel.launches)
        out += fmt::format(" ({} timed)", grouped(kernel.timed_launches));
    return out + fmt::format(", grid {}, block {}{}", shape(kernel.grid), shape(kernel.block),
                             kernel.same_shape ? "" : " (the first)");
}

std::string occupancy_line(const KernelSummary& kernel, const MachineFacts& machine) {
    const auto achieved = achieved_occupancy(kernel, machine), possible = possible_occupancy(kernel, machine);
    if (!achieved || !possible)
        return "";
    const std::uint64_t warps = (kernel.block.count() + machine.width - 1) / machine.width;
    return wrapped(fmt::format("{} of {} warps, {} possible: {} of {}, by the {} of an SM", percent(*achieved),
                               machine.warps, percent(*possible), counted(kernel.blocks_per_sm, "block"),
                               counted(warps, "warp"), kernel.limited_by),
                   "  occupancy  ");
}

std::string lanes_line(const CountsSummary& counts) {
    const double share = counts.lane_utilisation();
    if (share == 0)
        return "";
    const std::size_t width = counts.active_lanes.size() - 1;
    return fmt::format("  lanes      {:.1f} of {} active in an instruction ({})\n", share * static_cast<double>(width),
                       width, percent(share));
}

std::string share_line(std::string_view what, double share, const std::string& note) {
    return fmt::format("    {:<38}{:>8}{}{}\n", what, percent(share), note.empty() ? "" : "  ", note);
}

// The largest first.
std::string cause_lines(const CountsSummary& counts) {
    const std::uint64_t slots = counts.slots();
    if (slots == 0 || counts.cycles == 0)
        return "";
    Stalls causes = counts.stalls;
    std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string out;
    for (const auto& [cause, n] : causes) {
        const double share = static_cast<double>(n) / static_cast<double>(slots);
        if (share < kLeastShare)
            break;
        out += share_line(probe::words_of(cause), share, cause == "issued" ? "" : fmt::format("({})", cause));
    }
    return out.empty() ? out : "  issue slots\n" + out;
}

std::string peak_lines(const KernelSummary& kernel, const MachineFacts& machine) {
    std::string out;
    for (const PeakShare& peak : peak_shares(kernel, machine))
        out += share_line(peak.name, peak.share,
                          peak.most == 0 ? "" : fmt::format("{} of {} GB/s", tenths(peak.rate), tenths(peak.most)));
    return out.empty() ? out : "  share of the machine's peak\n" + out;
}

// `all`: cycles of all kernels.
std::string kernel_lines(const KernelSummary& kernel, const MachineFacts& machine, std::uint64_t all) {
    std::string heading = short_name(kernel.name);
    if (kernel.counts.cycles != 0 && kernel.counts.cycles != all)
        heading += fmt::format("  {} of the time",
                               percent(static_cast<double>(kernel.counts.cycles) / static_cast<double>(all)));
    std::string out = wrapped(heading) + wrapped(launches_of(kernel), "  ") +
                      wrapped(cost(kernel.counts, machine), "  ") + occupancy_line(kernel, machine) +
                      lanes_line(kernel.counts) + cause_lines(kernel.counts) + peak_lines(kernel, machine);
    for (const std::string& sentence : advice(kernel, machine, kAdvice))
        out += wrapped(sentence, "  > ");
    return out;
}

std::string kernels_lines(const Summary& run) {
    const std::vector<const KernelSummary*> order = longest_first(run.kernels);
    std::string out;
    if (order.size() > 1)
        out += wrapped(fmt::format("{}, {}: {}", counted(order.size(), "kernel"), counted(launches(run), "launch"),
                                   cost(run.totals, run.facts)));
    std::uint64_t rest = 0;
    for (std::size_t k = 0; k < order.size(); ++k)
        if (k < kKernelsShown)
            out.append("\n").append(kernel_lines(*order[k], run.facts, run.totals.cycles));
        else
            rest += order[k]->counts.cycles;
    if (order.size() > kKernelsShown)
        out += fmt::format("\nand {} more{} (--view kernels)\n", order.size() - kKernelsShown,
                           run.totals.cycles == 0
                               ? std::string()
                               : fmt::format(", {} of the time", percent(static_cast<double>(rest) /
                                                                         static_cast<double>(run.totals.cycles))));
    return out;
}

std::string hottest_lines(const Summary& run) {
    std::string out;
    for (const HotLine& line : run.hottest) {
        out += wrapped(fmt::format("{:>6}  {}: {}{} in {} of it{}", percent(line.share), line.place, line.words,
                                   line.cause == "issued" ? "" : fmt::format(" ({})", line.cause),
                                   percent(line.cause_share),
                                   line.producer.empty() ? "" : fmt::format(", for {}", line.producer)),
                       "  ");
        if (!line.text.empty())
            out += cut(fmt::format("            {}", line.text), kTextWidth) + "\n";
    }
    return out.empty() ? out : fmt::format("\nhottest lines, by their share of the issue slots\n{}", out);
}

} // namespace

std::string run_summary(const Summary& run, bool is_default) {
    std::string out = machine_line(run, is_default);
    if (const std::string_view how = ending(run); !how.empty())
        out += fmt::format("{}\n", how);
    if (run.kernels.empty())
        return out + "no kernel was launched\n";
    return out + kernels_lines(run) + hottest_lines(run) + "\n" +
           wrapped(fmt::format("simulated {} warp instructions in {:.2f} s{}: {}/s; peak memory {} MB",
                               scaled(static_cast<double>(run.totals.warp_instructions)), run.wall_seconds,
                               run.host_threads > 1 ? fmt::format(" on {} host threads", run.host_threads) : "",
                               scaled(run.warp_instructions_per_second), run.peak_rss_bytes / 1000000));
}

} // namespace heddle::report
