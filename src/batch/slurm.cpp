// Slurm: array jobs by sbatch, their states by squeue. Accounting (sacct) is not needed.
#include <algorithm>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "base/source.h"
#include "batch/command.h"
#include "batch/engine.h"

namespace heddle::batch {
namespace {

// The number behind "NAME = " in the output of `scontrol show config`.
std::optional<std::size_t> setting(const std::string& config, const std::string& name) {
    std::istringstream lines(config);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name)) {
            const std::size_t digits = line.find_first_of("0123456789", line.find('='));
            if (digits != std::string::npos)
                return std::stoul(line.substr(digits));
        }
    return std::nullopt;
}

TaskState state_of(const std::string& word) {
    using Cause = TaskState::Cause;
    using Kind = TaskState::Kind;
    if (word == "PENDING" || word == "CONFIGURING" || word == "REQUEUED" || word == "REQUEUE_HOLD" ||
        word == "REQUEUE_FED" || word == "SPECIAL_EXIT" || word == "RESV_DEL_HOLD")
        return {Kind::waiting, Cause::none};
    if (word == "OUT_OF_MEMORY")
        return {Kind::ended, Cause::out_of_memory};
    if (word == "TIMEOUT" || word == "DEADLINE")
        return {Kind::ended, Cause::time_limit};
    if (word == "NODE_FAIL" || word == "BOOT_FAIL")
        return {Kind::ended, Cause::node_failed};
    if (word == "CANCELLED" || word == "REVOKED" || word == "PREEMPTED")
        return {Kind::ended, Cause::cancelled};
    if (word == "COMPLETED" || word == "FAILED")
        return {Kind::ended, Cause::none};
    return {Kind::running, Cause::none}; // also COMPLETING, SUSPENDED, STAGE_OUT, ...
}

class Slurm final : public Engine {
public:
    explicit Slurm(const Profile& profile) : profile_(profile.slurm) {}

    // Half of the places in the queue stay for others.
    Limits limits() override {
        const CommandResult config = run_command({"scontrol", "show", "config"});
        if (config.status != 0)
            throw UserError(fmt::format("Slurm cannot be asked (scontrol show config): {}", config.complaint()));
        Limits out;
        const std::size_t array = setting(config.output, "MaxArraySize").value_or(1001);
        out.tasks_in_job = std::max<std::size_t>(1, array - std::min<std::size_t>(array, 1)); // indices are below
        out.tasks_in_queue = std::max<std::size_t>(1, setting(config.output, "MaxJobCount").value_or(10'000) / 2);
        out.processors = processors();
        return out;
    }

    std::string submit(const Job& job) override {
        const std::uint64_t minutes = rounded_up(std::max(job.seconds / 60, profile_.least_minutes));
        std::vector<std::string> words{"sbatch",
                                       "--parsable",
                                       "--job-name=" + job.name,
                                       fmt::format("--array=1-{}", job.tasks),
                                       fmt::format("--mem={}M", rounded_up(job.megabytes)),
                                       fmt::format("--time={}", minutes),
                                       fmt::format("--signal=B:TERM@{}", profile_.signal_seconds),
                                       "--requeue",
                                       "--open-mode=append",
                                       "--ntasks=1",
                                       "--cpus-per-task=1",
                                       "--output=" + (job.folder / "log" / "%a.txt").string()};
        for (const auto& [option, value] :
             {std::pair("--partition=", profile_.partition), std::pair("--account=", profile_.account),
              std::pair("--qos=", profile_.qos)})
            if (!value.empty())
                words.push_back(option + value);
        words.insert(words.end(), profile_.arguments.begin(), profile_.arguments.end());
        words.push_back(fmt::format("--wrap=exec sh {} \"$SLURM_ARRAY_TASK_ID\"", quoted(job.script().string())));
        const CommandResult result = run_command(words);
        if (result.status != 0)
            throw UserError(fmt::format("sbatch refuses the job: {}", result.complaint()));
        return result.output.substr(0, result.output.find_first_of(";\n")); // "ID;CLUSTER"
    }

    // In text form, which every version has. Jobs that have ended are listed for some minutes (MinJobAge).
    std::optional<std::map<std::string, Tasks>> state(const std::vector<Job>& jobs) override {
        const CommandResult queue = run_command({"squeue", "--noheader", "--array", "--states=all",
                                                 fmt::format("--user={}", getuid()), "--format=%j|%K|%T"});
        if (queue.status != 0)
            return std::nullopt;
        std::map<std::string, Tasks> out;
        std::istringstream lines(queue.output);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t task = line.find('|'), state = line.rfind('|');
            if (task == std::string::npos || state == task)
                continue;
            const std::string name = line.substr(0, task), number = line.substr(task + 1, state - task - 1);
            const bool ours = std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) { return job.name == name; });
            if (ours && !number.empty() && number.find_first_not_of("0123456789") == std::string::npos)
                out[name][std::stoul(number)] = state_of(line.substr(state + 1));
        }
        return out;
    }

    void cancel(const std::vector<Job>& jobs) override {
        for (const Job& job : jobs)
            if (const CommandResult result =
                    run_command({"scancel", fmt::format("--user={}", getuid()), "--name=" + job.name});
                result.status != 0)
                throw UserError(fmt::format("scancel: {}", result.complaint()));
    }

private:
    // "allocated/idle/other/total", a line for each partition.
    [[nodiscard]] std::size_t processors() const {
        std::vector<std::string> words{"sinfo", "--noheader", "--format=%C"};
        if (!profile_.partition.empty())
            words.push_back("--partition=" + profile_.partition);
        const CommandResult nodes = run_command(words);
        std::istringstream lines(nodes.output);
        std::size_t out = 0;
        for (std::string line; std::getline(lines, line);)
            if (const std::size_t slash = line.rfind('/'); slash != std::string::npos)
                out = std::max<std::size_t>(out, std::strtoul(line.c_str() + slash + 1, nullptr, 10));
        return std::max<std::size_t>(1, out);
    }

    Profile::Slurm profile_;
};

HEDDLE_ENGINE(Slurm, "slurm", "array jobs of Slurm, found again by name", "sbatch, squeue, scancel, scontrol, sinfo");

} // namespace
} // namespace heddle::batch
