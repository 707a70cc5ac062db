#include "batch/profile.h"

#include <fmt/format.h>

#include "experiment/fields.h"

namespace heddle::batch {

using experiment::Fields;
using experiment::Problems;

namespace {

void read_positive(Fields& fields, const char* key, double& value) {
    value = fields.number(key, value);
    if (!(value > 0))
        fields.problem(key, fmt::format("{}: must be above 0", key));
}

void read_slurm(const toml::table& table, const std::string& file, Problems& problems, Profile::Slurm& out) {
    Fields fields(table, "slurm", file, problems);
    out.partition = fields.text("partition");
    out.account = fields.text("account");
    out.qos = fields.text("qos");
    out.arguments = fields.texts("arguments");
    read_positive(fields, "least_minutes", out.least_minutes);
    out.signal_seconds = fields.count("signal_seconds", out.signal_seconds);
    fields.finish();
}

} // namespace

Profile read_profile(const std::filesystem::path& path) {
    const toml::table root = experiment::read_toml(path.string());
    Problems problems;
    Fields fields(root, "a profile", path.string(), problems);
    Profile out;
    read_positive(fields, "minutes", out.minutes);
    read_positive(fields, "unknown_minutes", out.unknown_minutes);
    read_positive(fields, "unknown_megabytes", out.unknown_megabytes);
    read_positive(fields, "time_margin", out.time_margin);
    read_positive(fields, "memory_margin", out.memory_margin);
    read_positive(fields, "poll_seconds", out.poll_seconds);
    out.attempts = fields.count("attempts", out.attempts);
    if (out.attempts == 0)
        fields.problem("attempts", "attempts: must be above 0");
    out.setup = fields.texts("setup");
    if (const toml::table* slurm = fields.table("slurm"))
        read_slurm(*slurm, path.string(), problems, out.slurm);
    if (const toml::table* table = fields.table("local")) {
        Fields local(*table, "local", path.string(), problems);
        out.local_jobs = local.count("jobs", 0);
        local.finish();
    }
    fields.finish();
    problems.throw_if_any();
    return out;
}

} // namespace heddle::batch
