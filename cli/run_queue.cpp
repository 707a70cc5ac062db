#include "run_queue.h"

#include <algorithm>
#include <csignal>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/plugins.h"
#include "program_file.h"
#include "report/oracle.h"
#include "report/result.h"
#include "simulated_program.h"

namespace heddle::cli {

namespace fs = std::filesystem;
using experiment::Run;

namespace {

constexpr std::chrono::milliseconds kRefresh(500); // of the progress line

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Checks that the CUDA runtime has the revision under which results are stored.
void check_revision(const std::string& result, const fs::path& runtime) {
    const auto json = nlohmann::json::parse(result, nullptr, false);
    const std::string commit = json.is_object() ? json.value(nlohmann::json::json_pointer("/heddle/commit"), "") : "";
    if (commit != report::commit())
        throw UserError(fmt::format("{} is of revision {}, heddle of {}; build both (`make`)",
                                    (runtime / "libcudart.so.13").string(), commit, report::commit()));
}

// `heddle oracle` in a separate process, because it takes as long as a simulation.
ChildSpec traced(const Run& run, const std::string& result) {
    ChildSpec child;
    child.words = {fs::read_symlink("/proc/self/exe").string(), "oracle", "-m", run.machine, "-o", result};
    for (const std::string& setting : run.settings)
        child.words.insert(child.words.end(), {"-s", setting});
    child.words.emplace_back("--");
    return child;
}

} // namespace

void limit_cycles(std::vector<Run>& runs, std::uint64_t max_cycles) {
    for (Run& run : runs) {
        LaunchOptions launches = LaunchOptions::from_json(run.launches);
        launches.max_cycles = max_cycles;
        run.launches = launches.to_json(false, std::nullopt, std::nullopt);
    }
}

RunQueue::RunQueue(experiment::Results& results, Options options)
    : results_(results), options_(std::move(options)), runtime_(runtime_folder()) {}

bool RunQueue::run(const std::vector<Run>& runs) {
    waiting_.clear();
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) // the last of the list is the next to start
        waiting_.push_back(&*run);
    Progress progress(runs.size());
    SignalForwarder signals;
    try {
        while (!running_.empty() || (!(waiting_.empty() && elsewhere_.empty()) && !SignalForwarder::interrupted())) {
            if (waiting_.empty() || running_.size() >= options_.jobs || SignalForwarder::interrupted()) {
                progress.show(running_.size(), seconds_left());
                wait(progress, signals);
                continue;
            }
            const Run& next = *waiting_.back();
            waiting_.pop_back();
            begin(next, progress, signals);
        }
    } catch (...) {
        stop_all(signals);
        throw;
    }
    return !SignalForwarder::interrupted();
}

// The result is looked up after the claim: the process that had the claim before has put the result there.
void RunQueue::begin(const Run& run, Progress& progress, SignalForwarder& signals) {
    const bool claimed = options_.repeat || results_.claim(run.key);
    if (!claimed)
        elsewhere_.push_back(&run);
    else if (!options_.repeat && results_.find(run.key, options_.version))
        progress.finished(run.label, false, 0);
    else if (may_run(run))
        return launch(run, signals);
    else
        progress.finished(run.label, true, 0);
    if (claimed)
        results_.release(run.key);
}

bool RunQueue::may_run(const Run& run) {
    const auto [at, fresh] = refused_.emplace(run.program.string(), "");
    if (fresh) {
        try {
            (void)check_program(run.program.string(), runtime_);
        } catch (const UserError& e) {
            at->second = e.what();
        }
    }
    return at->second.empty();
}

ChildSpec RunQueue::timed(const Job& job) const {
    const Run& run = *job.run;
    Recorded recorded;
    SimulationFiles files{job.result.path(), "", ""};
    if (run.sample) {
        recorded.timeline.emplace().sample = *run.sample;
        files.timeline = "/dev/null"; // the samples are in the result
    }
    const LaunchOptions launches = LaunchOptions::from_json(run.launches);
    return simulated_program({run.machine, run.settings}, launches, recorded, runtime_, files, job.processes, false);
}

