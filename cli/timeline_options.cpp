#include "timeline_options.h"

#include <fmt/format.h>

#include "command.h"
#include "whole_number.h"

namespace heddle::cli {

void TimelineOptions::add_to(CLI::App& command) {
    command.add_option("-t,--timeline", file, "record what happens over time, for ui.perfetto.dev (docs/timeline.md)")
        ->type_name("TRACE.json");
    const auto number = [&](const char* name, std::uint64_t& value, const char* meaning) {
        command.add_option(name, value, meaning)
            ->check(whole_number(0))
            ->type_name("N")
            ->capture_default_str()
            ->each([this](const std::string&) { tuned_ = true; });
    };
    number("--timeline-events", record.events, "record at most N events: this bounds the file");
    number("--timeline-sample", record.sample, "take a sample of occupancy and progress every N cycles");
    number("--timeline-from", record.range.from, "record no event that ends before cycle N");
    command.add_option("--timeline-to", record.range.to, "record no event that begins in cycle N or later")
        ->check(whole_number(1))
        ->type_name("N")
        ->each([this](const std::string&) { tuned_ = true; });
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
    if (record.range.from >= record.range.to)
        throw UsageError(fmt::format("--timeline-from {} is not before --timeline-to {}: no cycle is left",
                                     record.range.from, record.range.to));
    return file.empty() ? std::nullopt : std::optional(record);
}

} // namespace heddle::cli
