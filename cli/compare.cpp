// heddle compare: one program under several settings, side by side.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "base/output_file.h"
#include "child.h"
#include "command.h"
#include "config/plugins.h"
#include "engine_options.h"
#include "experiment/plan.h"
#include "experiment/plan_file.h"
#include "experiment/results.h"
#include "machine_options.h"
#include "output_files.h"
#include "plugin_options.h"
#include "processes.h"
#include "program_file.h"
#include "report/tables.h"
#include "simulated_program.h"
#include "simulator_version.h"
#include "temporary_file.h"
#include "whole_number.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

struct CompareOptions {
    MachineOptions machine;
    LaunchOptions launches;
    std::vector<std::string> with; // KEY=VALUE[,KEY=VALUE]
    std::string folder;
    RunsAtATime jobs;
    EngineOptions engine;
};

// What a run writes while it runs.
struct JobFiles {
    std::optional<TemporaryFile> unnamed_result, unnamed_output; // where no folder is named
    std::string result, output;                                  // RESULT.json, and the output of the program
    Processes processes;
};

struct Job {
    std::vector<std::string> settings;
    std::string stem; // of the names of its files
    std::optional<JobFiles> files;
    report::ComparedRun run;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        out.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

// A file name that contains the settings.
std::string file_stem(std::size_t index, const std::string& label) {
    std::string out = fmt::format("{}-{}", index, label);
    for (char& c : out)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '=' && c != '-' && c != '_')
            c = '_';
    return out.substr(0, 100);
}

// Results of an engine, by key; each also as a file.
class KeptResults : public experiment::Results {
public:
    [[nodiscard]] std::optional<experiment::StoredRun> find(const std::string& key, const std::string&) const override {
        const auto at = runs_.find(key);
        return at == runs_.end() ? std::nullopt : std::optional(at->second);
    }
    void put(const experiment::StoredRun& run) override {
        runs_[run.key] = run;
    }

private:
    std::map<std::string, experiment::StoredRun> runs_;
};

class Comparison {
public:
    Comparison(const CompareOptions& options, const ProgramLine& program) : options_(options) {
        options.engine.check(options.jobs);
        if (options.engine.given() && options.folder.empty())
            throw UsageError("--on needs -o DIR, a folder that the computers of the engine share");
        (void)options.machine.load(); // checks the common part of all runs
        runtime_ = runtime_folder();
        words_ = program.words;
        words_.front() = check_program(require_program(program, "compare"), runtime_);
        if (!options.folder.empty()) {
            prepare_folder(options.folder);
            folder_ = fs::absolute(options.folder);
        }
        for (std::size_t i = 0; i < options.with.size(); ++i) {
            Job job;
            job.settings = split(options.with[i]);
            job.run.label = options.with[i];
            job.stem = file_stem(i, options.with[i]);
            jobs_.push_back(std::move(job));
        }
    }

    int run() {
        return options_.engine.given() ? run_on_engine() : run_here();
    }

private:
    int run_here() {
        const std::size_t width = options_.jobs.count();
        std::deque<Job*> waiting;
        for (Job& job : jobs_)
            if (is_valid(job))
                waiting.push_back(&job);
        SignalForwarder signals;
        while (!waiting.empty() || !running_.empty()) {
            if (!waiting.empty() && running_.size() < width && !SignalForwarder::interrupted()) {
                launch(*waiting.front(), signals);
                waiting.pop_front();
            } else if (!running_.empty()) {
                collect(signals);
            } else { // interrupted before the other runs began
                for (Job* job : waiting)
                    fail(*job, "not started: interrupted");
                waiting.clear();
            }
        }
        return report();
    }

    int run_on_engine() {
        const std::string version = simulator_version();
        std::vector<experiment::Run> runs;
        std::map<std::string, Job*> of_key;
        for (Job& job : jobs_)
            if (is_valid(job)) {
                runs.push_back(planned(job));
                of_key[runs.back().key] = &job;
            }
        KeptResults results;
        if (const auto status = cli::run_on_engine(options_.engine, options_.folder, runs, version, results))
            return *status;
        for (const auto& [key, job] : of_key)
            if (const auto found = results.find(key, version))
                take(*job, *found);
        return report();
    }

    [[nodiscard]] experiment::Run planned(const Job& job) const {
        experiment::Run run;
        run.program = fs::absolute(words_.front());
        run.program_digest = digest_file(run.program).value_or("");
        run.arguments.assign(words_.begin() + 1, words_.end());
        run.folder = fs::current_path();
        run.machine = options_.machine.portable_machine();
        run.settings = options_.machine.settings;
        run.settings.insert(run.settings.end(), job.settings.begin(), job.settings.end());
        run.launches = options_.launches.to_json(false, std::nullopt, std::nullopt);
        run.plugins = plugins_of_command_line();
        for (const config::Plugin& plugin : config::plugins()) // also those that the machine's file names
            run.inputs.push_back({plugin.file.string(), plugin.digest});
        run.label = job.run.label;
        run.key = digest(fmt::format("{}\n{}", run.program_digest, experiment::plan_text({&run, 1}, "")));
        return run;
    }

    void take(Job& job, const experiment::StoredRun& found) const {
        if (!found.result.empty()) {
            write_file((folder_ / (job.stem + ".json")).string(), found.result);
            job.run.summary = report::read_summary(found.result);
        }
        const std::string& status = job.run.summary.status;
        if (status == "max_cycles" || status == "max_instructions")
            job.run.message = fmt::format("stopped early ({}): its numbers are partial", status);
        else if (found.failed())
            fail(job, found.failure);
    }

