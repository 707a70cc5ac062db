// heddle oracle: the gain of reconvergence at the best points over stack reconvergence (DWF07 3.3).
#include "report/oracle.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>

#include "base/output_file.h"
#include "child.h"
#include "command.h"
#include "machine_options.h"
#include "output_files.h"
#include "program_file.h"
#include "report/thread_traces.h"
#include "simulated_program.h"
#include "sm/frame/core_config.h"
#include "temporary_file.h"
#include "whole_number.h"

namespace heddle::cli {

namespace {

struct OracleOptions {
    MachineOptions machine;
    runtime::ThreadTraceOptions record;
    std::uint32_t band = oracle::kBand;
    std::string result;
    bool by_launch = false;
};

void check(const OracleOptions& options) {
    const auto check_range = [](const char* option, std::uint64_t value, std::uint64_t most) {
        if (value < 1 || value > most)
            throw UsageError(fmt::format("{} {}: write a number from 1 to {}", option, value, most));
    };
    check_range("--threads", options.record.threads, 1'000'000);
    check_range("--runs", options.record.runs, 100'000'000);
    check_range("--band", options.band, 1'000'000);
}

int run(const OracleOptions& options, const ProgramLine& program) {
    check(options);
    const config::Machine machine = options.machine.load();
    const std::filesystem::path folder = runtime_folder();
    const std::string path = check_program(require_program(program, "oracle"), folder);
    const std::string output = options.result.empty() ? "" : prepare_result_file(options.result);

    const TemporaryFile result, traces;
    Processes processes;
    LaunchOptions launches;
    launches.functional = true;
    ChildSpec child = simulated_program(options.machine, launches, {{}, options.record}, folder,
                                        {result.path(), "", traces.path()}, processes, isatty(STDERR_FILENO) != 0);
    std::vector<std::string> words = program.words;
    words.front() = path;
    set_program(child, std::move(words), folder);
    int status = 0;
    const std::optional<ProgramRun> finished = run_to_end(child, processes, result.path(), status);
    if (!finished)
        return status;
    if (processes.that_launched() > 1)
        fmt::print(stderr, "heddle: {} processes launched kernels; these are the threads of the first\n",
                   processes.that_launched());

    report::OracleResult found{machine.name(),
                               machine.values(),
                               machine.get<sm::CoreConfig>().width,
                               options.record,
                               options.band,
                               finished->summary.status,
                               finished->summary.error,
                               {}};
    for (const probe::LaunchTrace& launch : report::read_thread_traces(traces.content()))
        found.launches.push_back(oracle::study(launch, options.band));
    if (found.launches.empty()) {
        fmt::print(stderr, "heddle: error: {} launched no kernel: there is nothing to align\n", path);
        return std::max(finished->exit_status(0), kFailed);
    }
    if (!output.empty())
        write_file(output, report::oracle_json(found));
    fmt::print("\n{}", report::oracle_table(found, options.by_launch));
    return finished->exit_status(0);
}

} // namespace

void add_oracle(CLI::App& app, const ProgramLine& program, int& status) {
    auto* command = app.add_subcommand(
        "oracle", "Finds what the best reconvergence points would save: heddle oracle [OPTIONS] -- PROGRAM [ARGS]");
    const auto options = std::make_shared<OracleOptions>();
    options->machine.add_to(*command);
    const auto number = [&](const char* name, auto& value, const char* meaning) {
        command->add_option(name, value, meaning)->check(whole_number(0))->type_name("N")->capture_default_str();
    };
    number("--threads", options->record.threads, "trace the first N threads of each launch");
    number("--runs", options->record.runs, "keep N straight runs of instructions in all: this bounds memory");
    number("--band", options->band, "align threads that are at most N basic blocks apart: this bounds time");
    command->add_flag("--launches", options->by_launch, "a row for each launch instead of each kernel");
    command->add_option("-o,--output", options->result, "write everything that was found to this file")
        ->type_name("ORACLE.json");
    command->footer("The program runs without timing; its output, input and exit status are its own (docs/oracle.md).");
    command->allow_extras(); // a program without `--` before it gets a message with the right form
    command->callback([command, options, &program, &status] {
        refuse_extras(*command);
        status = run(*options, program);
    });
}

} // namespace heddle::cli
