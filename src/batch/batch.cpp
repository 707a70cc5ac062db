#include "batch/batch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/source.h"
#include "batch/division.h"
#include "batch/task_script.h"
#include "experiment/plan_file.h"

namespace heddle::batch {

namespace fs = std::filesystem;
using experiment::Cost;
using experiment::Loss;
using experiment::Run;

namespace {

constexpr double kTaskSeconds = 60;    // of the limit of a task, beside its runs
constexpr double kTaskMegabytes = 100; // of heddle, beside the program
constexpr std::size_t kPolls = 2;      // a file may be seen later than the end of the task that wrote it
constexpr double kLonger = 1.5;        // times the minutes of a task where the queue is short

// The last lines of a file, as one.
std::string end_of(const fs::path& path) {
    std::string text = read_text(path);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    constexpr std::size_t kMost = 300;
    const std::size_t line = text.rfind('\n', text.size() - std::min<std::size_t>(text.size(), kMost));
    text = line == std::string::npos ? text : text.substr(line + 1);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::size_t number_after(const std::vector<BatchJob>& jobs) {
    return jobs.empty() ? 1 : std::strtoul(jobs.back().job.folder.filename().c_str(), nullptr, 10) + 1;
}

} // namespace

// Where the file system has no locks, a second call is not noticed.
Batch::Batch(Options options, experiment::Results& to)
    : options_(std::move(options)), to_(to), engine_(engines().make(options_.engine, options_.profile)),
      results_(options_.folder / "results"), lock_(options_.folder / "lock"), limits_(engine_->limits()) {
    if (lock_.claim("jobs") == experiment::Claims::Answer::elsewhere)
        throw UserError(fmt::format("{}: another call of heddle looks after these jobs", options_.folder.string()));
    jobs_ = read_jobs(options_.folder / "jobs");
    for (const BatchJob& job : jobs_)
        if (job.engine != options_.engine)
            throw UserError(fmt::format("{}: has jobs of the engine {}; go on with --on {}, or cancel them with heddle "
                                        "jobs --cancel",
                                        options_.folder.string(), job.engine, job.engine));
}

template <class F>
void Batch::for_each_missing(const BatchJob& job, F&& f) {
    for (std::size_t task = 1; task <= job.keys.size(); ++task)
        for (const std::string& key : job.keys_of(task))
            if (const auto at = missing_.find(key); at != missing_.end())
                f(at->second, task);
}

void Batch::require(std::span<const Run> runs) {
    const Profile& profile = options_.profile;
    for (const Run& run : runs) {
        Wanted wanted{run, run.expected, 0, "", Wanted::State::missing, 0};
        if (wanted.need.seconds <= 0)
            wanted.need.seconds = profile.unknown_minutes * 60;
        if (wanted.need.megabytes <= 0)
            wanted.need.megabytes = profile.unknown_megabytes;
        all_ += missing_.insert_or_assign(run.key, std::move(wanted)).second ? 1 : 0;
    }
    for (const BatchJob& job : jobs_)
        if (!job.id.empty())
            for_each_missing(job, [&](Wanted& wanted, std::size_t task) {
                ++wanted.attempts;
                if (const auto end = job.ends.find(task); end != job.ends.end())
                    note_loss(wanted, job, end->second);
            });
}

void Batch::step() {
    collect();
    if (missing_.empty() || !ask())
        return;
    give_up_or_submit();
}

// One look at the folder tells which files have come.
void Batch::collect() {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(results_.path(), error)) {
        const fs::path& file = entry.path();
        const auto at = file.extension() == ".run" ? missing_.find(file.stem().string()) : missing_.end();
        if (at == missing_.end())
            continue;
        const auto found = results_.find(at->first, options_.version);
        if (!found)
            continue;
        to_.put(*found);
        failed_ += found->failed() ? 1 : 0;
        missing_.erase(at);
    }
}

// False when the engine does not answer.
bool Batch::ask() {
    auto states = jobs_.empty() ? std::map<std::string, Tasks>() : engine_->state(without_runs(jobs_));
    if (answered_ && !states)
        messages_.emplace_back("the engine does not answer; its jobs are taken to go on");
    answered_ = states.has_value();
    if (!states)
        return false;
    states_ = std::move(*states);
    for (BatchJob& job : jobs_)
        if (job.id.empty() && states_.contains(job.job.name)) { // a call was killed when it had submitted the job
            note_submitted(job, job.job.name);
            for_each_missing(job, [](Wanted& wanted, std::size_t) { ++wanted.attempts; });
        }
    note_states();
    return true;
}

// The state of each missing run, from the task that has it.
void Batch::note_states() {
    for (auto& [key, wanted] : missing_)
        wanted.state = Wanted::State::missing;
    for (const BatchJob& job : jobs_) {
        const Tasks& tasks = states_[job.job.name];
        for_each_missing(job, [&](Wanted& wanted, std::size_t task) {
            const auto at = tasks.find(task);
            if (at != tasks.end() && at->second.kind != TaskState::Kind::ended)
                wanted.state =
                    at->second.kind == TaskState::Kind::running ? Wanted::State::running : Wanted::State::waiting;
        });
    }
    for (auto& [key, wanted] : missing_)
        wanted.polls_gone = wanted.state == Wanted::State::missing ? wanted.polls_gone + 1 : 0;
}

// What a run needs after a task of `job` has ended without its result.
void Batch::note_loss(Wanted& wanted, const BatchJob& job, TaskState::Cause cause) const {
    const Profile& profile = options_.profile;
    const auto loss = results_.loss(wanted.run.key);
    const bool killed = loss && loss->cause == Loss::Cause::killed;
    if (killed || cause == TaskState::Cause::out_of_memory)
        wanted.need.megabytes = std::max(wanted.need.megabytes, 2 * job.job.megabytes / profile.memory_margin);
    const bool out_of_time = loss && loss->cause == Loss::Cause::interrupted && cause != TaskState::Cause::cancelled;
    if (out_of_time || cause == TaskState::Cause::time_limit)
        wanted.need.seconds = std::max(wanted.need.seconds, 2 * job.job.seconds / profile.time_margin);
    wanted.last_end = killed && cause == TaskState::Cause::none ? loss->reason : name_of(cause);
}

// Writes down how a task has ended, once.
void Batch::note_end(BatchJob& job, std::size_t task, TaskState::Cause cause) {
    if (!job.ends.emplace(task, cause).second)
        return;
    write_job(job);
    // Runs are made one after the other: the first one without a result was being made, the others had not begun.
    bool first = true;
    for (const std::string& key : job.keys_of(task)) {
        const auto at = missing_.find(key);
        if (at == missing_.end())
            continue;
        const bool limited = cause == TaskState::Cause::time_limit || cause == TaskState::Cause::out_of_memory;
        if (first || !limited)
            note_loss(at->second, job, cause);
        else
            at->second.last_end = name_of(cause);
        first = false;
        results_.forget_loss(key);
        if (const std::string log = end_of(job.job.log(task)); !log.empty())
            at->second.last_end += fmt::format("; {}", log);
    }
}

void Batch::give_up_or_submit() {
    std::map<std::string, std::pair<BatchJob*, std::size_t>> latest; // job and task of a run that no task has any more
    for (BatchJob& job : jobs_)
        if (!job.id.empty())
            for_each_missing(job, [&](const Wanted& wanted, std::size_t task) {
                if (wanted.polls_gone >= kPolls)
                    latest[wanted.run.key] = {&job, task};
            });
    for (const auto& [key, place] : latest) {
        const auto& [job, task] = place;
        const Tasks& tasks = states_[job->job.name];
        const auto at = tasks.find(task);
        note_end(*job, task, at == tasks.end() ? TaskState::Cause::none : at->second.cause);
    }
    std::vector<const Wanted*> wanted;
    std::vector<std::string> hopeless;
    for (const auto& [key, one] : missing_) {
        if (one.state != Wanted::State::missing || (one.attempts != 0 && one.polls_gone < kPolls))
            continue;
        if (one.attempts >= options_.profile.attempts)
            hopeless.push_back(key);
        else
            wanted.push_back(&one);
    }
    for (const std::string& key : hopeless)
        give_up(missing_.at(key));
    if (!wanted.empty())
        submit(wanted);
}

void Batch::give_up(const Wanted& wanted) {
    const std::string why = fmt::format("no result after {} attempts: {}", wanted.attempts, wanted.last_end);
    to_.put({wanted.run.key, options_.version, why, wanted.run.label, 0, "", 0});
    ++failed_;
    missing_.erase(std::string(wanted.run.key));
}

std::size_t Batch::tasks_in_queue() const {
    std::size_t out = 0;
    for (const auto& [name, tasks] : states_)
        out += tasks.size() - count(tasks, TaskState::Kind::ended);
    return out;
}

// Tasks of one job have about the same limits: those of a class of memory and time, each class half of the next.
void Batch::submit(const std::vector<const Wanted*>& wanted) {
    const Profile& profile = options_.profile;
    std::vector<Cost> costs;
    for (const Wanted* one : wanted)
        costs.push_back(one->need);
    const std::size_t room = limits_.tasks_in_queue - std::min(limits_.tasks_in_queue, tasks_in_queue());
    const double most = profile.minutes * 60;
    std::vector<Task> tasks = divide(costs, target_seconds(costs, limits_.processors, most));
    if (tasks.size() > room)
        tasks = divide(costs, most * kLonger);
    tasks.resize(std::min(tasks.size(), room)); // the others follow when there is room
    const auto limit = [&](const Task& task) { return task.seconds * profile.time_margin + kTaskSeconds; };
    std::map<std::pair<int, int>, std::vector<const Task*>, std::greater<>> classes;
    std::size_t again = 0;
    for (const Task& task : tasks) {
        classes[{std::ilogb(limit(task)), std::ilogb(task.megabytes)}].push_back(&task);
        for (const std::size_t run : task.runs)
            again += wanted[run]->attempts != 0 ? 1 : 0;
    }
    if (again != 0)
        messages_.push_back(
            fmt::format("{} runs have no result though their tasks have ended; they are submitted again", again));
    for (const auto& [kind, list] : classes)
        for (std::size_t first = 0; first < list.size(); first += limits_.tasks_in_job) {
            std::vector<std::vector<std::size_t>> runs;
            double seconds = 0, megabytes = 0;
            for (std::size_t i = first; i < std::min(list.size(), first + limits_.tasks_in_job); ++i) {
                runs.push_back(list[i]->runs);
                seconds = std::max(seconds, limit(*list[i]));
                megabytes = std::max(megabytes, list[i]->megabytes);
            }
            submit_job(wanted, runs, seconds, megabytes * profile.memory_margin + kTaskMegabytes);
        }
}

// The folder is there before the engine has the job: a call that is killed in between finds the job by its name.
void Batch::submit_job(std::span<const Wanted* const> wanted, std::span<const std::vector<std::size_t>> tasks,
                       double seconds, double megabytes) {
    const std::size_t number = number_after(jobs_);
    const fs::path folder = options_.folder / "jobs" / std::to_string(number);
    std::error_code error;
    fs::remove_all(folder, error); // of a call that was killed before it submitted anything
    BatchJob made{
        {new_job_name(options_.folder, number), folder, tasks.size(), seconds, megabytes}, options_.engine, "", {}, {}};
    TaskScript script{options_.heddle, (folder / "plan.jsonl").string(), results_.path().string(), {}};
    std::vector<Run> runs;
    for (const std::vector<std::size_t>& task : tasks) {
        script.ranges.push_back({runs.size() + 1, runs.size() + task.size()});
        std::vector<std::string>& keys = made.keys.emplace_back();
        for (const std::size_t at : task) {
            runs.push_back(wanted[at]->run);
            runs.back().expected = wanted[at]->need;
            keys.push_back(runs.back().key);
        }
    }
    fs::create_directories(folder / "log", error);
    write_file(made.job.script().string(), task_script(script, options_.profile));
    write_file((folder / "plan.jsonl").string(), experiment::plan_text(runs, options_.version));
    write_job(made);
    try {
        note_submitted(made, engine_->submit(made.job));
    } catch (...) {
        fs::remove_all(folder, error);
        throw;
    }
    if (const std::string what = engine_->to_start(made.job); !what.empty())
        messages_.push_back(what);
    for_each_missing(made, [](Wanted& one, std::size_t) {
        ++one.attempts;
        one.polls_gone = 0;
        one.state = Wanted::State::waiting;
    });
    jobs_.push_back(std::move(made));
}

Batch::Counts Batch::counts() const {
    Counts out;
    out.all = all_;
    out.done = all_ - missing_.size();
    out.failed = failed_;
    for (const auto& [key, wanted] : missing_) {
        out.running += wanted.state == Wanted::State::running ? 1 : 0;
        out.waiting += wanted.state == Wanted::State::running ? 0 : 1;
        out.seconds_left += wanted.need.seconds;
    }
    for (const auto& [name, tasks] : states_)
        out.tasks_running += count(tasks, TaskState::Kind::running);
    return out;
}

bool Batch::waits_for_user() const {
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [&](const BatchJob& job) { return !engine_->to_start(job.job).empty(); });
}

std::vector<std::string> Batch::take_messages() {
    return std::exchange(messages_, {});
}

void Batch::cancel() {
    engine_->cancel(without_runs(jobs_));
    std::error_code ignored;
    fs::remove_all(options_.folder / "jobs", ignored);
    jobs_.clear();
}

void Batch::clean_up() {
    std::vector<Job> waiting; // again, after a failure of their nodes
    for (const BatchJob& job : jobs_)
        if (count(states_[job.job.name], TaskState::Kind::waiting) != 0)
            waiting.push_back(job.job);
    engine_->cancel(waiting);
    std::error_code ignored;
    fs::remove_all(options_.folder, ignored);
}

} // namespace heddle::batch
