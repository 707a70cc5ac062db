#include "report/thread_traces.h"

#include <limits>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/json_parts.h"
#include "report/whole_number.h"

namespace heddle::report {

namespace {

using Json = nlohmann::json;
using probe::IssuedRun;
using probe::LaunchTrace;
using probe::StraightRun;
using probe::ThreadTrace;
using probe::WarpTrace;

// Plain numbers, three a run: what a million of them take is mostly these.
std::string thread_text(const ThreadTrace& thread) {
    std::string out;
    for (const StraightRun& run : thread)
        out += fmt::format("{}{},{},{}", out.empty() ? "" : ",", run.first, run.instructions, run.epoch);
    return out;
}

std::string order_text(const std::vector<IssuedRun>& order) {
    std::string out;
    for (const IssuedRun& issued : order)
        out += fmt::format("{}{},{}", out.empty() ? "" : ",", thread_text({issued.run}), issued.threads);
    return out;
}

void write_warp(std::ostream& out, const WarpTrace& warp) {
    out << fmt::format(R"({{"block":{},"first_thread":{},"issued":{},"threads":[)", warp.block, warp.first_thread,
                       warp.issued);
    const char* separator = "";
    for (const ThreadTrace& thread : warp.threads) {
        out << separator << '[' << thread_text(thread) << ']';
        separator = ",\n";
    }
    out << "],\n\"order\":[" << order_text(warp.order) << "]}";
}

// `before`: runs in front of it. Each barrier that was passed is in one of them.
StraightRun read_run(const Json& from, std::size_t at, std::size_t before) {
    const StraightRun run{whole<Pc>(from.at(at)), whole<std::uint32_t>(from.at(at + 1)),
                          whole<std::uint32_t>(from.at(at + 2))};
    if (run.instructions == 0 || run.first > std::numeric_limits<Pc>::max() - run.instructions)
        throw UserError(
            fmt::format("the threads' traces have a run of {} instructions from {} on", run.instructions, run.first));
    if (run.epoch > before)
        throw UserError(
            fmt::format("the threads' traces have a run behind {} barriers, and {} runs before it", run.epoch, before));
    return run;
}

ThreadTrace read_thread(const Json& from) {
    ThreadTrace out;
    out.reserve(from.size() / 3);
    for (std::size_t i = 0; i < from.size(); i += 3)
        out.push_back(read_run(from, i, out.size()));
    return out;
}

WarpTrace read_warp(const Json& from) {
    WarpTrace out{whole<std::uint64_t>(from.at("block")),
                  whole<std::uint64_t>(from.at("first_thread")),
                  whole<std::uint64_t>(from.at("issued")),
                  {},
                  {}};
    for (const Json& thread : from.at("threads"))
        out.threads.push_back(read_thread(thread));
    if (out.threads.size() > kMaxWidth)
        throw UserError(fmt::format("the threads' traces have a warp of {} threads", out.threads.size()));
    const Json& order = from.at("order");
    for (std::size_t i = 0; i < order.size(); i += 4)
        out.order.push_back({read_run(order, i, out.order.size()), whole<LaneMask>(order.at(i + 3))});
    return out;
}

LaunchTrace read_launch(const Json& from) {
    LaunchTrace out{from.at("kernel"), dimensions(from.at("grid")), dimensions(from.at("block")), from.at("cut"), {}};
    for (const Json& warp : from.at("warps"))
        out.warps.push_back(read_warp(warp));
    return out;
}

} // namespace

void write_thread_traces(std::ostream& out, std::span<const LaunchTrace> launches) {
    out << "[";
    const char* before_launch = "";
    for (const LaunchTrace& launch : launches) {
        out << before_launch
            << fmt::format(R"({{"kernel":{},"grid":{},"block":{},"cut":{},"warps":[)", Json(launch.kernel).dump(),
                           dim_json(launch.grid).dump(), dim_json(launch.block).dump(), launch.cut);
        before_launch = ",\n";
        const char* before_warp = "";
        for (const WarpTrace& warp : launch.warps) {
            out << before_warp;
            write_warp(out, warp);
            before_warp = ",\n";
        }
        out << "]}";
    }
    out << "]\n";
}

std::vector<LaunchTrace> read_thread_traces(const std::string& text) {
    try {
        std::vector<LaunchTrace> out;
        for (const Json& launch : Json::parse(text))
            out.push_back(read_launch(launch));
        return out;
    } catch (const nlohmann::json::exception& e) {
        throw UserError(fmt::format("the threads' traces are not what a simulated program writes: {}", e.what()));
    }
}

} // namespace heddle::report
