#include "batch/job_folder.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/output_file.h"
#include "base/source.h"
#include "experiment/plan.h"

namespace heddle::batch {

namespace fs = std::filesystem;

namespace {

BatchJob read_job(const fs::path& folder) {
    BatchJob out;
    try {
        const nlohmann::ordered_json json = nlohmann::ordered_json::parse(read_text(folder / "job.json"));
        out.engine = json.at("engine");
        out.job = {json.at("name"), folder, json.at("tasks").size(), json.at("seconds"), json.at("megabytes")};
        json.at("tasks").get_to(out.keys);
        for (const auto& [task, cause] : json.at("ends").items())
            out.ends[std::stoul(task)] = static_cast<TaskState::Cause>(cause.get<int>());
    } catch (const std::exception& e) {
        throw UserError(
            fmt::format("{}: not a job of heddle: {}; remove the folder", (folder / "job.json").string(), e.what()));
    }
    out.id = read_text(folder / "submitted");
    return out;
}

std::size_t number_of(const fs::path& folder) {
    return std::strtoul(folder.filename().c_str(), nullptr, 10);
}

} // namespace

std::string read_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

const char* name_of(TaskState::Cause cause) {
    switch (cause) {
    case TaskState::Cause::out_of_memory:
        return "out of memory";
    case TaskState::Cause::time_limit:
        return "time limit";
    case TaskState::Cause::node_failed:
        return "the node failed";
    case TaskState::Cause::cancelled:
        return "cancelled";
    case TaskState::Cause::none:
        break;
    }
    return "the task ended";
}

std::string new_job_name(const fs::path& folder, std::size_t number) {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    const std::string all = fmt::format("{} {} {}", fs::absolute(folder).string(), getpid(), now);
    return fmt::format("heddle-{}-{}", digest(all).substr(0, 8), number);
}

std::vector<Job> without_runs(const std::vector<BatchJob>& jobs) {
    std::vector<Job> out;
    for (const BatchJob& job : jobs)
        out.push_back(job.job);
    return out;
}

std::vector<BatchJob> read_jobs(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (fs::exists(entry.path() / "job.json", error)) // without it: a call was killed before it submitted anything
            found.push_back(entry.path());
    std::sort(found.begin(), found.end(),
              [](const fs::path& a, const fs::path& b) { return number_of(a) < number_of(b); });
    std::vector<BatchJob> out;
    for (const fs::path& one : found)
        out.push_back(read_job(one));
    return out;
}

void write_job(const BatchJob& job) {
    std::error_code error;
    fs::create_directories(job.job.folder / "log", error);
    nlohmann::ordered_json ends = nlohmann::ordered_json::object();
    for (const auto& [task, cause] : job.ends)
        ends[std::to_string(task)] = static_cast<int>(cause);
    const nlohmann::ordered_json json{{"name", job.job.name},       {"engine", job.engine},
                                      {"seconds", job.job.seconds}, {"megabytes", job.job.megabytes},
                                      {"tasks", job.keys},          {"ends", std::move(ends)}};
    write_file((job.job.folder / "job.json").string(), json.dump());
}

void note_submitted(BatchJob& job, std::string id) {
    job.id = std::move(id);
    write_file((job.job.folder / "submitted").string(), job.id);
}

} // namespace heddle::batch
