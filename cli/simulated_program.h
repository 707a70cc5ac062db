// A CUDA program on the simulator, as `run` and `compare` start it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "child.h"
#include "command.h"
#include "machine_options.h"
#include "report/summary.h"
#include "timeline_options.h"

namespace heddle::cli {

// The program's first word. Throws UsageError when there is none.
[[nodiscard]] const std::string& require_program(const ProgramLine& program, const std::string& command);

// Throws UsageError when there are unknown words before `--`.
void refuse_extras(const CLI::App& command);

// The absolute path of a result file, which can be written and does not exist: an old file is removed, so that it is
// not taken for the result of this run. Anything but a regular file is refused. Throws UsageError.
[[nodiscard]] std::string prepare_result_file(const std::string& path);
// Prepares the timeline's file, beside that of the results, in the same way; empty when there is to be none.
[[nodiscard]] std::string prepare_timeline_file(const TimelineOptions&, const std::string& result);

// The traces of threads that a program is to write, and their file; no file: none.
struct ThreadTraceFile {
    std::string file;
    runtime::ThreadTraceOptions record;
};

// A child whose environment tells the CUDA runtime in `folder` what to simulate and where to write `result`, the
// timeline and the threads' traces: HEDDLE_MACHINE, HEDDLE_SET (KEY=VALUE lines), HEDDLE_OPTIONS (JSON), HEDDLE_RESULT,
// HEDDLE_TIMELINE, HEDDLE_THREAD_TRACES. The words are left to the caller. Throws UsageError when the timeline's file
// cannot be written.
[[nodiscard]] ChildSpec simulated_program(const MachineOptions&, const LaunchOptions&, const TimelineOptions&,
                                          const std::filesystem::path& folder, const std::string& result, bool progress,
                                          const ThreadTraceFile& traces = {});

// The end of a run whose program printed to the terminal.
struct ProgramRun {
    Ending ending;
    report::Summary summary; // of its `result`

    // The program's own exit status, unless it was stopped from outside, or ended with status 0 after a fault.
    [[nodiscard]] int exit_status() const;
};

// Runs the child to its end; signals are passed on to it. Without a result: returns nothing, reports that on stderr,
// and sets `status` to the exit status of this process.
[[nodiscard]] std::optional<ProgramRun> run_to_end(const ChildSpec&, const std::string& result, int& status);

// The reason for a missing result: "PROGRAM ended with exit status 0 without results: ...".
[[nodiscard]] std::string missing_result(const std::string& program, const Ending& ending);

// The end of a run whose program's output went to a file.
struct FinishedRun {
    std::optional<report::Summary> summary; // empty: no results were written
    std::string failure;                    // reason; for a program, with its last lines of output

    // The run was stopped before its end.
    [[nodiscard]] bool partial() const;
};
using ReadSummary = report::Summary (*)(std::string_view);
[[nodiscard]] FinishedRun finished_run(const std::string& program, const Ending&, const std::filesystem::path& result,
                                       const std::filesystem::path& output, ReadSummary = report::read_summary);

} // namespace heddle::cli
