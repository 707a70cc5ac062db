#include "report/oracle.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/json_parts.h"
#include "report/kernels.h"
#include "report/table.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;
using oracle::LaunchStudy;
using oracle::Tally;

struct Kernel { // the launches of one row of the table
    std::string name;
    std::uint64_t launches = 0;
    std::uint64_t basic_blocks = 0; // basic blocks of the launch that executed most
    Tally counts;
};

std::vector<Kernel> rows_of(const OracleResult& result, bool by_launch) {
    std::vector<Kernel> out;
    if (by_launch) {
        for (const LaunchStudy& launch : result.launches)
            out.push_back({launch.kernel, 1, launch.basic_blocks, launch.total});
        return out;
    }
    for (const LaunchStudy& launch : result.launches) {
        auto at = std::find_if(out.begin(), out.end(), [&](const Kernel& k) { return k.name == launch.kernel; });
        if (at == out.end())
            at = out.insert(out.end(), {launch.kernel, 0, 0, {}});
        ++at->launches;
        at->basic_blocks = std::max(at->basic_blocks, launch.basic_blocks);
        at->counts += launch.total;
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Kernel& a, const Kernel& b) { return a.counts.pdom > b.counts.pdom; });
    return out;
}

// Warp instructions if any threads could share an instruction.
std::uint64_t mimd_bound(const Tally& counts, std::uint64_t width) {
    return (counts.thread_instructions + width - 1) / width;
}

double ratio(double above, double below) {
    return below == 0 ? 0 : above / below;
}

double lanes_used(const Tally& counts, std::uint64_t issued, std::uint64_t width) {
    return ratio(static_cast<double>(counts.thread_instructions), static_cast<double>(issued * width));
}

double speed_up(const Tally& counts) {
    return ratio(static_cast<double>(counts.pdom), static_cast<double>(counts.oracle));
}

std::vector<std::string> row_of(const Kernel& kernel, const std::string& name, std::uint64_t width) {
    const Tally& c = kernel.counts;
    const auto when_traced = [&](std::string text) { return c.oracle == 0 ? "-" : std::move(text); };
    return {name,
            grouped(kernel.launches),
            grouped(c.threads),
            kernel.basic_blocks == 0 ? "" : grouped(kernel.basic_blocks),
            grouped(c.thread_instructions),
            grouped(c.pdom),
            grouped(c.in_pairs),
            grouped(c.oracle),
            grouped(c.at_least),
            grouped(mimd_bound(c, width)),
            when_traced(percent(lanes_used(c, c.pdom, width))),
            when_traced(percent(lanes_used(c, c.oracle, width))),
            when_traced(fmt::format("{:.3f}", speed_up(c)))};
}

std::string warps_text(std::uint64_t warps) {
    return fmt::format("{} {}", grouped(warps), warps == 1 ? "warp" : "warps");
}

// The limits of the numbers, in words.
std::string notes(const OracleResult& result, const Tally& total) {
    std::string out;
    if (total.best_warps == total.warps)
        out += fmt::format("oracle: proven to be the best there is for all {}\n", warps_text(total.warps));
    else
        out += fmt::format("oracle: proven to be the best there is for {} of {}; the best of the others lies between "
                           "`at least` and `oracle`\n",
                           grouped(total.best_warps), warps_text(total.warps));
    if (total.banded_warps != 0)
        out += fmt::format(
            "band: of {} alignments further apart than --band {} basic blocks were not looked at; there may "
            "be better ones\n",
            warps_text(total.banded_warps), result.band);
    std::uint64_t cut = 0, untraced = 0;
    for (const LaunchStudy& launch : result.launches) {
        cut += launch.cut && !launch.warps.empty() ? 1 : 0;
        untraced += launch.cut && launch.warps.empty() ? 1 : 0;
    }
    if (cut != 0 || untraced != 0)
        out += fmt::format("cut: the limit of {} runs of instructions (--runs) was reached: {} cut short, {} not "
                           "traced at all\n",
                           grouped(result.traced.runs),
                           cut == 1 ? "1 launch was" : fmt::format("{} launches were", cut), grouped(untraced));
    return out;
}

