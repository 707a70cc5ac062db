// heddle run: a CUDA program on the simulator instead of a GPU.
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
    LaunchOptions launches;
    TimelineOptions timeline;
    std::string result;
    bool heat_map = false;
};

int run(const Options& options, const ProgramLine& program) {
    (void)options.machine.load(); // all errors in it are reported before anything starts
    const std::filesystem::path folder = runtime_folder();
    const std::string path = check_program(require_program(program, "run"), folder);

    const TemporaryFolder temporary;
    const std::string result =
        options.result.empty() ? (temporary.path() / "result.json").string() : prepare_result_file(options.result);
    ChildSpec child = simulated_program(options.machine, options.launches, options.timeline, folder, result,
                                        isatty(STDERR_FILENO) != 0);
    child.words = program.words;
    child.words.front() = path;

    int status = 0;
    const std::optional<ProgramRun> finished = run_to_end(child, result, status);
    if (!finished)
        return status;
    fmt::print("\n{}", report::run_table(finished->summary));
    if (options.heat_map)
        fmt::print("{}", report::heat_map(finished->summary));
    return finished->exit_status();
}

} // namespace

void add_run(CLI::App& app, const ProgramLine& program, int& status) {
    auto* command =
        app.add_subcommand("run", "Runs a CUDA program on a simulated machine: heddle run [OPTIONS] -- PROGRAM [ARGS]");
    const auto options = std::make_shared<Options>();
    options->machine.add_to(*command);
    options->launches.add_to(*command);
    options->timeline.add_to(*command);
    command->add_option("-o,--output", options->result, "write everything that was found to this file")
        ->type_name("RESULT.json");
    command->add_flag("--heat-map", options->heat_map, "draw divergent cache accesses over time (MAWS Figure 2)");
    command->footer(
        "The program's output, input and exit status are its own. It must be linked to a shared libcudart.");
    command->allow_extras(); // a program without `--` before it gets a message with the right form
    command->callback([command, options, &program, &status] {
        refuse_extras(*command);
        status = run(*options, program);
    });
}

} // namespace heddle::cli
