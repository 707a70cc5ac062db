// The papers' figures and tables of a run, from its issue slots and counters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/result.h"

namespace heddle::report {

// DWF07 Figure 16: the activity of the lanes in each cycle of an SM. "stall": an instruction from memory took the
// write-back stage, and nothing executed; "W0": nothing executed for any other reason; "W1-4" ... "W29-32": a slot of
// so many lanes executed. Eight equal ranges of lanes, or one range for each lane where the machine has eight or fewer.
// LWM11 Figures 1 and 9 draw these ranges, with "stall" and W0 together as idle.
struct WarpSizes {
    std::string range;
    std::uint64_t slots = 0;
};
// All ranges in the order above; they add up to the slots of `active_lanes`.
[[nodiscard]] std::vector<WarpSizes> warp_sizes(std::span<const std::uint64_t> active_lanes, const Stalls& stalls);

// PRO II.B: the slots of the stall taxonomy by class (probe::SlotClass): "issued", "idle", "scoreboard", "pipeline",
// "unoccupied".
[[nodiscard]] Stalls stall_classes(const Stalls& stalls);

enum class Intensity { Low, Medium, High };
[[nodiscard]] std::string_view intensity_name(Intensity); // "low"

// LWM10 5 and Table 2. The paper's machine has 32 lanes and its thresholds are numbers of threads; on another width
// they are these shares of the lanes (assumed).
struct Classification {
    double idle_share = 0;           // of the slots: no lane was active
    std::optional<Intensity> idle;   // nothing without timed cycles
    double mean_active_threads = 0;  // a slot that carried an instruction
    std::optional<Intensity> branch; // nothing without instructions
};
// `timed`: the slots are slots of cycles, idle slots included.
[[nodiscard]] Classification classify(std::span<const std::uint64_t> active_lanes, bool timed);

// MAWS Table 2: events in a million cycles of an SM, the mean over the SMs.
struct DivergenceRates {
    double non_loop_branches = 0;  // conditional branches that delimit no iterations of a loop
    double divergent_branches = 0; // conditional branches, of any kind, whose threads went both ways
    double cache_misses = 0;       // loads and stores with a thread that missed
    double divergent_accesses = 0; // loads and stores with a thread that missed and a thread that did not
};
// Nothing where no core looked at divergence, or nothing was timed.
[[nodiscard]] std::optional<DivergenceRates> divergence_rates(const stats::Snapshot& stats);

} // namespace heddle::report
