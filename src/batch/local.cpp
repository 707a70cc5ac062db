// This computer: the tasks of a job in the background, which go on when the command ends or the user logs out.
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "base/source.h"
#include "batch/command.h"
#include "batch/engine.h"

namespace heddle::batch {
namespace {

namespace fs = std::filesystem;

// When a process was started, by the kernel's clock; with the number it names a process for ever. Nothing when there is
// no such process.
std::optional<std::string> start_of(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos)
        return std::nullopt;
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) // the name is the second field
        fields >> field;
    return field;
}

class Local final : public Engine {
public:
    explicit Local(const Profile& profile)
        : processes_(profile.local_jobs != 0 ? profile.local_jobs : std::max(1U, std::thread::hardware_concurrency())) {
    }

    Limits limits() override {
        return {kNoLimit, kNoLimit, processes_};
    }

    // Jobs of one batch follow each other: together they would take more processors than one.
    std::string submit(const Job& job) override {
        const std::string folder = job.folder.string();
        const std::string task =
            fmt::format("sh {0}/task.sh \"$1\" > {0}/log/\"$1\".txt 2>&1; : > {0}/log/\"$1\".done", quoted(folder));
        const std::string all = fmt::format(
            "echo $$ $(cut -d' ' -f22 /proc/$$/stat) > {0}/process; exec flock {1} xargs -P {2} -n 1 sh -c {3} task",
            quoted(folder), quoted((job.folder.parent_path() / "local.lock").string()), processes_, quoted(task));
        const CommandResult result =
            run_command({"sh", "-c",
                         fmt::format("seq {} > {}/tasks && setsid --fork sh -c {} < {}/tasks > /dev/null 2>&1",
                                     job.tasks, quoted(folder), quoted(all), quoted(folder))});
        if (result.status != 0)
            throw UserError(fmt::format("the tasks cannot be started: {}", result.complaint()));
        return job.name;
    }

    std::optional<std::map<std::string, Tasks>> state(const std::vector<Job>& jobs) override {
        std::map<std::string, Tasks> out;
        for (const Job& job : jobs)
            if (is_alive(job))
                out[job.name] = tasks_of(job);
        return out;
    }

    void cancel(const std::vector<Job>& jobs) override {
        for (const Job& job : jobs)
            if (is_alive(job))
                (void)kill(-process_of(job).first, SIGTERM); // the whole session
    }

private:
    static std::pair<pid_t, std::string> process_of(const Job& job) {
        std::ifstream file(job.folder / "process");
        pid_t process = 0;
        std::string start;
        file >> process >> start;
        return {process, start};
    }

    // A job that was submitted a moment ago may not have written its number yet: the file comes within the second.
    static bool is_alive(const Job& job) {
        std::error_code error;
        if (!fs::exists(job.folder / "process", error))
            return fs::exists(job.folder / "tasks", error);
        const auto [process, start] = process_of(job);
        return process != 0 && start_of(process) == start;
    }

    static Tasks tasks_of(const Job& job) {
        Tasks out;
        std::error_code error;
        for (std::size_t task = 1; task <= job.tasks; ++task) {
            const bool begun = fs::exists(job.log(task), error);
            const bool ended = fs::exists(fs::path(job.log(task)).replace_extension("done"), error);
            using Kind = TaskState::Kind;
            out[task] = {ended ? Kind::ended : begun ? Kind::running : Kind::waiting, TaskState::Cause::none};
        }
        return out;
    }

    std::size_t processes_;
};

HEDDLE_ENGINE(Local, "local", "this computer, in the background", "setsid, flock, xargs");

} // namespace
} // namespace heddle::batch
