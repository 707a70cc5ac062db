#include "environment.h"

#include <charconv>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"

namespace heddle::cudart {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

pid_t process_number(const std::string& text) {
    pid_t out = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data(), end, out).ptr != end)
        throw UserError(fmt::format("HEDDLE_PROCESS is not the number of a process: {}", text));
    return out;
}

void read_options(const std::string& text, Environment& out) {
    try {
        const nlohmann::json options = nlohmann::json::parse(text);
        out.options.functional = options.value("functional", false);
        out.options.max_cycles = options.value("max_cycles", std::uint64_t{0});
        out.options.max_instructions = options.value("max_instructions", std::uint64_t{0});
        out.options.host_threads = options.value("host_threads", std::uint64_t{1});
        out.progress = options.value("progress", false);
        out.options.strict = options.value("strict", false);
        out.options.profile = options.value("profile", false);
        if (const auto names = options.value("check", std::string()); !names.empty())
            out.options.checks = runtime::parse_checks(names);
        if (options.contains("kernels") && !options["kernels"].is_null())
            out.options.timed_kernels.emplace(options["kernels"].at(0).get<std::uint64_t>(),
                                              options["kernels"].at(1).get<std::uint64_t>());
        if (options.contains("timeline") && out.options.timeline) {
            const nlohmann::json& timeline = options["timeline"];
            *out.options.timeline = {timeline.at("events").get<std::uint64_t>(),
                                     timeline.at("sample").get<Cycle>(),
                                     timeline.at("gap").get<Cycle>(),
                                     {timeline.value("from", Cycle{0}), timeline.value("to", kNever)}};
        }
        if (options.contains("thread_traces") && out.options.thread_traces) {
            const nlohmann::json& traces = options["thread_traces"];
            *out.options.thread_traces = {traces.at("threads").get<std::uint64_t>(),
                                          traces.at("runs").get<std::uint64_t>()};
        }
    } catch (const nlohmann::json::exception& e) {
        throw UserError(fmt::format("HEDDLE_OPTIONS is not what `heddle run` writes there: {}", e.what()));
    }
}

} // namespace

Environment read_environment() {
    Environment out;
    if (const std::string machine = variable("HEDDLE_MACHINE"); !machine.empty())
        out.machine = machine;
    std::istringstream lines(variable("HEDDLE_SET"));
    for (std::string line; std::getline(lines, line);)
        if (!line.empty())
            out.settings.push_back(line);
    out.files = {variable("HEDDLE_RESULT"), variable("HEDDLE_TIMELINE"), variable("HEDDLE_THREAD_TRACES"),
                 variable("HEDDLE_PROCESSES")};
    out.process = process_number(variable("HEDDLE_PROCESS"));
    if (!out.files.timeline.empty())
        out.options.timeline.emplace();
    if (!out.files.thread_traces.empty())
        out.options.thread_traces.emplace();
    if (const std::string options = variable("HEDDLE_OPTIONS"); !options.empty())
        read_options(options, out);
    return out;
}

} // namespace heddle::cudart
