// What runs the jobs of a batch: Slurm, this computer, or a script that the user starts. An engine is one file; it
// registers itself by name for `--on NAME` (docs/batch.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/registry.h"
#include "batch/profile.h"

namespace heddle::batch {

// An array of tasks with the same limits, numbered from 1. Task i runs `sh FOLDER/task.sh i`, which is harmless to
// repeat.
struct Job {
    std::string name;             // of this job alone
    std::filesystem::path folder; // task.sh, and log/ for the output of the tasks: log/i.txt
    std::size_t tasks = 0;
    double seconds = 0, megabytes = 0; // limits of a task

    [[nodiscard]] std::filesystem::path script() const {
        return folder / "task.sh";
    }
    [[nodiscard]] std::filesystem::path log(std::size_t task) const {
        return folder / "log" / (std::to_string(task) + ".txt");
    }
};

inline constexpr std::size_t kNoLimit = 1'000'000;

struct Limits {
    std::size_t tasks_in_job = 1;   // of one submission
    std::size_t tasks_in_queue = 1; // at any time
    std::size_t processors = 1;     // that may run tasks at once
};

struct TaskState {
    enum class Kind { waiting, running, ended } kind = Kind::waiting;
    enum class Cause { none, out_of_memory, time_limit, node_failed, cancelled } cause = Cause::none; // of the end
};
using Tasks = std::map<std::size_t, TaskState>; // by number; those that the engine does not know any more are not there
[[nodiscard]] std::size_t count(const Tasks&, TaskState::Kind);

// Minutes or megabytes of a job for an engine: rounded up, and at most 10^9, since stored times may be damaged.
[[nodiscard]] std::uint64_t rounded_up(double value);

class Engine {
public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Throws UserError when the engine is not there.
    [[nodiscard]] virtual Limits limits() = 0;
    // The engine's name of the job. Throws UserError when the job is refused.
    [[nodiscard]] virtual std::string submit(const Job&) = 0;
    // The tasks of jobs, by the jobs' names; a job that the engine does not know is not there. Nothing when the engine
    // does not answer at present.
    [[nodiscard]] virtual std::optional<std::map<std::string, Tasks>> state(const std::vector<Job>&) = 0;
    // The jobs end. Throws UserError when the engine refuses.
    virtual void cancel(const std::vector<Job>&) = 0;
    // What the user does to start a job of an engine that does not start it; empty: the engine starts it.
    [[nodiscard]] virtual std::string to_start(const Job&) const {
        return {};
    }
};

using Engines = Registry<Engine, const Profile&>;
[[nodiscard]] Engines& engines();

#define HEDDLE_ENGINE(Class, ...) HEDDLE_REGISTERED(::heddle::batch::engines(), Class, __VA_ARGS__)

} // namespace heddle::batch
