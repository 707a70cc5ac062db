// The runs of experiments in separate processes, several at a time. Each result is put where results are kept when its
// run ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "child.h"
#include "experiment/results.h"
#include "experiment/run.h"
#include "processes.h"
#include "progress.h"
#include "temporary_file.h"

namespace heddle::cli {

class RunQueue {
public:
    struct Options {
        std::string version; // of the simulator; results are stored with it
        std::size_t jobs = 1;
        bool repeat = false; // also runs whose result is there, or is made by another process meanwhile
    };
    RunQueue(experiment::Results&, Options);

    // True when all runs have ended, with or without success; false when the user interrupted. A run that another
    // process makes at this time is waited for. Throws UserError when a result cannot be kept; then the other runs are
    // stopped.
    bool run(const std::vector<experiment::Run>&);

    // Programs that cannot be run, by path, with the reason.
    [[nodiscard]] const std::map<std::string, std::string>& refused() const {
        return refused_;
    }

private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        const experiment::Run* run = nullptr;
        Clock::time_point begin;
        TemporaryFile result{}, output{};
        Processes processes{};
    };

    [[nodiscard]] bool may_run(const experiment::Run&);
    [[nodiscard]] ChildSpec timed(const Job&) const;
    // Makes the run, unless its result is there, or another process makes it.
    void begin(const experiment::Run&, Progress&, SignalForwarder&);
    void launch(const experiment::Run&, SignalForwarder&);
    void wait(Progress&, SignalForwarder&);
    void finish(Job&, const Ending&, Progress&);
    void keep(Job&, const Ending&, Progress&);
    void stop_all(SignalForwarder&);
    [[nodiscard]] std::optional<double> seconds_left() const;
    [[nodiscard]] std::optional<double> expected(const experiment::Run&) const;

    experiment::Results& results_;
    Options options_;
    std::filesystem::path runtime_;
    std::map<std::string, std::string> refused_; // by program; empty: it was checked and can be run
    std::map<pid_t, Job> running_;
    std::vector<const experiment::Run*> waiting_;   // taken from the end
    std::vector<const experiment::Run*> elsewhere_; // made by other processes
    double done_seconds_ = 0;
    std::size_t done_ = 0;
};

// A simulation that takes more cycles has failed. `heddle oracle` simulates no time: its runs stay as they are.
void limit_cycles(std::vector<experiment::Run>&, std::uint64_t max_cycles);

} // namespace heddle::cli
