// A CUDA program on the simulator, as `run` and `compare` start it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "child.h"
#include "command.h"
#include "machine_options.h"
#include "processes.h"
#include "report/summary.h"

namespace heddle::cli {

// The program's first word. Throws UsageError when there is none.
[[nodiscard]] const std::string& require_program(const ProgramLine& program, const std::string& command);

// Throws UsageError when there are unknown words before `--`.
void refuse_extras(const CLI::App& command);

// Where a simulated program writes; empty: nothing of that kind.
struct SimulationFiles {
    std::string result, timeline, thread_traces;
};

// What is recorded of it, besides its results.
struct Recorded {
    std::optional<runtime::TimelineOptions> timeline;
    std::optional<runtime::ThreadTraceOptions> thread_traces;
};

// A child whose environment tells the CUDA runtime in `folder` what to simulate and where to write
// (docs/cuda-support.md). It still needs its program.
[[nodiscard]] ChildSpec simulated_program(const MachineOptions&, const LaunchOptions&, const Recorded&,
                                          const std::filesystem::path& folder, const SimulationFiles&, const Processes&,
                                          bool progress);

// The program's path and its arguments.
void set_program(ChildSpec&, std::vector<std::string> words, const std::filesystem::path& folder);

// The end of a run whose program printed to the terminal.
struct ProgramRun {
    Ending ending;
    report::Summary summary;  // of its results
    bool output_lost = false; // a file could not be written

    // The program's own exit status, unless it was stopped from outside or at a limit, or ended with status 0 after a
    // fault.
    [[nodiscard]] int exit_status(int at_a_limit) const;
};

// Runs the child to its end, and all processes that use the device; signals are passed on to them. Without a result:
// returns nothing, reports that on stderr, and sets `status` to the exit status of this process.
[[nodiscard]] std::optional<ProgramRun> run_to_end(const ChildSpec&, Processes&, const std::string& result,
                                                   int& status);

// The end of a run whose program's output went to a file.
struct FinishedRun {
    std::optional<report::Summary> summary; // empty: no results were written
    std::string failure;                    // reason; for a program, with its last lines of output

    // The run was stopped before its end.
    [[nodiscard]] bool partial() const;
};
// `result`: the file; `output`: what the program printed.
[[nodiscard]] FinishedRun finished_run(const std::string& program, const Ending&, const Processes&,
                                       const std::string& result, const std::string& output);
// Of a program that writes its result itself, as `heddle oracle` does. `result`: the text; empty when it wrote none.
using ReadSummary = report::Summary (*)(std::string_view);
[[nodiscard]] FinishedRun finished_tool(const std::string& program, const Ending&, ReadSummary,
                                        const std::string& result, const std::string& output);

} // namespace heddle::cli
