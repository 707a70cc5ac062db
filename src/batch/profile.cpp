#include "batch/profile.h"

#include <fmt/format.h>

#include "experiment/fields.h"

namespace heddle::batch {

using experiment::Fields;
using experiment::Problems;

namespace {

// Beyond these the arithmetic on times and sizes would not hold.
constexpr double kMostMinutes = 1e6, kMostMegabytes = 1e9, kMostMargin = 1000, kMostSeconds = 86'400;
constexpr std::uint64_t kMostAttempts = 20; // each may double the memory
constexpr std::uint64_t kMostJobs = 1024;

void read_positive(Fields& fields, const char* key, double most, double& value) {
    value = fields.number(key, value);
    if (!(value > 0 && value <= most))
        fields.problem(key, fmt::format("{}: must be above 0 and at most {}", key, most));
}

void read_count(Fields& fields, const char* key, std::uint64_t least, std::uint64_t most, std::uint64_t& value) {
    value = fields.count(key, value);
    if (value < least || value > most)
        fields.problem(key, fmt::format("{}: must be from {} to {}", key, least, most));
}

void read_slurm(const toml::table& table, const std::string& file, Problems& problems, Profile::Slurm& out) {
    Fields fields(table, "slurm", file, problems);
    out.partition = fields.text("partition");
    out.account = fields.text("account");
    out.qos = fields.text("qos");
    out.arguments = fields.texts("arguments");
    read_positive(fields, "least_minutes", kMostMinutes, out.least_minutes);
    read_count(fields, "signal_seconds", 0, static_cast<std::uint64_t>(kMostSeconds), out.signal_seconds);
    fields.finish();
}

} // namespace

Profile read_profile(const std::filesystem::path& path) {
    const toml::table root = experiment::read_toml(path.string());
    Problems problems;
    Fields fields(root, "a profile", path.string(), problems);
    Profile out;
    read_positive(fields, "minutes", kMostMinutes, out.minutes);
    read_positive(fields, "unknown_minutes", kMostMinutes, out.unknown_minutes);
    read_positive(fields, "unknown_megabytes", kMostMegabytes, out.unknown_megabytes);
    read_positive(fields, "time_margin", kMostMargin, out.time_margin);
    read_positive(fields, "memory_margin", kMostMargin, out.memory_margin);
    read_positive(fields, "poll_seconds", kMostSeconds, out.poll_seconds);
    read_count(fields, "attempts", 1, kMostAttempts, out.attempts);
    out.setup = fields.texts("setup");
    if (const toml::table* slurm = fields.table("slurm"))
        read_slurm(*slurm, path.string(), problems, out.slurm);
    if (const toml::table* table = fields.table("local")) {
        Fields local(*table, "local", path.string(), problems);
        read_count(local, "jobs", 0, kMostJobs, out.local_jobs);
        local.finish();
    }
    fields.finish();
    problems.throw_if_any();
    return out;
}

} // namespace heddle::batch
