// The jobs of a batch on disk, so that another call finds them: FOLDER/jobs/N/ has plan.jsonl, task.sh, job.json, log/,
// and the file `submitted` once the engine has taken the job.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "batch/engine.h"

namespace heddle::batch {

struct BatchJob {
    Job job;
    std::string engine;
    std::string id;                               // of the engine; empty: it may never have been submitted
    std::vector<std::vector<std::string>> keys;   // of the runs, by task
    std::map<std::size_t, TaskState::Cause> ends; // of tasks that ended without all their results

    [[nodiscard]] const std::vector<std::string>& keys_of(std::size_t task) const { // from 1
        return keys[task - 1];
    }
};

// Those in `folder`, in the order in which they were made. Throws UserError when one cannot be read.
[[nodiscard]] std::vector<BatchJob> read_jobs(const std::filesystem::path& folder);
// Makes the job's folder and its log/, and writes job.json. Throws UserError when that is impossible.
void write_job(const BatchJob&);
void note_submitted(BatchJob&, std::string id);
// A name that no other job has, also none of an earlier batch in this folder: an engine lists jobs for some time after
// their end. Like "heddle-1b2c3d4e-7".
[[nodiscard]] std::string new_job_name(const std::filesystem::path& folder, std::size_t number);
[[nodiscard]] std::vector<Job> without_runs(const std::vector<BatchJob>&);
// Empty when the file cannot be read.
[[nodiscard]] std::string read_text(const std::filesystem::path&);
[[nodiscard]] const char* name_of(TaskState::Cause);

} // namespace heddle::batch
