// heddle run: a CUDA program with the simulator in place of the GPU.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

#include "child.h"
#include "command.h"
#include "machine_options.h"
#include "program_file.h"
#include "report/heat_map.h"
#include "report/tables.h"
#include "simulated_program.h"

namespace heddle::cli {

namespace {

struct Options {
    MachineOptions machine;
    LimitOptions limits;
    TimelineOptions timeline;
    std::string result;
    bool heat_map = false;
};

// The program's own exit status, unless it was stopped from outside or ended well in spite of a fault.
int exit_status(const Ending& ending, const report::Summary& summary) {
    if (SignalForwarder::interrupted() || summary.status == "interrupted")
        return kInterrupted;
    if (summary.status == "max_cycles" || summary.status == "max_instructions")
        return 0;
    if (ending.shell_status() == 0 && summary.status == "failed")
        return kFailed;
    return ending.shell_status();
}

int run(const Options& options, const ProgramLine& program) {
    (void)options.machine.load(); // every mistake in it is reported before anything starts
    const std::filesystem::path folder = runtime_folder();
    const std::string path = check_program(require_program(program, "run"), folder);

    const TemporaryFolder temporary;
    const std::string result =
        options.result.empty() ? (temporary.path() / "result.json").string() : prepare_result_file(options.result);
    ChildSpec child = simulated_program(options.machine, options.limits, options.timeline, folder, result,
                                        isatty(STDERR_FILENO) != 0);
    child.words = program.words;
    child.words.front() = path;

    SignalForwarder signals;
    const pid_t pid = start(child);
    signals.add(pid);
    const Ending ending = wait_for(pid);
    signals.remove(pid);

    std::error_code error;
    if (!std::filesystem::exists(result, error)) {
        fmt::print(stderr, "heddle: error: {}\n", missing_result(path, ending));
        return SignalForwarder::interrupted() ? kInterrupted : std::max(ending.shell_status(), kFailed);
    }
    const report::Summary summary = report::read_summary(read_file(result));
    if (ending.signal != 0 && !SignalForwarder::interrupted())
        fmt::print(stderr, "heddle: {} {}\n", path, ending.text());
    fmt::print("\n{}", report::run_table(summary));
    if (options.heat_map)
        fmt::print("{}", report::heat_map(summary));
    return exit_status(ending, summary);
}

} // namespace

void add_run(CLI::App& app, const ProgramLine& program, int& status) {
    auto* command =
        app.add_subcommand("run", "Runs a CUDA program on a simulated machine: heddle run [OPTIONS] -- PROGRAM [ARGS]");
    const auto options = std::make_shared<Options>();
    options->machine.add_to(*command);
    options->limits.add_to(*command);
    options->timeline.add_to(*command);
    command->add_option("-o,--output", options->result, "write everything that was found to this file")
        ->type_name("RESULT.json");
    command->add_flag("--heat-map", options->heat_map, "draw divergent cache accesses over time (MAWS Figure 2)");
    command->footer(
        "The program's output, input and exit status are its own. It must be linked to a shared libcudart.");
    command->allow_extras(); // a program without `--` before it: told so, with the right form
    command->callback([command, options, &program, &status] {
        refuse_extras(*command);
        status = run(*options, program);
    });
}

} // namespace heddle::cli
