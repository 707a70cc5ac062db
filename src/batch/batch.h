// Runs on an engine: they are divided into tasks, submitted, and their results are collected. All that a batch knows is
// in a folder that the tasks share (job_folder.h, experiment/result_folder.h), so that a call may end at any moment,
// and the next one goes on. A run whose tasks have ended without its result is submitted again, at most some times.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "batch/engine.h"
#include "batch/job_folder.h"
#include "experiment/claims.h"
#include "experiment/result_folder.h"
#include "experiment/run.h"

namespace heddle::batch {

class Batch {
public:
    struct Options {
        std::filesystem::path folder; // absolute; made when it is missing
        std::string engine;
        std::string version; // of the simulator
        std::string heddle;  // path of the executable
        Profile profile;
    };
    struct Counts {                                // of the runs
        std::size_t all = 0, done = 0, failed = 0; // failed ones are done, too
        std::size_t running = 0, waiting = 0;      // in a task that runs (not all of its runs at once), or waits
        double seconds_left = 0;                   // of one processor
        std::size_t tasks_running = 0;
    };

    // Results go to `to`. Throws UserError: the folder cannot be written, or another call uses it.
    Batch(Options, experiment::Results& to);

    // The runs that are to have results; those that the engine has already are not submitted again.
    void require(std::span<const experiment::Run>);
    // Collects, asks the engine, submits what is missing: once. Messages for the user are added to `messages`.
    void step();
    [[nodiscard]] Counts counts() const;
    [[nodiscard]] bool finished() const {
        return missing_.empty();
    }
    // Whether the user is to start the jobs.
    [[nodiscard]] bool waits_for_user() const;
    // For the user, since the last call.
    [[nodiscard]] std::vector<std::string> take_messages();
    // All tasks end.
    void cancel();
    // Removes the jobs and results of a batch that has finished, unless tasks of it still run.
    void clean_up();

private:
    struct Wanted {
        experiment::Run run;
        experiment::Cost need; // limits grow with what has gone wrong
        std::size_t attempts = 0;
        std::string last_end; // of the last attempt
        enum class State { missing, waiting, running } state = State::missing;
        std::size_t polls_gone = 0; // polls since no task has it
    };

    void collect();
    [[nodiscard]] bool ask();
    void note_states();
    // Calls f(run, number of its task) for the runs of a job that have no result yet.
    template <class F>
    void for_each_missing(const BatchJob&, F&& f);
    void note_end(BatchJob&, std::size_t task, TaskState::Cause);
    void note_loss(Wanted&, const BatchJob&, TaskState::Cause) const;
    void give_up_or_submit();
    void give_up(const Wanted&);
    void submit(const std::vector<const Wanted*>&);
    void submit_job(std::span<const Wanted* const>, std::span<const std::vector<std::size_t>> tasks, double seconds,
                    double megabytes);
    [[nodiscard]] std::size_t tasks_in_queue() const;

    Options options_;
    experiment::Results& to_;
    std::unique_ptr<Engine> engine_;
    experiment::ResultFolder results_;
    experiment::Claims lock_; // one call at a time looks after the jobs
    Limits limits_;
    std::vector<BatchJob> jobs_;
    std::map<std::string, Tasks> states_; // of the last answer of the engine
    bool answered_ = false;
    std::map<std::string, Wanted> missing_; // by key
    std::size_t all_ = 0, failed_ = 0;
    std::vector<std::string> messages_;
};

} // namespace heddle::batch
