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
// address translation (docs/architecture.md). Arrays of less than 32 MiB come from the heap, too: alone they are
// smaller than a huge page. Settings of the user have priority.
std::string allocator_settings() {
    constexpr const char* kHugePages = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432";
    const char* const own = std::getenv("GLIBC_TUNABLES");
    return own == nullptr || *own == '\0' ? kHugePages : fmt::format("{}:{}", kHugePages, own);
}

// The last lines of a program's output, indented.
std::string tail(std::string text) {
    constexpr std::size_t kLines = 6;
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

// The reason for a missing result.
std::string missing_result(const std::string& program, const Ending& ending, const Processes& processes) {
    const std::string end = program + " " + ending.text();
    if (!processes.use_the_device())
        return end +
               (ending.signal != 0
                    ? " before it used the simulated device"
                    : " and never used the simulated device: no process of it called the simulator's CUDA runtime or "
                      "driver. A program that finds another runtime by an RPATH, or that has the runtime linked into "
                      "it and no symbol table (strip, -s), is not simulated");
    if (const std::string reason = processes.failure(); !reason.empty())
        return fmt::format("{} without results: {}", end, reason);
    return end +
           (ending.signal != 0
                ? " before results were written"
                : " without results: the process that used the simulated device was killed, or ended in a way that "
                  "skips the end of a process (_exit)");
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

ChildSpec simulated_program(const MachineOptions& machine, const LaunchOptions& launches, const Recorded& recorded,
                            const fs::path& folder, const SimulationFiles& files, const Processes& processes,
                            bool progress) {
    return {{},
            {{"LD_LIBRARY_PATH", library_path(folder)},
             {"GLIBC_TUNABLES", allocator_settings()},
             {"HEDDLE_MACHINE", machine.portable_machine()},
             {"HEDDLE_SET", fmt::format("{}", fmt::join(machine.settings, "\n"))},
             {"HEDDLE_OPTIONS", launches.to_json(progress, recorded.timeline, recorded.thread_traces)},
             {"HEDDLE_RESULT", files.result},
             {"HEDDLE_TIMELINE", files.timeline},
             {"HEDDLE_THREAD_TRACES", files.thread_traces},
             {"HEDDLE_PROCESSES", processes.log()},
             {"HEDDLE_PROCESS", std::to_string(getpid())}},
            ""};
}

void set_program(ChildSpec& child, std::vector<std::string> words, const fs::path& folder) {
    if (std::string libraries = preloads(words.front(), folder); !libraries.empty())
        child.environment.emplace_back("LD_PRELOAD", std::move(libraries));
    child.words = std::move(words);
}

int ProgramRun::exit_status(int at_a_limit) const {
    if (SignalForwarder::interrupted())
        return SignalForwarder::exit_status();
    const int own = ending.shell_status();
    if (summary.status == "interrupted")
        return own != 0 ? own : kInterrupted;
    if (summary.status == "max_cycles" || summary.status == "max_instructions")
        return at_a_limit;
    return own == 0 && (summary.status == "failed" || summary.checks != 0 || output_lost) ? kFailed : own;
}

std::optional<ProgramRun> run_to_end(const ChildSpec& child, Processes& processes, const std::string& result,
                                     int& status) {
    constexpr std::chrono::milliseconds kLook(500);
    SignalForwarder signals;
    const pid_t pid = start(child);
    signals.add(pid);
    std::optional<std::pair<pid_t, Ending>> ended;
    while (!(ended = wait_for_any(std::span(&pid, 1), kLook)))
        processes.look();
    signals.remove(pid);
    processes.wait();

    const std::string& program = child.words.front();
    const Ending& ending = ended->second;
    if (!processes.have_written(result)) {
        fmt::print(stderr, "heddle: error: {}\n", missing_result(program, ending, processes));
        status =
            SignalForwarder::interrupted() ? SignalForwarder::exit_status() : std::max(ending.shell_status(), kFailed);
        return std::nullopt;
    }
    ProgramRun run{ending, report::read_summary(read_file(result)), !processes.failure().empty()};
    if (ending.signal != 0 && !SignalForwarder::interrupted())
        fmt::print(stderr, "heddle: {} {}\n", program, ending.text());
    return run;
}

bool FinishedRun::partial() const {
    return summary && (summary->status == "interrupted" || summary->status == "max_cycles" ||
                       summary->status == "max_instructions");
}

FinishedRun finished_tool(const std::string& program, const Ending& ending, ReadSummary read, const std::string& result,
                          const std::string& output) {
    FinishedRun out;
    if (result.empty()) {
        out.failure = fmt::format("{} {} without results{}", program, ending.text(), tail(output));
        return out;
    }
    try {
        out.summary = read(result);
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

FinishedRun finished_run(const std::string& program, const Ending& ending, const Processes& processes,
                         const std::string& result, const std::string& output) {
    if (!processes.have_written(result))
        return {std::nullopt, missing_result(program, ending, processes) + tail(output)};
    return finished_tool(program, ending, report::read_summary, read_file(result), output);
}

} // namespace heddle::cli