void RunQueue::launch(const Run& run, SignalForwarder& signals) {
    Job job{&run, Clock::now()};
    const bool oracle = run.tool == experiment::Tool::oracle;
    ChildSpec child = oracle ? traced(run, job.result.path()) : timed(job);
    // Also where it has none: those of this process are not part of its key.
    child.environment.emplace_back(config::kPluginVariable, config::plugin_list(run.plugins));
    std::vector<std::string> words{run.program.string()};
    words.insert(words.end(), run.arguments.begin(), run.arguments.end());
    if (oracle)
        child.words.insert(child.words.end(), words.begin(), words.end());
    else
        set_program(child, std::move(words), runtime_);
    child.output = job.output.path();
    child.folder = run.folder.string();
    const pid_t pid = start(child);
    signals.add(pid);
    running_.emplace(pid, std::move(job));
}

// Also looks again for the runs of other processes, from time to time.
void RunQueue::wait(Progress& progress, SignalForwarder& signals) {
    std::vector<pid_t> children;
    for (auto& [pid, job] : running_) {
        job.processes.look();
        children.push_back(pid);
    }
    const auto ended = wait_for_any(children, kRefresh);
    if (!ended) {
        if (running_.size() < options_.jobs) {
            waiting_.insert(waiting_.end(), elsewhere_.rbegin(), elsewhere_.rend());
            elsewhere_.clear();
        }
        return;
    }
    signals.remove(ended->first);
    auto job = running_.extract(ended->first);
    finish(job.mapped(), ended->second, progress);
}

void RunQueue::finish(Job& job, const Ending& ending, Progress& progress) {
    job.processes.wait();
    keep(job, ending, progress);
    results_.release(job.run->key);
}

void RunQueue::keep(Job& job, const Ending& ending, Progress& progress) {
    const double seconds = seconds_since(job.begin);
    const std::string program = job.run->program.string(), result = job.result.content(), output = job.output.content();
    const FinishedRun finished = job.run->tool == experiment::Tool::oracle
                                     ? finished_tool(program, ending, report::read_oracle_summary, result, output)
                                     : finished_run(program, ending, job.processes, job.result.path(), output);
    experiment::StoredRun stored{job.run->key, options_.version, finished.failure, job.run->label, seconds,
                                 "",           ending.megabytes};
    if (SignalForwarder::interrupted() && (finished.partial() || stored.failed())) {
        stored.failure = "interrupted";
        return results_.put_interrupted(stored);
    }
    if (finished.summary) {
        stored.result = result;
        check_revision(stored.result, runtime_);
    }
    if (!stored.failed() && finished.partial())
        stored.failure = fmt::format("stopped early: {}", finished.summary->status);
    if (!stored.failed() && job.processes.that_launched() > 1)
        stored.failure = fmt::format("{} processes launched kernels; a run of an experiment is one of them",
                                     job.processes.that_launched());
    if (ending.signal == SIGKILL)
        results_.put_killed(stored);
    else
        results_.put(stored);
    done_seconds_ += seconds;
    ++done_;
    progress.finished(job.run->label, stored.failed(), seconds);
}

void RunQueue::stop_all(SignalForwarder& signals) {
    SignalForwarder::interrupt_children();
    for (const auto& [pid, job] : running_) {
        (void)wait_for(pid);
        signals.remove(pid);
    }
    running_.clear();
}

std::optional<double> RunQueue::expected(const Run& run) const {
    if (run.expected.seconds > 0)
        return run.expected.seconds;
    return done_ == 0 ? std::nullopt : std::optional(done_seconds_ / static_cast<double>(done_));
}

std::optional<double> RunQueue::seconds_left() const {
    double sum = 0;
    for (const auto* runs : {&waiting_, &elsewhere_})
        for (const Run* run : *runs) {
            const std::optional<double> one = expected(*run);
            if (!one)
                return std::nullopt;
            sum += *one;
        }
    for (const auto& [pid, job] : running_) {
        const std::optional<double> one = expected(*job.run);
        if (!one)
            return std::nullopt;
        sum += std::max(0.0, *one - seconds_since(job.begin));
    }
    const std::size_t runs = waiting_.size() + elsewhere_.size() + running_.size();
    return sum / static_cast<double>(std::min(options_.jobs, std::max<std::size_t>(1, runs)));
}

} // namespace heddle::cli
