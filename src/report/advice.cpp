#include "report/advice.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "report/peak.h"
#include "report/table.h"

namespace heddle::report {

namespace {

constexpr double kBound = 0.8;    // of a peak: the kernel is bound by it
constexpr double kMuch = 0.1;     // of the slots: worth a sentence
constexpr double kFewWarps = 0.5; // of the warps that an SM holds
constexpr double kFewLanes = 0.6; // of the lanes
constexpr double kManyBytes = 2;  // bytes of the lines over the bytes that threads asked for
constexpr double kManyCycles = 2; // bank cycles of an access to shared memory

struct Advice {
    double share = 0; // of the kernel's time that it concerns
    std::string text;
};

struct Subject {
    const KernelSummary& kernel;
    const MachineFacts& machine;

    // Share of the slots with one of these causes.
    [[nodiscard]] double slots(std::initializer_list<std::string_view> causes) const {
        double sum = 0;
        for (const auto& [cause, n] : kernel.counts.stalls)
            if (std::find(causes.begin(), causes.end(), cause) != causes.end())
                sum += static_cast<double>(n);
        return sum / static_cast<double>(kernel.counts.slots());
    }
    [[nodiscard]] double waits_for_memory() const {
        return slots({"memory", "sb_memory", "sb_l1", "sb_llc", "sb_dram", "drain"});
    }
    [[nodiscard]] double load_store_is_full() const {
        return slots({"data_port", "pipe_ldst", "set_reserved", "mshr_full", "mshr_merge_full", "port_full"});
    }
};

std::optional<Advice> bound_by_a_peak(const Subject& of) {
    const std::vector<PeakShare> peaks = peak_shares(of.kernel, of.machine);
    const auto most =
        std::max_element(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) { return a.share < b.share; });
    if (most == peaks.end() || most->share < kBound)
        return std::nullopt;
    const bool of_memory = most->kind == PeakShare::Kind::Dram || most->kind == PeakShare::Kind::L2;
    return Advice{most->share,
                  fmt::format("{} is at {} of its peak and bounds the kernel: {}", most->name, percent(most->share),
                              of_memory ? "move fewer bytes, or use them again on the chip"
                                        : "only less work for it makes the kernel faster")};
}

std::optional<Advice> few_warps(const Subject& of) {
    const auto achieved = achieved_occupancy(of.kernel, of.machine),
               possible = possible_occupancy(of.kernel, of.machine);
    const double waits = of.waits_for_memory();
    if (!achieved || !possible || *achieved >= kFewWarps || waits < 2 * kMuch)
        return std::nullopt;
    // Fewer blocks were resident than fit.
    const bool few_blocks = *achieved < *possible / 2;
    const std::string why =
        few_blocks
            ? std::string("there are not enough blocks")
            : fmt::format("{} limit{} it{}", of.kernel.limited_by, of.kernel.limited_by == "shared memory" ? "s" : "",
                          of.kernel.limited_by == "registers" ? fmt::format(", {} a thread", of.kernel.registers)
                                                              : std::string());
    return Advice{waits, fmt::format("{} of the slots wait for memory at an occupancy of {} ({}): more resident warps "
                                     "would hide more of it",
                                     percent(waits), percent(*achieved), why)};
}

std::optional<Advice> few_lanes(const Subject& of) {
    const double lanes = of.kernel.counts.lane_utilisation();
    const auto width = static_cast<double>(of.kernel.counts.active_lanes.size() - 1);
    const double issued = of.slots({"issued"});
    const std::uint64_t threads = of.kernel.block.count();
    if (lanes >= kFewLanes || lanes == 0 || issued < kMuch / 2)
        return std::nullopt;
    const Traffic& traffic = of.kernel.traffic;
    const std::string why =
        static_cast<double>(threads) <= kFewLanes * width
            ? fmt::format("a block of {} threads does not fill a warp", threads)
        : traffic.divergent_branches != 0
            ? fmt::format("{} of the conditional branches divide a warp",
                          percent(static_cast<double>(traffic.divergent_branches) /
                                  static_cast<double>(std::max<std::uint64_t>(traffic.branches, 1))))
            : std::string("threads of a warp do not go the same way");
    return Advice{issued,
                  fmt::format("{:.1f} of {} lanes are active in an instruction: {}", lanes * width, width, why)};
}

std::optional<Advice> scattered_accesses(const Subject& of) {
    const Traffic& traffic = of.kernel.traffic;
    const double weight = of.waits_for_memory() + of.load_store_is_full();
    if (traffic.bytes == 0 || traffic.accesses == 0 || of.machine.l1_line == 0 || weight < kMuch)
        return std::nullopt;
    const auto line = static_cast<double>(of.machine.l1_line);
    const double lines = static_cast<double>(traffic.data_lines()) / static_cast<double>(traffic.accesses);
    const double moved = static_cast<double>(traffic.data_lines()) * line / static_cast<double>(traffic.bytes);
    if (moved < kManyBytes || lines < kManyBytes)
        return std::nullopt;
    return Advice{weight,
                  fmt::format("an access to memory touches {:.1f} lines of {} bytes, {:.1f} times the bytes that "
                              "its threads ask for: let neighbouring threads access neighbouring addresses",
                              lines, of.machine.l1_line, moved)};
}

std::optional<Advice> bank_conflicts(const Subject& of) {
    const Traffic& traffic = of.kernel.traffic;
    const auto cycles = static_cast<double>(traffic.shared_cycles);
    const double share =
        cycles / static_cast<double>(of.kernel.counts.cycles * std::max<std::uint64_t>(of.machine.sms, 1));
    if (traffic.shared_accesses == 0 || share < kMuch)
        return std::nullopt;
    const double mean = cycles / static_cast<double>(traffic.shared_accesses);
    if (mean <= kManyCycles)
        return std::nullopt;
    return Advice{share, fmt::format("an access to shared memory takes {:.1f} cycles of the banks, 1 without conflicts "
                                     "and with 4 bytes a thread; these cycles are {} of the kernel's",
                                     mean, percent(share))};
}

std::optional<Advice> waits_at_barriers(const Subject& of) {
    const double share = of.slots({"barrier"});
    if (share < kMuch)
        return std::nullopt;
    return Advice{share,
                  fmt::format("{} of the slots wait at a barrier: fewer barriers, warps with equal work, or more "
                              "blocks on an SM shorten that",
                              percent(share))};
}

std::optional<Advice> empty_sms(const Subject& of) {
    const double share = of.slots({"empty"});
    const std::uint64_t blocks = of.kernel.grid.count(), room = of.machine.sms * of.kernel.blocks_per_sm;
    if (share < kMuch || room == 0 || !of.kernel.same_shape)
        return std::nullopt;
    const std::string blocks_for_sms = fmt::format("{} block{} for {} SM{}", grouped(blocks), blocks == 1 ? "" : "s",
                                                   of.machine.sms, of.machine.sms == 1 ? "" : "s");
    if (blocks < of.machine.sms)
        return Advice{share,
                      fmt::format("{} of the slots are of SMs without a block: {}", percent(share), blocks_for_sms)};
    // Each SM had a block: what is empty lies behind the last block of an SM.
    return Advice{share,
                  fmt::format("{} of the slots are of SMs whose blocks have ended while others still run: {} with "
                              "room for {} each; blocks of equal work, or more and smaller ones, shorten that",
                              percent(share), blocks_for_sms, of.kernel.blocks_per_sm)};
}

constexpr std::optional<Advice> (*kRules[])(const Subject&) = {
    bound_by_a_peak, few_warps, few_lanes, scattered_accesses, bank_conflicts, waits_at_barriers, empty_sms,
};

} // namespace

std::vector<std::string> advice(const KernelSummary& kernel, const MachineFacts& machine, std::size_t most) {
    std::vector<std::string> out;
    if (kernel.counts.cycles == 0 || kernel.counts.slots() == 0)
        return out;
    std::vector<Advice> all;
    for (const auto rule : kRules)
        if (auto one = rule({kernel, machine}))
            all.push_back(std::move(*one));
    std::stable_sort(all.begin(), all.end(), [](const Advice& a, const Advice& b) { return a.share > b.share; });
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
        out.push_back(std::move(all[i].text));
    return out;
}

} // namespace heddle::report
