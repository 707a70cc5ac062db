// Any other engine: the user starts the tasks, and calls heddle again for the results. The job's folder gets a file for
// each engine that is often met.
#include <fmt/format.h>

#include "base/output_file.h"
#include "batch/command.h"
#include "batch/engine.h"

namespace heddle::batch {
namespace {

constexpr std::size_t kProcessors = 64; // for how many the runs are divided

struct Values {
    std::string script, logs;
    std::size_t tasks;
    std::uint64_t minutes, megabytes;
};

std::string for_parallel(const Values& v) {
    return fmt::format("#!/bin/sh\n# GNU parallel: as many tasks at a time as this computer has processors.\n"
                       "seq {} | parallel --memfree {}M 'sh {} {{}} > {}/{{}}.txt 2>&1'\n",
                       v.tasks, v.megabytes, v.script, v.logs);
}

std::string for_pbs(const Values& v) {
    return fmt::format("#!/bin/sh\n#PBS -J 1-{}\n#PBS -l select=1:ncpus=1:mem={}mb\n#PBS -l walltime={}:{:02}:00\n"
                       "#PBS -j oe\n#PBS -o {}\n#PBS -r y\n"
                       "# qsub pbs.sh; Grid Engine and LSF count their tasks from 1, too.\n"
                       "exec sh {} \"${{PBS_ARRAY_INDEX:-${{SGE_TASK_ID:-${{LSB_JOBINDEX:?no task number}}}}}}\"\n",
                       v.tasks, v.megabytes, v.minutes / 60, v.minutes % 60, v.logs, v.script);
}

std::string for_condor(const Values& v) {
    return fmt::format("# condor_submit condor.sub\nuniverse = vanilla\nexecutable = /bin/sh\narguments = {} $(task)\n"
                       "output = {}/$(task).txt\nerror = {}/$(task).txt\nlog = {}/condor.log\n"
                       "request_cpus = 1\nrequest_memory = {}M\nqueue task from seq 1 {} |\n",
                       v.script, v.logs, v.logs, v.logs, v.megabytes, v.tasks);
}

std::string for_kubernetes(const Values& v, const std::string& name) {
    return fmt::format(
        R"yaml(# kubectl apply -f kubernetes.yaml, after IMAGE and the volume are filled in: the image needs the libraries of
# heddle, and the volume must be seen under the same path as here.
apiVersion: batch/v1
kind: Job
metadata:
  name: {}
spec:
  completionMode: Indexed
  completions: {}
  parallelism: {}
  backoffLimitPerIndex: 3
  activeDeadlineSeconds: {}
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: heddle
          image: IMAGE
          command: ["/bin/sh", "-c", "exec sh {} $((JOB_COMPLETION_INDEX + 1))"]
          resources:
            requests: {{ cpu: "1", memory: "{}Mi" }}
            limits: {{ memory: "{}Mi" }}
)yaml",
        name, v.tasks, std::min(v.tasks, kProcessors), v.minutes * 60 * v.tasks, v.script, v.megabytes, v.megabytes);
}

class Script final : public Engine {
public:
    explicit Script(const Profile&) {}

    Limits limits() override {
        return {kNoLimit, kNoLimit, kProcessors};
    }

    std::string submit(const Job& job) override {
        const Values values{quoted(job.script().string()), quoted((job.folder / "log").string()), job.tasks,
                            rounded_up(job.seconds / 60), rounded_up(job.megabytes)};
        write_file((job.folder / "parallel.sh").string(), for_parallel(values));
        write_file((job.folder / "pbs.sh").string(), for_pbs(values));
        write_file((job.folder / "condor.sub").string(), for_condor(values));
        write_file((job.folder / "kubernetes.yaml").string(), for_kubernetes(values, job.name));
        return job.name;
    }

    // Whether the tasks run is not known here.
    std::optional<std::map<std::string, Tasks>> state(const std::vector<Job>& jobs) override {
        std::map<std::string, Tasks> out;
        for (const Job& job : jobs)
            for (std::size_t task = 1; task <= job.tasks; ++task)
                out[job.name][task] = {};
        return out;
    }

    void cancel(const std::vector<Job>&) override {}

    std::string to_start(const Job& job) const override {
        return fmt::format("start tasks 1 to {}: sh {} NUMBER; beside it lie parallel.sh, pbs.sh, condor.sub and "
                           "kubernetes.yaml, which do so",
                           job.tasks, job.script().string());
    }
};

HEDDLE_ENGINE(Script, "script", "a shell script that the user starts", "GNU parallel, PBS, HTCondor, Kubernetes");

} // namespace
} // namespace heddle::batch
