#include "report/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/value.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

// The members of an object, one a line.
std::string object_lines(const Json& object) {
    std::string out;
    for (const auto& [key, value] : object.items())
        out += fmt::format("{}    {}: {}", out.empty() ? "" : ",\n", Json(key).dump(), value.dump());
    return out.empty() ? "{}" : "{\n" + out + "\n  }";
}

Json typed(config::Type type, const std::string& text) {
    switch (type) {
    case config::Type::Integer:
        return config::parse_integer(text);
    case config::Type::Real:
        return Json::parse(text);
    case config::Type::Boolean:
        return text == "true";
    case config::Type::Text:
        return text;
    }
    return nullptr;
}

config::Type type_of(std::string_view dotted) {
    const std::size_t dot = dotted.find('.');
    const auto section = config::sections().find(dotted.substr(0, dot));
    if (section != config::sections().end())
        for (const config::ParameterInfo& p : section->second.parameters)
            if (p.name == dotted.substr(dot + 1))
                return p.type;
    return config::Type::Text;
}

Json config_json(const RunResult& run) {
    Json out = Json::object();
    for (const auto& [key, value] : run.config)
        out[key] = {{"value", typed(type_of(key), value.text)}, {"origin", value.origin}};
    return out;
}

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

Json dim_json(const Dim3& dim) {
    return Json::array({dim.x, dim.y, dim.z});
}

Json kernel_json(const KernelResult& kernel) {
    Json out = {{"name", kernel.name}, {"grid", dim_json(kernel.grid)}, {"block", dim_json(kernel.block)}};
    out.update(totals_json(kernel.counts));
    out["registers"] = kernel.registers;
    out["blocks_per_sm"] = kernel.blocks_per_sm;
    out["limited_by"] = kernel.limited_by;
    out["timed"] = kernel.timed;
    out["active_lanes"] = kernel.counts.active_lanes;
    out["stalls"] = stalls_json(kernel.counts.stalls);
    out["stats"] = kernel.counts.stats.to_json();
    return out;
}

std::string kernels_lines(const RunResult& run) {
    std::string out;
    for (const KernelResult& kernel : run.kernels)
        out += (out.empty() ? "    " : ",\n    ") + kernel_json(kernel).dump();
    return out.empty() ? "[]" : "[\n" + out + "\n  ]";
}

Json host_json(const RunResult& run) {
    const double seconds = run.host.wall_seconds;
    const double rate = seconds > 0 ? static_cast<double>(run.executed_warp_instructions()) / seconds : 0;
    return {
        {"wall_seconds", seconds}, {"warp_instructions_per_second", rate}, {"peak_rss_bytes", run.host.peak_rss_bytes}};
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
    const std::pair<const char*, std::string> members[] = {
        {"heddle", Json{{"version", version()}, {"commit", commit()}}.dump()},
        {"machine", Json(run.machine).dump()},
        {"status", Json(status_name(run.status)).dump()},
        {"error", run.error.empty() ? "null" : Json(run.error).dump(-1, ' ', false, Json::error_handler_t::replace)},
        {"config", object_lines(config_json(run))},
        {"kernels", kernels_lines(run)},
        {"totals", totals_json(totals).dump()},
        {"active_lanes", Json(totals.active_lanes).dump()},
        {"stalls", stalls_json(totals.stalls).dump()},
        {"stats", object_lines(totals.stats.to_json())},
        {"host", host_json(run).dump()},
    };
    std::string out;
    for (const auto& [key, text] : members)
        out += fmt::format("{}  \"{}\": {}", out.empty() ? "{\n" : ",\n", key, text);
    return out + "\n}\n";
}

} // namespace heddle::report
