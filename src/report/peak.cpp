#include "report/peak.h"

#include <fmt/format.h>

namespace heddle::report {

namespace {

using Kind = PeakShare::Kind;

// `bytes` of the launches, `most` bytes in a cycle.
void add_bandwidth(std::vector<PeakShare>& out, Kind kind, const char* name, double bytes, double most,
                   const KernelSummary& kernel, const MachineFacts& machine) {
    if (most == 0)
        return;
    const double rate = bytes / static_cast<double>(kernel.counts.cycles); // bytes a cycle
    const double to_gigabytes = machine.mhz / 1000;                        // a second
    out.push_back({kind, name, rate / most, rate * to_gigabytes, most * to_gigabytes});
}

} // namespace

std::vector<PeakShare> peak_shares(const KernelSummary& kernel, const MachineFacts& machine) {
    std::vector<PeakShare> out;
    const CountsSummary& counts = kernel.counts;
    if (counts.cycles == 0 || counts.slots() == 0)
        return out;
    const auto share = [](std::uint64_t part, double of) { return of == 0 ? 0 : static_cast<double>(part) / of; };
    out.push_back({Kind::Issue, "issue slots",
                   share(counts.slots() - counts.active_lanes[0], static_cast<double>(counts.slots()))});
    const auto sm_cycles = static_cast<double>(counts.cycles * machine.sms);
    if (machine.sms == 0)
        return out;
    const Traffic& traffic = kernel.traffic;
    for (std::size_t p = 0; p < machine.pipes.size() && p < traffic.pipe_busy.size(); ++p)
        out.push_back({Kind::Pipe, "pipe " + machine.pipes[p].name,
                       share(traffic.pipe_busy[p], sm_cycles * static_cast<double>(machine.pipes[p].units))});
    if (machine.l1_bytes != 0) { // a look-up, or a cycle of the banks of an on-chip memory, takes the unit for a cycle
        out.push_back({Kind::LoadStore, "load/store unit",
                       share(traffic.lines + traffic.shared_cycles + traffic.private_cycles, sm_cycles)});
        add_bandwidth(out, Kind::L1, "L1 bandwidth", static_cast<double>(traffic.data_lines() * machine.l1_line),
                      machine.l1_bytes, kernel, machine);
    }
    add_bandwidth(out, Kind::L2, "L2 bandwidth", static_cast<double>(traffic.l2_requests * machine.l2_line),
                  machine.l2_bytes, kernel, machine);
    add_bandwidth(out, Kind::Dram, "DRAM bandwidth", static_cast<double>(traffic.dram_bytes), machine.dram_bytes,
                  kernel, machine);
    return out;
}

std::optional<double> achieved_occupancy(const KernelSummary& kernel, const MachineFacts& machine) {
    const std::uint64_t cycles = kernel.traffic.occupied_cycles;
    if (cycles == 0 || machine.warps == 0)
        return std::nullopt;
    return static_cast<double>(kernel.traffic.warp_cycles) / static_cast<double>(cycles * machine.warps);
}

std::optional<double> possible_occupancy(const KernelSummary& kernel, const MachineFacts& machine) {
    if (machine.warps == 0)
        return std::nullopt;
    const std::uint64_t warps = (kernel.block.count() + machine.width - 1) / machine.width;
    return static_cast<double>(kernel.blocks_per_sm * warps) / static_cast<double>(machine.warps);
}

} // namespace heddle::report
