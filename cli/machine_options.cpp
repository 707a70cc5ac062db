#include "machine_options.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "config/value.h"

namespace heddle::cli {

void MachineOptions::add_to(CLI::App& command) {
    command
        .add_option("-m,--machine", machine, "machine to simulate: a name (heddle describe machines) or a TOML file")
        ->type_name("MACHINE")
        ->capture_default_str();
    command
        .add_option("-s,--set", settings, "a parameter of the machine, for example dcache.size=32KiB; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
}

config::Machine MachineOptions::load(const std::vector<std::string>& more_settings) const {
    std::vector<std::string> all = settings;
    all.insert(all.end(), more_settings.begin(), more_settings.end());
    try {
        return config::Machine::load(machine, all);
    } catch (const UserError& e) {
        throw UsageError(e.what());
    }
}

std::string MachineOptions::portable_machine() const {
    const std::vector<std::string> names = config::machine_names();
    if (std::find(names.begin(), names.end(), machine) != names.end())
        return machine;
    return std::filesystem::absolute(machine).string();
}

void LimitOptions::add_to(CLI::App& command) {
    command.add_flag("--functional", functional, "no timing: execute, check and count only");
    command.add_option("--max-cycles", max_cycles, "stop after N simulated cycles; the results say so")->type_name("N");
    command.add_option("--max-instructions", max_instructions, "stop after N warp instructions; the results say so")
        ->type_name("N");
    command
        .add_option("--kernels", kernels, "time only the launches A to B, from 0; execute the others without timing")
        ->type_name("A-B");
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> LimitOptions::timed_kernels() const {
    if (kernels.empty())
        return std::nullopt;
    try {
        const std::size_t dash = std::min(kernels.find('-'), kernels.size());
        const std::uint64_t first = config::parse_integer(kernels.substr(0, dash));
        const std::uint64_t last =
            dash == kernels.size() ? first : config::parse_integer(std::string_view(kernels).substr(dash + 1));
        if (last >= first)
            return std::pair(first, last);
    } catch (const UserError&) { // reported below, with the form of the whole option
    }
    throw UsageError(
        fmt::format("--kernels: '{}' is not a range of launches; write A-B with A not above B, for example "
                    "0-3, or one number",
                    kernels));
}

std::string LimitOptions::to_json(bool progress, const std::optional<runtime::TimelineOptions>& timeline) const {
    nlohmann::ordered_json out{{"functional", functional},
                               {"max_cycles", max_cycles},
                               {"max_instructions", max_instructions},
                               {"kernels", nullptr},
                               {"progress", progress}};
    if (const auto range = timed_kernels())
        out["kernels"] = {range->first, range->second};
    if (timeline)
        out["timeline"] = {{"events", timeline->events}, {"sample", timeline->sample}, {"gap", timeline->gap}};
    return out.dump();
}

void TimelineOptions::add_to(CLI::App& command) {
    command.add_option("-t,--timeline", file, "record what happens over time, for ui.perfetto.dev (docs/timeline.md)")
        ->type_name("TRACE.json");
    const auto number = [&](const char* name, std::uint64_t& value, const char* meaning) {
        command.add_option(name, value, meaning)
            ->type_name("N")
            ->capture_default_str()
            ->each([this](const std::string&) { tuned_ = true; });
    };
    number("--timeline-events", record.events, "record at most N events: this bounds the file");
    number("--timeline-sample", record.sample, "take a sample of occupancy and progress every N cycles");
    number("--timeline-gap", record.gap, "a warp that issues again within N cycles has not stopped running");
}

std::optional<runtime::TimelineOptions> TimelineOptions::recorded() const {
    if (file.empty() && tuned_)
        throw UsageError("what is recorded over time goes to a file: name one with --timeline TRACE.json");
    const auto check = [](const char* option, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
        if (value < least || value > most)
            throw UsageError(fmt::format("{} {}: write a number from {} to {}", option, value, least, most));
    };
    check("--timeline-events", record.events, runtime::TimelineOptions::kFewestEvents, 100'000'000);
    check("--timeline-sample", record.sample, 1, 1'000'000'000);
    check("--timeline-gap", record.gap, 0, 1'000'000'000);
    return file.empty() ? std::nullopt : std::optional(record);
}

} // namespace heddle::cli
