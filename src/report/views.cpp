#include "report/views.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "probe/slot.h"

namespace heddle::report {

namespace {

constexpr std::size_t kRanges = 8;

// Slots in which an instruction from memory wrote back in the pipeline's place (probe::Slot::WriteBack).
std::uint64_t stalled_slots(const Stalls& stalls) {
    const auto at = std::find_if(stalls.begin(), stalls.end(), [](const auto& s) { return s.first == "write_back"; });
    return at == stalls.end() ? 0 : at->second;
}

// A value that is neither below `low` nor above `high` is medium: so are both thresholds (LWM10 5).
Intensity between(std::uint64_t value, std::uint64_t low, std::uint64_t high) {
    return value < low ? Intensity::Low : value > high ? Intensity::High : Intensity::Medium;
}

} // namespace

std::vector<WarpSizes> warp_sizes(std::span<const std::uint64_t> active_lanes, const Stalls& stalls) {
    if (active_lanes.empty())
        return {};
    const std::uint64_t stalled = std::min(stalled_slots(stalls), active_lanes[0]);
    std::vector<WarpSizes> out{{"stall", stalled}, {"W0", active_lanes[0] - stalled}};
    const std::size_t width = active_lanes.size() - 1;
    const std::size_t step = std::max<std::size_t>(1, width / kRanges);
    for (std::size_t first = 1; first <= width; first += step) {
        const std::size_t last = std::min(first + step - 1, width);
        const auto begin = active_lanes.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = active_lanes.begin() + static_cast<std::ptrdiff_t>(last) + 1;
        out.push_back({first == last ? fmt::format("W{}", first) : fmt::format("W{}-{}", first, last),
                       std::accumulate(begin, end, std::uint64_t{0})});
    }
    return out;
}

Stalls stall_classes(const Stalls& stalls) {
    Stalls out{{"issued", 0}, {"idle", 0}, {"scoreboard", 0}, {"pipeline", 0}, {"unoccupied", 0}}; // as SlotClass
    for (const auto& [cause, slots] : stalls)
        for (const probe::SlotInfo& info : probe::kSlots)
            if (info.name == cause)
                out[static_cast<std::size_t>(info.kind)].second += slots;
    return out;
}

std::string_view intensity_name(Intensity intensity) {
    switch (intensity) {
    case Intensity::Low:
        return "low";
    case Intensity::Medium:
        return "medium";
    case Intensity::High:
        return "high";
    }
    return "";
}

Classification classify(std::span<const std::uint64_t> active_lanes, bool timed) {
    Classification out;
    if (active_lanes.empty())
        return out;
    const std::uint64_t width = active_lanes.size() - 1, idle = active_lanes[0];
    std::uint64_t carried = 0, threads = 0;
    for (std::size_t lanes = 1; lanes <= width; ++lanes) {
        carried += active_lanes[lanes];
        threads += lanes * active_lanes[lanes];
    }
    const std::uint64_t slots = idle + carried;
    if (timed && slots != 0) { // idle / slots against 20 % and 40 %
        out.idle_share = static_cast<double>(idle) / static_cast<double>(slots);
        out.idle = between(5 * idle, slots, 2 * slots);
    }
    if (carried !=
        0) { // threads / carried against 20 / 32 and 30 / 32 of the width: few active threads, much branching
        out.mean_active_threads = static_cast<double>(threads) / static_cast<double>(carried);
        const std::uint64_t lanes = width * carried;
        const Intensity fullness = between(32 * threads, 20 * lanes, 30 * lanes);
        out.branch = fullness == Intensity::High  ? Intensity::Low
                     : fullness == Intensity::Low ? Intensity::High
                                                  : Intensity::Medium;
    }
    return out;
}

std::optional<DivergenceRates> divergence_rates(const stats::Snapshot& stats) {
    const auto& fields = stats.fields();
    const auto watched = [](const stats::Field& field) { return field.name == "divergence.missed"; };
    const std::uint64_t cycles = stats.counter("core.cycles"); // summed over the SMs
    if (cycles == 0 || std::none_of(fields.begin(), fields.end(), watched))
        return {};
    const auto rate = [&](std::string_view counter) {
        return static_cast<double>(stats.counter(counter)) * 1e6 / static_cast<double>(cycles);
    };
    return DivergenceRates{rate("core.non_loop_branches"), rate("core.divergent_branches"), rate("divergence.missed"),
                           rate("divergence.divergent")};
}

} // namespace heddle::report
