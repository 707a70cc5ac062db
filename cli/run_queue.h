// The runs of experiments in processes of their own, several at a time; each result is stored as it comes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "child.h"
#include "experiment/plan.h"
#include "experiment/store.h"
#include "progress.h"

namespace heddle::cli {

class RunQueue {
public:
    struct Options {
        std::string version; // of the simulator, under which results are stored
        std::size_t jobs = 1;
        bool repeat = false;          // also where another process has stored a result in the meantime
        std::uint64_t max_cycles = 0; // of a simulation: one that takes more has failed; 0: no limit
    };
    RunQueue(experiment::Store&, Options);

    // Whether all of them came to an end, well or not: false when the user interrupted. Throws UserError when a
    // result cannot be stored; runs in flight are stopped then.
    bool run(const std::vector<const experiment::Run*>&);

    // Programs that cannot be run at all, by path: why.
    [[nodiscard]] const std::map<std::string, std::string>& refused() const {
        return refused_;
    }

private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        const experiment::Run* run = nullptr;
        std::filesystem::path result, output;
        Clock::time_point begin;
    };

    [[nodiscard]] bool may_run(const experiment::Run&);
    [[nodiscard]] ChildSpec timed(const experiment::Run&, const std::string& result) const;
    void launch(const experiment::Run&, SignalForwarder&);
    void wait(Progress&, SignalForwarder&);
    void finish(const Job&, const Ending&, Progress&);
    void stop_all(SignalForwarder&);
    [[nodiscard]] std::optional<double> seconds_left(const std::vector<const experiment::Run*>& waiting) const;
    [[nodiscard]] std::optional<double> expected(const experiment::Run&) const;

    experiment::Store& store_;
    Options options_;
    std::filesystem::path runtime_;
    TemporaryFolder temporary_;
    std::map<std::string, std::string> refused_; // by program; empty: it was checked and can be run
    std::map<pid_t, Job> running_;
    std::map<std::string, double> expected_; // by key
    double done_seconds_ = 0;
    std::size_t done_ = 0;
};

} // namespace heddle::cli
