#include "machine_options.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "config/value.h"
#include "whole_number.h"

namespace heddle::cli {

void MachineOptions::add_to(CLI::App& command) {
    command
        .add_option("-m,--machine", machine, "machine to simulate: a name (heddle describe machines) or a TOML file")
        ->type_name("MACHINE")
        ->capture_default_str()
        ->each([this](const std::string&) { named = true; });
    command
        .add_option("-s,--set", settings, "a parameter of the machine, for example dcache.size=32KiB; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->allow_extra_args(false)
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

void LaunchOptions::add_to(CLI::App& command) {
    command.add_flag("--functional", functional, "no timing: execute, check and count only");
    command.add_flag(
        "--strict", strict,
        "an access outside every allocation ends a launch, also in the 2 MiB page of an allocation, where a GPU "
        "lets it pass");
    command.add_flag("--profile", profile,
                     "count by instruction and source line: what each costs, and where units wait (docs/profile.md)");
    command.add_option("--max-cycles", max_cycles, "stop after N simulated cycles; the results say so")
        ->check(whole_number(1))
        ->type_name("N");
    command.add_option("--max-instructions", max_instructions, "stop after N warp instructions; the results say so")
        ->check(whole_number(1))
        ->type_name("N");
    command.add_option("--limit-status", limit_status, "exit status when one of these two limits has ended the run")
        ->check(CLI::Range(0, 255))
        ->type_name("STATUS")
        ->capture_default_str();
    command
        .add_option("--host-threads", host_threads,
                    "threads of this computer that share the SMs of the machine; no result depends on it")
        ->check(whole_number(1))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--kernels", kernels, "time only the launches A to B, from 0; execute the others without timing")
        ->type_name("A-B");
}

void LaunchOptions::add_checks_to(CLI::App& command) {
    command
        .add_option("--check", checks,
                    "look for errors of the kernels: races, uninitialised, barriers, leaks, memory or all, with commas "
                    "between them; what is found makes the exit status 1 (docs/checker.md)")
        ->type_name("LIST");
}

runtime::Checks LaunchOptions::named_checks() const {
    if (checks.empty())
        return {};
    try {
        return runtime::parse_checks(checks);
    } catch (const UserError& e) {
        throw UsageError(fmt::format("--check: {}", e.what()));
    }
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> LaunchOptions::timed_kernels() const {
    if (kernels.empty())
        return std::nullopt;
    if (const auto range = number_range(kernels))
        return range;
    throw UsageError(
        fmt::format("--kernels: '{}' is not a range of launches; write A-B with A not above B, for example "
                    "0-3, or one number",
                    kernels));
}

std::string LaunchOptions::to_json(bool progress, const std::optional<runtime::TimelineOptions>& timeline,
                                   const std::optional<runtime::ThreadTraceOptions>& thread_traces) const {
    nlohmann::ordered_json out{
        {"functional", functional},     {"max_cycles", max_cycles}, {"max_instructions", max_instructions},
        {"host_threads", host_threads}, {"kernels", nullptr},       {"progress", progress}};
    if (const auto range = timed_kernels())
        out["kernels"] = {range->first, range->second};
    if (strict) // left out else: the text is part of the key of stored results
        out["strict"] = true;
    if (profile)
        out["profile"] = true;
    if (const runtime::Checks named = named_checks(); named.any())
        out["check"] = named.names();
    if (timeline) {
        out["timeline"] = {{"events", timeline->events}, {"sample", timeline->sample}, {"gap", timeline->gap}};
        if (!timeline->range.is_whole_run())
            out["timeline"].update({{"from", timeline->range.from}, {"to", timeline->range.to}});
    }
    if (thread_traces)
        out["thread_traces"] = {{"threads", thread_traces->threads}, {"runs", thread_traces->runs}};
    return out.dump();
}

LaunchOptions LaunchOptions::from_json(const std::string& text) {
    if (text.empty())
        return {};
    try {
        const auto json = nlohmann::json::parse(text);
        LaunchOptions out;
        json.at("functional").get_to(out.functional);
        out.strict = json.value("strict", false);
        out.profile = json.value("profile", false);
        out.checks = json.value("check", "");
        json.at("max_cycles").get_to(out.max_cycles);
        json.at("max_instructions").get_to(out.max_instructions);
        json.at("host_threads").get_to(out.host_threads);
        if (const auto& range = json.at("kernels"); !range.is_null())
            out.kernels = fmt::format("{}-{}", range.at(0).get<std::uint64_t>(), range.at(1).get<std::uint64_t>());
        return out;
    } catch (const nlohmann::json::exception& e) {
        throw UserError(fmt::format("the options of launches cannot be read: {}", e.what()));
    }
}

} // namespace heddle::cli
