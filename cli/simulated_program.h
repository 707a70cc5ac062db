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

// Throws UsageError when words were left over before `--`.
void refuse_extras(const CLI::App& command);

// The absolute path of a result file that can be written and does not exist yet: an old one is removed, so that it
// is not taken for this run's; what is no ordinary file is refused. Throws UsageError.
[[nodiscard]] std::string prepare_result_file(const std::string& path);
// The same of the timeline's file, beside that of the results; empty when none is asked for.
[[nodiscard]] std::string prepare_timeline_file(const TimelineOptions&, const std::string& result);

// What a program is to keep of its threads, and the file for it; none when empty.
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

// What came of a run whose program printed to the terminal.
struct ProgramRun {
    Ending ending;
    report::Summary summary; // of its `result`

    // The program's own exit status, unless it was stopped from outside or ended well in spite of a fault.
    [[nodiscard]] int exit_status() const;
};

// Runs the child to its end; signals are passed on to it. Without a result: nothing, said on stderr, and `status` is
// what to exit with.
[[nodiscard]] std::optional<ProgramRun> run_to_end(const ChildSpec&, const std::string& result, int& status);

// Why there may be no result: "PROGRAM ended with exit status 0 without results: ...".
[[nodiscard]] std::string missing_result(const std::string& program, const Ending& ending);

// What came of a run whose program's output went to a file.
struct FinishedRun {
    std::optional<report::Summary> summary; // where results were written
    std::string failure;                    // why they do not count; of a program, with the last lines of its output

    // Stopped before its end: its numbers go only up to there.
    [[nodiscard]] bool partial() const;
};
using ReadSummary = report::Summary (*)(std::string_view);
[[nodiscard]] FinishedRun finished_run(const std::string& program, const Ending&, const std::filesystem::path& result,
                                       const std::filesystem::path& output, ReadSummary = report::read_summary);

} // namespace heddle::cli
