// heddle work: the runs of a plan file, or of a part of it, with a result file each (docs/batch.md).
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "child.h"
#include "command.h"
#include "experiment/plan_file.h"
#include "experiment/result_folder.h"
#include "run_queue.h"
#include "simulator_version.h"
#include "whole_number.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;
using experiment::PlannedRun;
using experiment::ResultFolder;
using experiment::Run;

struct WorkOptions {
    std::string plan, range, results;
    RunsAtATime jobs;
    std::uint64_t max_cycles = 0;
};

// "3-10", or "3" alone.
experiment::LineRange range_of(const std::string& text) {
    if (text.empty())
        return {};
    if (const auto range = number_range(text); range && range->first >= 1)
        return {range->first, range->second};
    throw UsageError(fmt::format("--range: '{}' is not a range of lines; write A-B, from 1, with A not above B", text));
}

// A run whose program or input has changed has failed: what was planned cannot be made any more.
std::vector<Run> runs_to_make(const std::vector<PlannedRun>& planned, const std::string& version,
                              ResultFolder& results) {
    std::vector<Run> out;
    for (const PlannedRun& one : planned) {
        if (one.version != version)
            throw UserError(
                fmt::format("the plan is of revision {}, this heddle of {}; use the heddle that made the plan",
                            one.version, version));
        if (results.find(one.run.key, version))
            continue;
        if (const std::string change = experiment::changed_since(one.run); !change.empty())
            results.put({one.run.key, version, change, one.run.label, 0, "", 0});
        else
            out.push_back(one.run);
    }
    return out;
}

int work(const WorkOptions& options) {
    const std::vector<PlannedRun> planned = experiment::read_plan(options.plan, range_of(options.range));
    const std::string version = simulator_version();
    ResultFolder results(options.results.empty() ? fs::path(options.plan + ".results") : fs::path(options.results));
    std::vector<Run> runs = runs_to_make(planned, version, results);
    if (options.max_cycles != 0)
        limit_cycles(runs, options.max_cycles);
    RunQueue queue(results, {version, options.jobs.count()});
    const bool finished = queue.run(runs);
    for (const Run& run : runs)
        if (const auto refused = queue.refused().find(run.program.string());
            refused != queue.refused().end() && !refused->second.empty())
            results.put({run.key, version, refused->second, run.label, 0, "", 0});
    if (!finished) {
        fmt::print(stderr, "heddle: interrupted; the same call goes on where this one ended\n");
        return SignalForwarder::exit_status();
    }
    const auto has_result = [&](const PlannedRun& one) { return results.find(one.run.key, version).has_value(); };
    const auto made = std::count_if(planned.begin(), planned.end(), has_result);
    fmt::print("{} of {} runs have results in {}\n", made, planned.size(), results.path().string());
    return static_cast<std::size_t>(made) == planned.size() ? 0 : kFailed;
}

} // namespace

void add_work(CLI::App& app, int& status) {
    auto* command = app.add_subcommand(
        "work", "Makes the runs of a plan: heddle work PLAN [--range A-B] (heddle reproduce --plan writes plans)");
    const auto options = std::make_shared<WorkOptions>();
    command->add_option("PLAN", options->plan, "a file with a planned run in each line")->required();
    command->add_option("--range", options->range, "only these lines, from 1")->type_name("A-B");
    command->add_option("--results", options->results, "folder of the result files (default: PLAN.results)")
        ->type_name("DIR");
    options->jobs.add_to(*command);
    command->add_option("--max-cycles", options->max_cycles, "a run that takes more than N simulated cycles has failed")
        ->check(whole_number(1))
        ->type_name("N");
    command->footer("A run that has a result is passed over: to repeat a call is harmless.");
    command->callback([options, &status] { status = work(*options); });
}

} // namespace heddle::cli
