// heddle reproduce: the figures and tables of a paper, or of the user's own experiment.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <unistd.h>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/suggest.h"
#include "batch/command.h"
#include "child.h"
#include "command.h"
#include "engine_options.h"
#include "experiment/plan_file.h"
#include "experiment/run_list.h"
#include "experiment_files.h"
#include "machine_options.h"
#include "output_files.h"
#include "report/table.h"
#include "reproduction.h"
#include "run_queue.h"
#include "simulator_version.h"
#include "whole_number.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;
using experiment::Run;

struct ReproduceOptions : Reproduction::Options {
    std::string store, plan;
    RunsAtATime jobs;
    std::uint64_t max_cycles = 0;
    bool dry_run = false;
    EngineOptions engine;

    [[nodiscard]] fs::path store_path() const {
        return store.empty() ? fs::path(folder) / "runs.sqlite" : fs::path(store);
    }
    [[nodiscard]] std::vector<Run> limited(std::vector<Run> runs) const {
        if (max_cycles != 0)
            limit_cycles(runs, max_cycles);
        return runs;
    }
};

// A command for a shell that makes the run. Its result goes to a file of the folder in which the command is given.
std::string command_of(const Run& run) {
    std::vector<std::string> words{"heddle", run.tool == experiment::Tool::oracle ? "oracle" : "run", "-m",
                                   run.machine};
    for (const std::string& setting : run.settings)
        words.insert(words.end(), {"-s", setting});
    if (const std::uint64_t most = LaunchOptions::from_json(run.launches).max_cycles;
        most != 0 && run.tool == experiment::Tool::run)
        words.insert(words.end(), {"--max-cycles", std::to_string(most)});
    std::vector<std::string> program{"--", run.program.string()};
    program.insert(program.end(), run.arguments.begin(), run.arguments.end());
    const std::string timeline =
        run.sample ? fmt::format(" -t \"$OLDPWD/{}.trace\" --timeline-sample {}", run.key, *run.sample) : std::string();
    return fmt::format("(cd {} && {}{} -o \"$OLDPWD/{}.json\" {})", batch::quoted(run.folder.string()),
                       batch::quoted(words), timeline, run.key, batch::quoted(program));
}

// The runs that would be made; nothing is written.
std::vector<Run> planned_runs(const ReproduceOptions& options, Reproduction& reproduction) {
    std::optional<experiment::Store> store;
    std::error_code error;
    if (fs::exists(options.store_path(), error))
        reproduction.use(store.emplace(options.store_path(), experiment::Store::Mode::read));
    return options.limited(reproduction.missing_runs());
}

int dry_run(const ReproduceOptions& options, Reproduction& reproduction) {
    const std::vector<Run> missing = planned_runs(options, reproduction);
    double seconds = 0;
    for (const Run& run : missing) {
        fmt::print("{}  # {}\n", command_of(run), run.label);
        seconds += run.expected.seconds;
    }
    const auto impossible = static_cast<std::size_t>(std::count_if(
        reproduction.runs().begin(), reproduction.runs().end(), [](const Run& run) { return !run.problem.empty(); }));
    fmt::print("{}{}", experiment::list_of(missing), experiment::list_of_problems(reproduction.plan()));
    fmt::print("# {} figures and tables, {} runs: {} are stored, {} would run{}, {} cannot be run\n",
               reproduction.figures(), reproduction.runs().size(),
               reproduction.runs().size() - missing.size() - impossible, missing.size(),
               seconds > 0 ? fmt::format(" ({} of one processor when they last did)", report::rough_time(seconds)) : "",
               impossible);
    return 0;
}

int write_plan(const ReproduceOptions& options, Reproduction& reproduction, const std::string& version) {
    const std::vector<Run> missing = planned_runs(options, reproduction);
    write_file(prepare_result_file(options.plan), experiment::plan_text(missing, version));
    fmt::print("{}: {} runs; heddle work {} makes them, heddle collect {}.results takes them into a store\n",
               options.plan, missing.size(), options.plan, options.plan);
    return 0;
}

