// The results of a run as plain data: the runtime fills them in, report/json.h writes them as RESULT.json.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"
#include "config/parameter.h"
#include "config/plugins.h"
#include "probe/miss_intervals.h"
#include "probe/timeline.h"
#include "report/profile.h"
#include "stats/snapshot.h"

namespace heddle::report {

// Issue slots by cause (probe::Slot), in the order of the stall taxonomy.
using Stalls = std::vector<std::pair<std::string, std::uint64_t>>;

// Counters of one launch of a kernel, or sums over launches.
struct Counts {
    Cycle cycles = 0;                        // 0 when the launch was not timed
    std::uint64_t warp_instructions = 0;     // issue slots that carried an instruction
    std::uint64_t thread_instructions = 0;   // threads whose guard was true, over all instructions
    std::vector<std::uint64_t> active_lanes; // issue slots by number of active lanes, 0 to the machine's width
    Stalls stalls;
    stats::Snapshot stats;

    // Thread instructions a cycle; 0 without cycles.
    [[nodiscard]] double ipc() const;
    Counts& operator+=(const Counts&);
};

struct KernelResult {
    std::string name; // as the PTX says it
    Dim3 grid, block;
    std::uint32_t registers = 0;     // 32-bit registers a thread
    std::uint32_t blocks_per_sm = 0; // that can be resident at once
    std::string limited_by;          // the limiting resource: "threads", "blocks", "registers", "shared memory"
    bool timed = true;               // false: executed functionally, not on the simulated clock
    Counts counts;                   // of a launch that was stopped: up to there
    Cycle start = 0;                 // on the clock of the run, when it was timed
    std::uint64_t shared_bytes = 0;  // of shared memory a block, static and dynamic
    Dim3 cluster{0, 0, 0};           // blocks of a cluster; zero: a launch without clusters
    std::optional<std::size_t> parent = std::nullopt; // the launch whose grid has launched this one, by its number
};

enum class Status {
    Complete,
    Interrupted, // stopped on request
    MaxCycles,   // stopped at a limit
    MaxInstructions,
    Failed, // see RunResult::error
};

// Where a thread did something that a check names.
struct CheckedPlace {
    std::string where;  // "k.ptx:34:2 (k.cu:3)"
    std::string ptx;    // the instruction; empty where it is not known
    std::string action; // "write", "atomic access", "exit" ...
    Dim3 block, thread;
};

// An error that the checker has found, with the number of its occurrences (docs/checker.md).
struct CheckResult {
    std::string check; // the name of --check: "races"
    std::string text;  // the report, lines as on standard error
    std::uint64_t count = 0;
    std::string kernel; // of the first one; empty: none
    std::uint64_t launch = 0;
    std::string memory; // "shared", "global", "local"; empty: none
    Address address = 0;
    std::uint64_t bytes = 0;
    std::string allocation; // that holds the address, or was not freed; empty: none
    std::uint64_t offset = 0;
    std::optional<CheckedPlace> first, second; // in the order of execution
};

struct HostResult {          // the host's part: only this differs between two equal runs
    double wall_seconds = 0; // in launches
    std::uint64_t peak_rss_bytes = 0;
    unsigned threads = 1; // host threads that share the simulation
};

struct RunResult {
    std::string machine;
    std::map<std::string, config::Value, std::less<>> config; // Machine::values()
    std::vector<KernelResult> kernels;                        // in launch order
    Status status = Status::Complete;
    std::string error; // of Status::Failed
    HostResult host;
    std::vector<config::Plugin> plugins = {};             // that were loaded
    std::optional<std::vector<CheckResult>> checks{};     // nothing: the run was not checked
    std::vector<const probe::Timeline*> timelines = {};   // by SM; empty: none were recorded
    std::optional<probe::MissIntervals> miss_intervals{}; // of all SMs; nothing where cores do not look at divergence
    std::string program = {};                             // the name of its file; empty: not known
    std::optional<Profile> profile{};                     // nothing where none was asked for

    // Sums over all launches, timed or not: the instructions behind wall_seconds.
    [[nodiscard]] std::uint64_t executed_warp_instructions() const;
    // Sum over the launches that were timed; over all of them when none was. Instructions without simulated time must
    // not raise the IPC.
    [[nodiscard]] Counts totals() const;
};

// Of this build: "0.1.0", "d0a1b2c3e4f5" (the source revision; "unknown" outside a repository).
[[nodiscard]] std::string_view version();
[[nodiscard]] std::string_view commit();

} // namespace heddle::report
