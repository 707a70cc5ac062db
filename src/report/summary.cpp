#include "report/summary.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/profile_json.h"
#include "report/whole_number.h"
#include "stats/statistic.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kHottest = 5; // lines

std::vector<std::uint64_t> numbers(const Json& from) {
    std::vector<std::uint64_t> out;
    for (const Json& one : from)
        out.push_back(whole<std::uint64_t>(one));
    return out;
}

CountsSummary read_counts(const Json& totals, const Json& from) {
    CountsSummary out;
    out.cycles = whole<std::uint64_t>(totals.at("cycles"));
    out.warp_instructions = whole<std::uint64_t>(totals.at("warp_instructions"));
    out.thread_instructions = whole<std::uint64_t>(totals.at("thread_instructions"));
    out.ipc = totals.at("ipc");
    out.active_lanes = numbers(from.at("active_lanes"));
    for (const auto& [cause, slots] : from.at("stalls").items())
        out.stalls.emplace_back(cause, whole<std::uint64_t>(slots));
    return out;
}

void add(CountsSummary& to, const CountsSummary& from) {
    to.cycles += from.cycles;
    to.warp_instructions += from.warp_instructions;
    to.thread_instructions += from.thread_instructions;
    to.ipc = to.cycles == 0 ? 0 : static_cast<double>(to.thread_instructions) / static_cast<double>(to.cycles);
    to.active_lanes.resize(std::max(to.active_lanes.size(), from.active_lanes.size()));
    for (std::size_t i = 0; i < from.active_lanes.size(); ++i)
        to.active_lanes[i] += from.active_lanes[i];
    for (const auto& added : from.stalls) {
        const auto at =
            std::find_if(to.stalls.begin(), to.stalls.end(), [&](const auto& own) { return own.first == added.first; });
        if (at == to.stalls.end())
            to.stalls.push_back(added);
        else
            at->second += added.second;
    }
}

// The value under a dotted name; null when there is none.
const Json* find(const Json& stats, std::string_view dotted) {
    const Json* at = &stats;
    for (std::size_t begin = 0; begin <= dotted.size();) {
        const std::size_t end = std::min(dotted.find('.', begin), dotted.size());
        const auto member = at->find(std::string(dotted.substr(begin, end - begin)));
        if (!at->is_object() || member == at->end())
            return nullptr;
        at = &*member;
        begin = end + 1;
    }
    return at;
}

void add_traffic(Traffic& to, const Json& stats) {
    const auto add = [&](std::uint64_t& sum, std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (const Json* value = find(stats, name))
                sum += whole<std::uint64_t>(*value);
    };
    add(to.warp_cycles, {"core.warp_cycles"});
    add(to.occupied_cycles, {"core.occupied_cycles"});
    add(to.branches, {"core.conditional_branches"});
    add(to.divergent_branches, {"core.divergent_branches"});
    add(to.accesses, {"data.loads", "data.stores", "data.atomics"});
    add(to.bytes, {"data.bytes"});
    add(to.lines, {"data.lines"});
    add(to.constant_lines, {"ccache.hits", "ccache.misses", "ccache.merges"});
    add(to.texture_lines, {"tcache.hits", "tcache.misses", "tcache.merges"});
    add(to.shared_accesses, {"data.shared_accesses"});
    add(to.shared_cycles, {"data.shared_cycles"});
    add(to.private_cycles, {"data.private_cycles"});
    add(to.l2_requests, {"slices.requests"});
    add(to.dram_bytes, {"dram.bytes"});
    if (const Json* busy = find(stats, "pipes.busy")) {
        to.pipe_busy.resize(std::max(to.pipe_busy.size(), busy->size()));
        for (std::size_t i = 0; i < busy->size(); ++i)
            to.pipe_busy[i] += whole<std::uint64_t>(busy->at(i));
    }
}

void add_kernel(std::vector<KernelSummary>& kernels, const Json& from) {
    const std::string name = from.at("name");
    const Dim3 grid = dimensions(from.at("grid")), block = dimensions(from.at("block"));
    auto at = std::find_if(kernels.begin(), kernels.end(), [&](const KernelSummary& k) { return k.name == name; });
    if (at == kernels.end())
        at = kernels.insert(kernels.end(), KernelSummary{name,
                                                         grid,
                                                         block,
                                                         true,
                                                         0,
                                                         0,
                                                         whole<std::uint32_t>(from.at("registers")),
                                                         whole<std::uint32_t>(from.at("blocks_per_sm")),
                                                         from.at("limited_by"),
                                                         {},
                                                         {}});
    ++at->launches;
    at->same_shape = at->same_shape && grid == at->grid && block == at->block;
    const bool timed = from.at("timed").get<bool>();
    if (timed && ++at->timed_launches == 1)
        at->counts = {}; // counts of launches that were not timed are used only if none was timed
    if (timed || at->timed_launches == 0)
        add(at->counts, read_counts(from, from));
    if (timed)
        add_traffic(at->traffic, from.at("stats"));
}