// Makes runs, here or on an engine. The status of the process when it is not to go on.
std::optional<int> make_runs(const ReproduceOptions& options, const std::vector<Run>& runs, const std::string& version,
                             experiment::Store& store, Reproduction& reproduction) {
    if (options.engine.given())
        return run_on_engine(options.engine, options.folder, runs, version, store);
    RunQueue queue(store, {version, options.jobs.count(), !options.rerun.empty()});
    const bool finished = queue.run(runs);
    reproduction.refuse(queue.refused());
    if (finished)
        return std::nullopt;
    fmt::print(stderr, "heddle: interrupted; the same call goes on where this one ended\n");
    return SignalForwarder::exit_status();
}

int run(const ReproduceOptions& options) {
    const std::string version = simulator_version();
    Reproduction reproduction(options, version);
    if (options.dry_run)
        return dry_run(options, reproduction);
    if (!options.plan.empty())
        return write_plan(options, reproduction, version);
    prepare_folder(options.folder);
    experiment::Store store(options.store_path(), experiment::Store::Mode::write);
    reproduction.use(store);
    store.describe(experiment::descriptions_of(reproduction.plan()));
    const std::vector<Run> missing = options.limited(reproduction.missing_runs());
    if (const auto status = make_runs(options, missing, version, store, reproduction))
        return *status;
    if (options.readings) {
        std::set<std::string> made; // --rerun repeats a run once
        for (const Run& one : missing)
            made.insert(one.key);
        reproduction.add_pairs();
        store.describe(experiment::descriptions_of(reproduction.plan()));
        if (const auto status =
                make_runs(options, options.limited(reproduction.missing_runs(made)), version, store, reproduction))
            return *status;
    }
    return reproduction.write();
}

int list_papers() {
    const fs::path folder = experiments_folder();
    for (const std::string& paper : paper_names(folder)) {
        std::vector<std::string> names;
        for (const fs::path& file : toml_files(folder / paper))
            names.push_back(file.stem().string());
        fmt::print("{:8} {}\n", paper, comma_list(names));
    }
    fmt::print("heddle reproduce PAPER [--figure NAME], or heddle reproduce FILE.toml (docs/experiments.md)\n");
    return 0;
}

int reproduce(const ReproduceOptions& options) {
    if (options.words.empty())
        return list_papers();
    options.engine.check(options.jobs);
    return run(options);
}

} // namespace

void add_reproduce(CLI::App& app, int& status) {
    auto* command = app.add_subcommand(
        "reproduce",
        "Runs what a paper's figures and tables need, and prints them: heddle reproduce PAPER|FILE.toml ...");
    const auto options = std::make_shared<ReproduceOptions>();
    command->add_option("PAPER|FILE", options->words, "papers, or experiment files; without any: lists the papers");
    command->add_option("-f,--figure", options->figures, "only this figure or table; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command->add_flag("--quick", options->quick, "small inputs, to see that all runs");
    options->jobs.add_to(*command);
    command->add_option("--max-cycles", options->max_cycles, "a run that takes more than N simulated cycles has failed")
        ->check(whole_number(1))
        ->type_name("N");
    command->add_option("-o,--output", options->folder, "where tables, figures.json and the stored results go")
        ->type_name("DIR")
        ->capture_default_str();
    command->add_option("--store", options->store, "where results are stored (default: DIR/runs.sqlite)")
        ->type_name("FILE");
    command
        ->add_flag("--rerun{all}", options->rerun,
                   "repeat runs whose results are stored; --rerun=failed: those that failed")
        ->check(CLI::IsMember({"all", "failed"}));
    command->add_flag("--readings", options->readings,
                      "also with other choices where the paper is silent: a band for each published value");
    command
        ->add_flag("--update-notes", options->update_notes,
                   "fill in the numbers of DEVIATIONS.md that refer to these figures")
        ->excludes("--quick");
    auto* const dry =
        command->add_flag("--dry-run", options->dry_run, "print the commands of what would run, and run nothing");
    command->add_option("--plan", options->plan, "write what would run to this file, for heddle work, and run nothing")
        ->type_name("FILE")
        ->excludes(dry);
    options->engine.add_to(*command);
    command->add_flag("--any-revision", options->any_revision, "take stored results of other revisions of heddle, too");
    command->callback([options, &status] { status = reproduce(*options); });
}

} // namespace heddle::cli
