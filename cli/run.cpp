// heddle run: a CUDA program on the simulator instead of a GPU.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/suggest.h"
#include "child.h"
#include "command.h"
#include "machine_options.h"
#include "output_files.h"
#include "program_file.h"
#include "simulated_program.h"
#include "summary_options.h"
#include "temporary_file.h"
#include "timeline_options.h"

namespace heddle::cli {

namespace {

struct RunOptions {
    MachineOptions machine;
    LaunchOptions launches;
    TimelineOptions timeline;
    SummaryOptions summary;
    std::string result;
};

void tell_of_several(const Processes& processes, bool first_only) {
    if (processes.that_launched() < 2)
        return;
    fmt::print(stderr, "heddle: {} processes launched kernels, each on a device of its own; {}\n",
               processes.that_launched(),
               first_only ? "these are the results of the first, and -o RESULT.json keeps those of all"
                          : fmt::format("results: {}", comma_list(processes.result_files())));
}

int run(const RunOptions& options, const ProgramLine& program) {
    (void)options.machine.load(); // all errors in it are reported before anything starts
    options.summary.check();
    const std::filesystem::path folder = runtime_folder();
    const std::string path = check_program(require_program(program, "run"), folder);

    // What is no regular file cannot be read again: it gets the results at the end.
    const std::string output = options.result.empty() ? "" : prepare_results(options.result);
    const bool copied = output.empty() || output == kStandardOutput || is_written_directly(output);
    const std::optional<TemporaryFile> unnamed = copied ? std::optional<TemporaryFile>(std::in_place) : std::nullopt;
    const std::string result = copied ? unnamed->path() : output;
    Processes processes;
    ChildSpec child = simulated_program(options.machine, options.launches, {options.timeline.recorded(), {}}, folder,
                                        {result, prepare_timeline_file(options.timeline, output), ""}, processes,
                                        isatty(STDERR_FILENO) != 0);
    std::vector<std::string> words = program.words;
    words.front() = path;
    set_program(child, std::move(words), folder);

    int status = 0;
    const std::optional<ProgramRun> finished = run_to_end(child, processes, result, status);
    if (copied && !output.empty() && finished)
        write_results(output, unnamed->content());
    tell_of_several(processes, copied);
    if (!finished)
        return status;
    options.summary.print(finished->summary, !options.machine.named);
    return finished->exit_status(options.launches.limit_status);
}

} // namespace

void add_run(CLI::App& app, const ProgramLine& program, int& status) {
    auto* command =
        app.add_subcommand("run", "Runs a CUDA program on a simulated machine: heddle run [OPTIONS] -- PROGRAM [ARGS]");
    const auto options = std::make_shared<RunOptions>();
    options->machine.add_to(*command);
    options->launches.add_to(*command);
    options->launches.add_checks_to(*command);
    options->timeline.add_to(*command);
    options->summary.add_to(*command);
    command->add_option("-o,--output", options->result, kResultMeaning)->type_name("RESULT.json");
    command->footer(
        "The program's output, input and exit status are its own (a status of 0 becomes 1 after a fault); the "
        "summary goes to standard error. The program, or what it starts, must use the CUDA runtime or the "
        "driver.");
    command->allow_extras(); // a program without `--` before it gets a message with the right form
    command->callback([command, options, &program, &status] {
        refuse_extras(*command);
        status = run(*options, program);
    });
}

} // namespace heddle::cli
