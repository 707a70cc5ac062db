#include "report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/json_parts.h"
#include "report/profile_json.h"
#include "report/timeline.h"
#include "report/views.h"
#include "stats/json.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

Json stalls_json(const Stalls& stalls) {
    Json out = Json::object();
    for (const auto& [cause, slots] : stalls)
        out[cause] = slots;
    return out;
}

Json totals_json(const Counts& counts) {
    return {{"cycles", counts.cycles},
            {"warp_instructions", counts.warp_instructions},
            {"thread_instructions", counts.thread_instructions},
            {"ipc", counts.ipc()}};
}

// Without the statistics.
Json kernel_json(const KernelResult& kernel) {
    Json out = {{"name", kernel.name}, {"grid", dim_json(kernel.grid)}, {"block", dim_json(kernel.block)}};
    if (kernel.cluster.count() != 0)
        out["cluster"] = dim_json(kernel.cluster);
    if (kernel.parent)
        out["parent"] = *kernel.parent;
    out.update(totals_json(kernel.counts));
    out["registers"] = kernel.registers;
    out["shared_bytes"] = kernel.shared_bytes;
    out["blocks_per_sm"] = kernel.blocks_per_sm;
    out["limited_by"] = kernel.limited_by;
    out["timed"] = kernel.timed;
    out["active_lanes"] = kernel.counts.active_lanes;
    out["stalls"] = stalls_json(kernel.counts.stalls);
    return out;
}

std::string kernels_lines(const RunResult& run) {
    std::string out;
    stats::JsonText statistics;
    for (const KernelResult& kernel : run.kernels) {
        out += (out.empty() ? "    " : ",\n    ") + kernel_json(kernel).dump();
        out.back() = ','; // in the place of the closing brace
        out += "\"stats\":";
        statistics.append(out, kernel.counts.stats);
        out += '}';
    }
    return out.empty() ? "[]" : "[\n" + out + "\n  ]";
}

Json place_json(const std::optional<CheckedPlace>& place) {
    if (!place)
        return nullptr;
    return {{"where", place->where},
            {"ptx", place->ptx},
            {"action", place->action},
            {"block", dim_json(place->block)},
            {"thread", dim_json(place->thread)}};
}

Json check_json(const CheckResult& check) {
    const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    return {{"check", check.check},
            {"count", check.count},
            {"text", check.text},
            {"kernel", or_null(check.kernel)},
            {"launch", check.kernel.empty() ? Json(nullptr) : Json(check.launch)},
            {"memory", or_null(check.memory)},
            {"address", check.memory.empty() ? Json(nullptr) : Json(check.address)},
            {"bytes", check.bytes},
            {"allocation", or_null(check.allocation)},
            {"offset", check.offset},
            {"first", place_json(check.first)},
            {"second", place_json(check.second)}};
}

std::string checks_lines(const std::vector<CheckResult>& checks) {
    std::string out;
    for (const CheckResult& check : checks)
        out +=
            (out.empty() ? "    " : ",\n    ") + check_json(check).dump(-1, ' ', false, Json::error_handler_t::replace);
    return out.empty() ? "[]" : "[\n" + out + "\n  ]";
}

Json intensity_json(const std::optional<Intensity>& intensity) {
    return intensity ? Json(intensity_name(*intensity)) : Json(nullptr);
}

// MAWS Figure 2.
Json divergence_json(const probe::MissIntervals& over_time) {
    Json rows = Json::array();
    for (std::size_t r = 0; r < over_time.rows().size(); ++r) {
        const probe::MissInterval& row = over_time.rows()[r];
        rows.push_back(
            {{"cycle", r * over_time.length()},
             {"missed", row.missed},
             {"divergent", row.divergent},
             {"degree", over_time.degrees(r)},
             {"mean_lines", static_cast<double>(row.line_cycles) / static_cast<double>(over_time.cycles_of(r))},
             {"most_lines", row.most_lines}});
    }
    return {{"interval", over_time.length()}, {"rows", rows}};
}

Json rates_json(const DivergenceRates& rates) {
    return {{"non_loop_branches", rates.non_loop_branches},
            {"divergent_branches", rates.divergent_branches},
            {"cache_misses", rates.cache_misses},
            {"divergent_accesses", rates.divergent_accesses}};
}

Json views_json(const RunResult& run, const Counts& counts) {
    Json sizes = Json::object();
    for (const WarpSizes& range : warp_sizes(counts.active_lanes, counts.stalls))
        sizes[range.range] = range.slots;
    const Classification c = classify(counts.active_lanes, counts.cycles != 0);
    Json out = {{"warp_sizes", sizes},
                {"stall_classes", stalls_json(stall_classes(counts.stalls))},
                {"classification",
                 {{"idle_intensity", intensity_json(c.idle)},
                  {"idle_share", c.idle ? Json(c.idle_share) : Json(nullptr)},
                  {"branch_intensity", intensity_json(c.branch)},
                  {"mean_active_threads", c.branch ? Json(c.mean_active_threads) : Json(nullptr)}}}};
    if (const auto rates = divergence_rates(counts.stats))
        out["table2"] = rates_json(*rates);
    if (run.miss_intervals)
        out["divergence"] = divergence_json(*run.miss_intervals);
    return out;
}

Json plugins_json(const std::vector<config::Plugin>& plugins) {
    Json out = Json::array();
    for (const config::Plugin& plugin : plugins)
        out.push_back({{"name", plugin.name}, {"digest", plugin.digest}});
    return out;
}

Json host_json(const RunResult& run) {
    const double seconds = run.host.wall_seconds;
    const double rate = seconds > 0 ? static_cast<double>(run.executed_warp_instructions()) / seconds : 0;
    return {{"wall_seconds", seconds},
            {"warp_instructions_per_second", rate},
            {"threads", run.host.threads},
            {"peak_rss_bytes", run.host.peak_rss_bytes}};
}

} // namespace

std::string_view status_name(Status status) {
    switch (status) {
    case Status::Complete:
        return "complete";
    case Status::Interrupted:
        return "interrupted";
    case Status::MaxCycles:
        return "max_cycles";
    case Status::MaxInstructions:
        return "max_instructions";
    case Status::Failed:
        return "failed";
    }
    return "";
}

std::string to_json(const RunResult& run) {
    const Counts totals = run.totals();
    std::vector<std::pair<const char*, std::string>> members{
        {"heddle", program_json().dump()},
        {"program", Json(run.program).dump(-1, ' ', false, Json::error_handler_t::replace)},
        {"machine", Json(run.machine).dump()},
        {"status", Json(status_name(run.status)).dump()},
        {"error", run.error.empty() ? "null" : Json(run.error).dump(-1, ' ', false, Json::error_handler_t::replace)},
        {"config", object_lines(config_json(run.config))},
        {"kernels", kernels_lines(run)},
        {"totals", totals_json(totals).dump()},
        {"active_lanes", Json(totals.active_lanes).dump()},
        {"stalls", stalls_json(totals.stalls).dump()},
        {"views", object_lines(views_json(run, totals))},
        {"stats", object_lines(stats::to_json(totals.stats))},
    };
    if (!run.plugins.empty())
        members.emplace_back("plugins", plugins_json(run.plugins).dump());
    if (run.checks)
        members.emplace_back("checks", checks_lines(*run.checks));
    if (!run.timelines.empty())
        members.emplace_back("timeline", timeline_lines(run));
    if (run.profile)
        members.emplace_back("profile", profile_lines(*run.profile));
    members.emplace_back("host", host_json(run).dump());
    return document(members);
}

} // namespace heddle::report
