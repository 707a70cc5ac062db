// The parts of a RESULT.json for the terminal tables, read from its text: the run may have been another process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/types.h"
#include "report/machine_facts.h"
#include "report/profile/hottest.h"
#include "report/views.h"

namespace heddle::report {

struct CountsSummary {
    std::uint64_t cycles = 0, warp_instructions = 0, thread_instructions = 0;
    double ipc = 0;
    std::vector<std::uint64_t> active_lanes;
    std::vector<std::pair<std::string, std::uint64_t>> stalls; // slots by cause

    // Issue slots, used or not.
    [[nodiscard]] std::uint64_t slots() const;
    // Mean share of the machine's lanes that are active in the slots that carry an instruction, 0 to 1.
    [[nodiscard]] double lane_utilisation() const;
};

// Counters of timed launches, of all SMs together; 0 where the machine does not count it.
struct Traffic {
    std::uint64_t warp_cycles = 0, occupied_cycles = 0; // resident warps over the cycles, and cycles with any
    std::uint64_t branches = 0, divergent_branches = 0; // conditional ones
    std::uint64_t accesses = 0;                         // instructions through a cache
    std::uint64_t bytes = 0;                            // that threads accessed in the data cache
    std::uint64_t lines = 0, constant_lines = 0, texture_lines = 0; // look-ups: all of the unit, and those of a kind
    std::uint64_t shared_accesses = 0, shared_cycles = 0, private_cycles = 0;
    std::uint64_t l2_requests = 0, dram_bytes = 0;
    std::vector<std::uint64_t> pipe_busy; // by name of the pipe

    [[nodiscard]] std::uint64_t data_lines() const {
        const std::uint64_t others = constant_lines + texture_lines;
        return lines > others ? lines - others : 0;
    }
};

struct KernelSummary { // all launches of a kernel
    std::string name;
    Dim3 grid, block;       // of the first launch
    bool same_shape = true; // all launches have this grid and block
    std::uint64_t launches = 0, timed_launches = 0;
    std::uint32_t registers = 0;
    std::uint32_t blocks_per_sm = 0;
    std::string limited_by;
    CountsSummary counts;
    Traffic traffic;
};

struct DegreesOverTime {
    std::uint64_t interval = 0;                   // cycles of a row
    std::vector<std::vector<std::uint64_t>> rows; // divergent accesses by the threads that missed
};

struct Summary {
    std::string program;                       // the name of its file; empty in results of older versions
    std::string machine, formation, scheduler; // the policies are empty where the machine has no such key
    MachineFacts facts;
    std::string status, error;
    std::vector<KernelSummary> kernels; // in the order of their first launch
    std::size_t checks = 0;             // errors that the checker has found
    CountsSummary totals;
    std::vector<std::pair<std::string, double>> shares; // the declared shares that the result holds: "dcache.hit_rate"
    std::optional<DivergenceRates> divergence;          // nothing where no core looked at it
    std::optional<DegreesOverTime> over_time;           // nothing where no core looked at divergence
    double wall_seconds = 0, warp_instructions_per_second = 0;
    unsigned host_threads = 1;
    std::uint64_t peak_rss_bytes = 0;
    std::vector<HotLine> hottest; // of a run with --profile, by issue slots
};

// "stopped at the limit of cycles: these are the results up to there"; empty for a complete run.
[[nodiscard]] std::string_view ending(const Summary&);

// Throws UserError when the text is not a RESULT.json of this layout.
[[nodiscard]] Summary read_summary(std::string_view json_text);
// The summary of a parsed document. Throws nlohmann::json::exception.
[[nodiscard]] Summary summary_of(const nlohmann::ordered_json&);

} // namespace heddle::report
