#include "experiment/plan_file.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "experiment/plan.h"
#include "report/whole_number.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

namespace {

nlohmann::ordered_json to_json(const Run& run, const std::string& version) {
    nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
    for (const Input& input : run.inputs)
        inputs.push_back({{"file", input.file}, {"digest", input.digest}});
    nlohmann::ordered_json out{{"key", run.key},
                               {"label", run.label},
                               {"revision", version},
                               {"tool", run.tool == Tool::oracle ? "oracle" : "run"},
                               {"program", run.program.string()},
                               {"digest", run.program_digest},
                               {"arguments", run.arguments},
                               {"folder", run.folder.string()},
                               {"inputs", std::move(inputs)},
                               {"machine", run.machine},
                               {"settings", run.settings},
                               {"launches", run.launches},
                               {"sample", nullptr},
                               {"seconds", run.expected.seconds},
                               {"megabytes", run.expected.megabytes}};
    if (run.sample)
        out["sample"] = *run.sample;
    if (!run.plugins.empty()) // left out else: the text is part of the key of stored results
        out["plugins"] = run.plugins;
    return out;
}

PlannedRun from_json(const nlohmann::ordered_json& line) {
    PlannedRun out;
    Run& run = out.run;
    line.at("key").get_to(run.key);
    line.at("label").get_to(run.label);
    line.at("revision").get_to(out.version);
    const auto tool = line.at("tool").get<std::string>();
    if (tool != "run" && tool != "oracle")
        throw UserError(fmt::format("tool '{}' is neither run nor oracle", tool));
    run.tool = tool == "run" ? Tool::run : Tool::oracle;
    run.program = line.at("program").get<std::string>();
    line.at("digest").get_to(run.program_digest);
    line.at("arguments").get_to(run.arguments);
    run.folder = line.at("folder").get<std::string>();
    for (const nlohmann::ordered_json& input : line.at("inputs"))
        run.inputs.push_back({input.at("file").get<std::string>(), input.at("digest").get<std::string>()});
    line.at("machine").get_to(run.machine);
    line.at("settings").get_to(run.settings);
    line.at("launches").get_to(run.launches);
    run.plugins = line.value("plugins", std::vector<std::string>());
    if (const nlohmann::ordered_json& sample = line.at("sample"); !sample.is_null())
        run.sample = report::whole<std::uint64_t>(sample);
    line.at("seconds").get_to(run.expected.seconds);
    line.at("megabytes").get_to(run.expected.megabytes);
    return out;
}

} // namespace

std::string plan_text(std::span<const Run> runs, const std::string& version) {
    std::string out;
    for (const Run& run : runs)
        out += to_json(run, version).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    return out;
}

std::vector<PlannedRun> read_plan(const fs::path& path, LineRange range) {
    std::error_code error;
    std::ifstream in(path);
    if (!fs::is_regular_file(path, error) || !in)
        throw UserError(fmt::format("{}: there is no such plan", path.string()));
    std::vector<PlannedRun> out;
    std::size_t number = 0;
    for (std::string line; number < range.last && std::getline(in, line);) {
        if (++number < range.first)
            continue;
        try {
            out.push_back(from_json(nlohmann::ordered_json::parse(line)));
        } catch (const std::exception& e) { // of the parser, or of a member
            throw UserError(fmt::format("{}:{}: not a planned run: {}; `heddle reproduce --plan` writes plans",
                                        path.string(), number, e.what()));
        }
    }
    if (out.empty() && number < range.first)
        throw UserError(
            fmt::format("{}: there is no line {}; the plan has {} runs", path.string(), range.first, number));
    return out;
}

std::string changed_since(const Run& run) {
    const auto differs = [](const fs::path& file, const std::string& digest) {
        return digest_file(file).value_or("") != digest;
    };
    if (differs(run.program, run.program_digest))
        return fmt::format("{}: not the program for which the run was planned", run.program.string());
    for (const Input& input : run.inputs)
        if (differs(run.folder / input.file, input.digest))
            return fmt::format("{}: the file has changed since the run was planned",
                               (run.folder / input.file).string());
    return {};
}

} // namespace heddle::experiment