void read_shares(Summary& out, const Json& stats) {
    for (const auto& [name, section] : stats::sections())
        for (const stats::StatisticInfo& s : section.statistics)
            if (s.kind == "share")
                if (const Json* value = find(stats, name + "." + s.name); value != nullptr && value->is_number())
                    out.shares.emplace_back(name + "." + s.name, *value);
}

std::optional<DivergenceRates> read_rates(const Json& views) {
    const auto at = views.find("table2");
    if (at == views.end())
        return {};
    return DivergenceRates{at->at("non_loop_branches"), at->at("divergent_branches"), at->at("cache_misses"),
                           at->at("divergent_accesses")};
}

std::optional<DegreesOverTime> read_degrees(const Json& views) {
    const auto at = views.find("divergence");
    if (at == views.end())
        return {};
    DegreesOverTime out{whole<std::uint64_t>(at->at("interval")), {}};
    for (const Json& row : at->at("rows"))
        out.rows.push_back(numbers(row.at("degree")));
    return out;
}

std::string setting(const Json& config, const char* key) {
    const auto at = config.find(key);
    return at == config.end() ? std::string() : at->at("value").get<std::string>();
}

} // namespace

std::uint64_t CountsSummary::slots() const {
    return std::accumulate(active_lanes.begin(), active_lanes.end(), std::uint64_t{0});
}

double CountsSummary::lane_utilisation() const {
    std::uint64_t used = 0, lanes = 0;
    for (std::size_t i = 1; i < active_lanes.size(); ++i) {
        used += active_lanes[i];
        lanes += active_lanes[i] * i;
    }
    return used == 0 ? 0 : static_cast<double>(lanes) / static_cast<double>(used * (active_lanes.size() - 1));
}

std::string_view ending(const Summary& run) {
    const std::string& status = run.status;
    if (status == "interrupted")
        return "interrupted: these are the results up to there";
    if (status == "max_cycles")
        return "stopped at the limit of cycles: these are the results up to there";
    if (status == "max_instructions")
        return "stopped at the limit of instructions: these are the results up to there";
    if (status == "failed")
        return "failed: these are the results up to there";
    return "";
}

Summary summary_of(const Json& json) {
    Summary out;
    out.program = json.value("program", "");
    out.machine = json.at("machine");
    out.formation = setting(json.at("config"), "core.formation");
    out.scheduler = setting(json.at("config"), "core.scheduler");
    out.facts = machine_facts(json.at("config"));
    out.status = json.at("status");
    if (json.at("error").is_string())
        out.error = json.at("error");
    for (const Json& kernel : json.at("kernels"))
        add_kernel(out.kernels, kernel);
    if (json.contains("checks"))
        out.checks = json.at("checks").size();
    out.totals = read_counts(json.at("totals"), json);
    read_shares(out, json.at("stats"));
    out.divergence = read_rates(json.at("views"));
    out.over_time = read_degrees(json.at("views"));
    const Json& host = json.at("host");
    out.wall_seconds = host.at("wall_seconds");
    out.warp_instructions_per_second = host.at("warp_instructions_per_second");
    if (const auto threads = host.find("threads"); threads != host.end()) // missing in older files
        out.host_threads = whole<unsigned>(*threads);
    out.peak_rss_bytes = whole<std::uint64_t>(host.at("peak_rss_bytes"));
    return out;
}

// A launch is added when it has been read, and then dropped: a document of many launches takes many times the memory of
// its text.
Summary read_summary(std::string_view json_text) {
    std::vector<KernelSummary> kernels;
    std::string member; // of the document
    const auto keep = [&](int depth, Json::parse_event_t event, const Json& read) {
        if (depth == 1 && event == Json::parse_event_t::key)
            member = read.get<std::string>();
        const bool is_launch = depth == 2 && event == Json::parse_event_t::object_end && member == "kernels";
        if (is_launch)
            add_kernel(kernels, read);
        return !is_launch;
    };
    try {
        const Json json = Json::parse(json_text, keep);
        Summary out = summary_of(json);
        out.kernels = std::move(kernels);
        if (json.contains("profile"))
            out.hottest = hottest_lines(profile_of(json.at("profile")), kHottest);
        return out;
    } catch (const Json::exception& e) {
        throw UserError(fmt::format("not a result of heddle: {}", e.what()));
    }
}

} // namespace heddle::report
