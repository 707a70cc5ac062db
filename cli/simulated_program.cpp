#include "simulated_program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>

#include "program_file.h"

namespace heddle::cli {

namespace fs = std::filesystem;

namespace {

// Settings of glibc: the state of an SM is spread over the heap, and with small pages the host waits for its own
// address translation (docs/architecture.md). Settings of the user have priority.
std::string allocator_settings() {
    constexpr const char* kHugePages = "glibc.malloc.hugetlb=1";
    const char* const own = std::getenv("GLIBC_TUNABLES");
    return own == nullptr || *own == '\0' ? kHugePages : fmt::format("{}:{}", kHugePages, own);
}

// The last lines of a program's output, indented.
std::string tail(const fs::path& output) {
    constexpr std::size_t kLines = 6;
    std::string text = read_file(output);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    std::size_t begin = text.size();
    for (std::size_t i = 0; i < kLines && begin != std::string::npos && begin > 0; ++i)
        begin = text.rfind('\n', begin - 1);
    text = begin == std::string::npos || begin == 0 ? text : text.substr(begin + 1);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out += "\n  " + text.substr(at, end - at);
        at = end + 1;
    }
    return out;
}

} // namespace

const std::string& require_program(const ProgramLine& program, const std::string& command) {
    if (program.words.empty())
        throw UsageError(fmt::format("which program? Write heddle {} [OPTIONS] -- PROGRAM [ARGS]", command));
    return program.words.front();
}

void refuse_extras(const CLI::App& command) {
    const std::vector<std::string> extras = command.remaining();
    if (extras.empty())
        return;
    if (extras.front().starts_with('-'))
        throw UsageError(
            fmt::format("unknown option {0}; `heddle {1} --help` lists them, and options of the program itself stand "
                        "after --",
                        extras.front(), command.get_name()));
    throw UsageError(fmt::format("'{0}' is not expected; the program stands after --: heddle {1} [OPTIONS] -- {0}",
                                 extras.front(), command.get_name()));
}

std::string prepare_result_file(const std::string& path) {
    const fs::path absolute = fs::absolute(path);
    std::error_code error;
    if (fs::is_directory(absolute, error))
        throw UsageError(fmt::format("{}: a folder; name a file for the results", path));
    if (fs::exists(absolute, error) && !fs::is_regular_file(absolute, error)) // /dev/full must not be removed
        throw UsageError(fmt::format("{}: not an ordinary file; name one for the results", path));
    if (!fs::is_directory(absolute.parent_path(), error))
        throw UsageError(fmt::format("{}: there is no folder {}", path, absolute.parent_path().string()));
    if (access(absolute.parent_path().c_str(), W_OK) != 0)
        throw UsageError(fmt::format("{}: the folder cannot be written to", path));
    fs::remove(absolute, error);
    if (error)
        throw UsageError(fmt::format("{}: the old file cannot be replaced: {}", path, error.message()));
    return absolute.string();
}

std::string prepare_timeline_file(const TimelineOptions& timeline, const std::string& result) {
    if (timeline.file.empty())
        return {};
    std::string path = prepare_result_file(timeline.file);
    if (fs::path(path).lexically_normal() == fs::path(result).lexically_normal())
        throw UsageError(fmt::format("{}: the results and the time line cannot go to the same file", timeline.file));
    return path;
}

ChildSpec simulated_program(const MachineOptions& machine, const LaunchOptions& launches,
                            const TimelineOptions& timeline, const fs::path& folder, const std::string& result,
                            bool progress, const ThreadTraceFile& traces) {
    const auto kept = traces.file.empty() ? std::nullopt : std::optional(traces.record);
    return {{},
            {{"LD_LIBRARY_PATH", library_path(folder)},
             {"GLIBC_TUNABLES", allocator_settings()},
             {"HEDDLE_MACHINE", machine.portable_machine()},
             {"HEDDLE_SET", fmt::format("{}", fmt::join(machine.settings, "\n"))},
             {"HEDDLE_OPTIONS", launches.to_json(progress, timeline.recorded(), kept)},
             {"HEDDLE_RESULT", result},
             {"HEDDLE_TIMELINE", prepare_timeline_file(timeline, result)},
             {"HEDDLE_THREAD_TRACES", traces.file}},
            ""};
}

int ProgramRun::exit_status() const {
    if (SignalForwarder::interrupted() || summary.status == "interrupted")
        return kInterrupted;
    if (summary.status == "max_cycles" || summary.status == "max_instructions")
        return 0;
    if (ending.shell_status() == 0 && summary.status == "failed")
        return kFailed;
    return ending.shell_status();
}

std::optional<ProgramRun> run_to_end(const ChildSpec& child, const std::string& result, int& status) {
    SignalForwarder signals;
    const pid_t pid = start(child);
    signals.add(pid);
    const Ending ending = wait_for(pid);
    signals.remove(pid);

    const std::string& program = child.words.front();
    std::error_code error;
    if (!fs::exists(result, error)) {
        fmt::print(stderr, "heddle: error: {}\n", missing_result(program, ending));
        status = SignalForwarder::interrupted() ? kInterrupted : std::max(ending.shell_status(), kFailed);
        return std::nullopt;
    }
    ProgramRun run{ending, report::read_summary(read_file(result))};
    if (ending.signal != 0 && !SignalForwarder::interrupted())
        fmt::print(stderr, "heddle: {} {}\n", program, ending.text());
    return run;
}

std::string missing_result(const std::string& program, const Ending& ending) {
    if (ending.signal != 0)
        return fmt::format("{} {} before results were written", program, ending.text());
    return fmt::format(
        "{} {} without results: it did not use the simulated device, or ended in a way that skips the end "
        "of a process (_exit)",
        program, ending.text());
}

bool FinishedRun::partial() const {
    return summary && (summary->status == "interrupted" || summary->status == "max_cycles" ||
                       summary->status == "max_instructions");
}

FinishedRun finished_run(const std::string& program, const Ending& ending, const fs::path& result,
                         const fs::path& output, ReadSummary read) {
    FinishedRun out;
    std::error_code error;
    if (!fs::exists(result, error)) {
        out.failure = missing_result(program, ending) + tail(output);
        return out;
    }
    try {
        out.summary = read(read_file(result));
    } catch (const UserError& e) {
        out.failure = e.what();
        return out;
    }
    if (!out.partial() && ending.shell_status() != 0)
        out.failure = ending.text() + tail(output);
    else if (out.summary->status == "failed")
        out.failure = out.summary->error;
    return out;
}

} // namespace heddle::cli
