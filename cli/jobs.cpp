// heddle jobs: the jobs of a batch that a call has left behind (docs/batch.md).
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "batch/batch.h"
#include "command.h"
#include "experiment/claims.h"
#include "experiment/result_folder.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;
using batch::BatchJob;
using batch::TaskState;

struct JobsOptions {
    std::string folder = "results", profile;
    bool cancel = false;
};

std::size_t without_result(const BatchJob& job, const experiment::ResultFolder& results) {
    std::size_t out = 0;
    std::error_code error;
    for (const std::vector<std::string>& task : job.keys)
        for (const std::string& key : task)
            out += fs::exists(results.file_of(key), error) ? 0 : 1;
    return out;
}

// Not while another call looks after the jobs: it would submit them again.
void cancel(const std::vector<BatchJob>& all, batch::Engine& engine, const fs::path& folder) {
    experiment::Claims lock(folder / "lock");
    if (lock.claim("jobs") == experiment::Claims::Answer::elsewhere)
        throw UserError(fmt::format(
            "{}: another call of heddle looks after these jobs; Ctrl-C there, twice, cancels them", folder.string()));
    engine.cancel(batch::without_runs(all));
    std::error_code ignored;
    fs::remove_all(folder / "jobs", ignored);
    fmt::print("{} jobs are cancelled; the same `heddle reproduce` collects the results that have come\n", all.size());
}

int jobs(const JobsOptions& options) {
    const fs::path folder = fs::path(options.folder) / "batch";
    const std::vector<BatchJob> all = batch::read_jobs(folder / "jobs");
    if (all.empty()) {
        fmt::print("{}: no jobs\n", folder.string());
        return 0;
    }
    const batch::Profile profile = options.profile.empty() ? batch::Profile() : batch::read_profile(options.profile);
    const auto engine = batch::engines().make(all.front().engine, profile);
    if (options.cancel) {
        cancel(all, *engine, folder);
        return 0;
    }
    auto states = engine->state(batch::without_runs(all));
    if (!states)
        throw UserError(fmt::format("{} does not answer", all.front().engine));
    const experiment::ResultFolder results(folder / "results");
    fmt::print("{:<24} {:<10} {:>6} {:>8} {:>8} {:>8} {:>8} {:>10}\n", "job", "id", "tasks", "waiting", "running",
               "minutes", "MB", "no result");
    for (const BatchJob& job : all) {
        const batch::Tasks& tasks = (*states)[job.job.name];
        fmt::print("{:<24} {:<10} {:>6} {:>8} {:>8} {:>8.0f} {:>8.0f} {:>10}\n", job.job.name,
                   job.id.empty() ? "-" : job.id, job.job.tasks, batch::count(tasks, TaskState::Kind::waiting),
                   batch::count(tasks, TaskState::Kind::running), job.job.seconds / 60, job.job.megabytes,
                   without_result(job, results));
    }
    return 0;
}

} // namespace

void add_jobs(CLI::App& app, int& status) {
    auto* command =
        app.add_subcommand("jobs", "Lists or cancels the jobs of heddle reproduce --on ENGINE: heddle jobs [DIR]");
    const auto options = std::make_shared<JobsOptions>();
    command->add_option("DIR", options->folder, "the -o folder of the call")->capture_default_str();
    command->add_option("--site", options->profile, "the profile of the call")->type_name("FILE.toml");
    command->add_flag("--cancel", options->cancel, "cancel all of them");
    command->callback([options, &status] { status = jobs(*options); });
}

} // namespace heddle::cli