    [[nodiscard]] JobFiles files_of(const Job& job) const {
        JobFiles out;
        if (folder_.empty()) {
            out.result = out.unnamed_result.emplace().path();
            out.output = out.unnamed_output.emplace().path();
        } else {
            out.result = (folder_ / (job.stem + ".json")).string();
            out.output = (folder_ / (job.stem + ".txt")).string();
        }
        return out;
    }

    static void fail(Job& job, std::string message) {
        job.run.failed = true;
        job.run.message = std::move(message);
    }

    bool is_valid(Job& job) const {
        try {
            (void)options_.machine.load(job.settings);
            return true;
        } catch (const UserError& e) {
            fail(job, e.what());
            return false;
        }
    }

    void launch(Job& job, SignalForwarder& signals) {
        MachineOptions machine = options_.machine;
        machine.settings.insert(machine.settings.end(), job.settings.begin(), job.settings.end());
        const JobFiles& files = job.files.emplace(files_of(job));
        ChildSpec child =
            simulated_program(machine, options_.launches, {}, runtime_, {files.result, "", ""}, files.processes, false);
        set_program(child, words_, runtime_);
        child.output = files.output;
        const pid_t pid = start(child);
        signals.add(pid);
        running_[pid] = &job;
    }

    void collect(SignalForwarder& signals) {
        constexpr std::chrono::milliseconds kLook(500);
        std::vector<pid_t> children;
        for (const auto& [pid, job] : running_) {
            job->files->processes.look();
            children.push_back(pid);
        }
        const auto ended = wait_for_any(children, kLook);
        if (!ended)
            return;
        const auto& [pid, ending] = *ended;
        signals.remove(pid);
        finish(*running_.at(pid), ending);
        running_.erase(pid);
        if (isatty(STDERR_FILENO) != 0)
            fmt::print(stderr, "{} of {} runs done\n", ++done_, jobs_.size());
    }

    void finish(Job& job, const Ending& ending) const {
        Processes& processes = job.files->processes;
        processes.wait();
        FinishedRun finished =
            finished_run(words_.front(), ending, processes, job.files->result, read_file(job.files->output));
        if (finished.summary)
            job.run.summary = *finished.summary;
        if (!finished.failure.empty())
            fail(job, std::move(finished.failure));
        else if (finished.partial())
            job.run.message = fmt::format("stopped early ({}): its numbers are partial", job.run.summary.status);
        else if (processes.that_launched() > 1)
            job.run.message = fmt::format("the first of {} processes that launched kernels", processes.that_launched());
        job.files.reset();
    }

    // The reason of a failure, in the folder of the results. What an earlier call has left of this run goes.
    void keep_failure(const Job& job) const {
        std::error_code ignored;
        const fs::path reason = folder_ / (job.stem + ".failed.txt");
        if (job.run.failed)
            write_file(reason.string(), job.run.message + "\n");
        else
            fs::remove(reason, ignored);
        if (job.run.failed && job.run.summary.status.empty())
            fs::remove(folder_ / (job.stem + ".json"), ignored);
    }

    int report() const {
        if (!folder_.empty())
            for (const Job& job : jobs_)
                keep_failure(job);
        std::vector<report::ComparedRun> runs;
        for (const Job& job : jobs_)
            runs.push_back(job.run);
        fmt::print("{}", report::compare_table(runs));
        if (!options_.folder.empty())
            fmt::print("\nresults and outputs: {}\n", options_.folder);
        if (SignalForwarder::interrupted())
            return SignalForwarder::exit_status();
        if (std::any_of(runs.begin(), runs.end(), [](const auto& r) { return r.failed; }))
            return kFailed;
        const auto at_a_limit = [](const auto& r) {
            return r.summary.status == "max_cycles" || r.summary.status == "max_instructions";
        };
        return std::any_of(runs.begin(), runs.end(), at_a_limit) ? options_.launches.limit_status : 0;
    }

    const CompareOptions& options_;
    fs::path runtime_, folder_; // folder_: of the results; empty: they are not kept
    std::vector<std::string> words_;
    std::vector<Job> jobs_;
    std::map<pid_t, Job*> running_;
    std::size_t done_ = 0;
};

} // namespace

void add_compare(CLI::App& app, const ProgramLine& program, int& status) {
    auto* command = app.add_subcommand(
        "compare", "Runs a CUDA program under several settings: heddle compare --with KEY=VALUE ... -- PROGRAM [ARGS]");
    const auto options = std::make_shared<CompareOptions>();
    options->machine.add_to(*command);
    command
        ->add_option("--with", options->with, "settings of one run; repeat it for each run, the first is the baseline")
        ->type_name("KEY=VALUE[,KEY=VALUE]")
        ->required()
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    command
        ->add_option("-o,--output", options->folder,
                     "keep each run's RESULT.json, output and, where it failed, the reason in this folder")
        ->type_name("DIR");
    options->jobs.add_to(*command);
    options->launches.add_to(*command);
    options->engine.add_to(*command);
    command->allow_extras(); // a program without `--` before it gets a message with the right form
    command->callback([command, options, &program, &status] {
        refuse_extras(*command);
        status = Comparison(*options, program).run();
    });
}

} // namespace heddle::cli