std::string kernel_table(const OracleResult& result, const Tally& total, bool by_launch) {
    Table table;
    table.column("kernel", Table::Align::Left);
    for (const char* heading : {"launches", "threads", "blocks", "thread instr.", "pdom", "in pairs", "oracle",
                                "at least", "mimd", "lanes, pdom", "lanes, oracle", "speed-up"})
        table.column(heading);
    const std::vector<Kernel> rows = rows_of(result, by_launch);
    for (const Kernel& row : rows)
        table.row(row_of(row, short_name(row.name), result.width));
    if (rows.size() != 1)
        table.row(row_of({"", result.launches.size(), 0, total}, "all", result.width));
    return table.render();
}

Json counts_json(const Tally& c, std::uint64_t width) {
    return {{"warps", c.warps},
            {"threads", c.threads},
            {"thread_instructions", c.thread_instructions},
            {"pdom", c.pdom},
            {"in_pairs", c.in_pairs},
            {"oracle", c.oracle},
            {"at_least", c.at_least},
            {"mimd", mimd_bound(c, width)},
            {"lanes_used", {{"pdom", lanes_used(c, c.pdom, width)}, {"oracle", lanes_used(c, c.oracle, width)}}},
            {"speed_up", speed_up(c)},
            {"best_warps", c.best_warps},
            {"banded_warps", c.banded_warps}};
}

std::string launch_lines(const LaunchStudy& launch, std::uint64_t width) {
    std::string warps;
    for (const Tally& warp : launch.warps)
        warps += (warps.empty() ? "\n        " : ",\n        ") + counts_json(warp, width).dump();
    return fmt::format("    {{\"kernel\": {}, \"grid\": {}, \"block\": {}, \"cut\": {}, \"basic_blocks\": {},\n"
                       "      \"total\": {},\n      \"warps\": [{}]}}",
                       Json(launch.kernel).dump(), dim_json(launch.grid).dump(), dim_json(launch.block).dump(),
                       launch.cut, launch.basic_blocks, counts_json(launch.total, width).dump(), warps);
}

Tally total_of(const OracleResult& result) {
    Tally out;
    for (const LaunchStudy& launch : result.launches)
        out += launch.total;
    return out;
}

} // namespace

std::string oracle_table(const OracleResult& result, bool by_launch) {
    const Tally total = total_of(result);
    std::string out = fmt::format("machine {}: warp instructions for the first {} threads of each launch, in warps of "
                                  "{}; speed-up: pdom / oracle, memory ideal\n",
                                  result.machine, grouped(result.traced.threads), result.width);
    if (result.status != "complete")
        out += fmt::format("{}: only what ran up to then is here\n", result.status);
    return out + kernel_table(result, total, by_launch) + notes(result, total);
}

std::string oracle_json(const OracleResult& result) {
    std::string launches;
    for (const LaunchStudy& launch : result.launches)
        launches += (launches.empty() ? "" : ",\n") + launch_lines(launch, result.width);
    return document({{"heddle", program_json().dump()},
                     {"machine", Json(result.machine).dump()},
                     {"config", object_lines(config_json(result.config))},
                     {"traced", Json{{"threads", result.traced.threads}, {"runs", result.traced.runs}}.dump()},
                     {"width", Json(result.width).dump()},
                     {"band", Json(result.band).dump()},
                     {"status", Json(result.status).dump()},
                     {"error", result.error.empty() ? "null" : Json(result.error).dump()},
                     {"launches", "[\n" + launches + "\n  ]"},
                     {"total", counts_json(total_of(result), result.width).dump()}});
}

Summary read_oracle_summary(std::string_view json_text) {
    try {
        const Json json = Json::parse(json_text);
        Summary out;
        out.machine = json.at("machine");
        out.status = json.at("status");
        if (json.at("error").is_string())
            out.error = json.at("error");
        return out;
    } catch (const Json::exception& e) {
        throw UserError(fmt::format("not a result of heddle oracle: {}", e.what()));
    }
}

} // namespace heddle::report
