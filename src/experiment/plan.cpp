#include "experiment/plan.h"

#include <fstream>
#include <iterator>
#include <xxhash.h>

#include <fmt/format.h>

#include "config/parameter.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

namespace {

std::string place_in(const Experiment& experiment, std::size_t program, std::size_t setting, std::size_t point) {
    return fmt::format("{} {} {} {}", experiment.id, program, setting, point);
}

std::string label_of(const Program& program, const Setting& setting, const Setting& point, const std::string& chosen) {
    std::string out = program.name;
    for (const std::string& part : {setting.name, point.name, chosen})
        out += part.empty() ? "" : ", " + part;
    return out;
}

// A length before each part, so that no two lists of parts make the same text.
void append(std::string& to, std::string_view part) {
    to += fmt::format("{}:{}", part.size(), part);
}

} // namespace

std::string digest(std::string_view text) {
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::optional<std::string> digest_file(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return std::nullopt;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return std::nullopt;
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return digest(text);
}

Plan::Plan(const std::vector<Experiment>& experiments, const Options& options) : options_(options) {
    for (const Experiment& experiment : experiments)
        for (std::size_t p = 0; p < experiment.programs.size(); ++p)
            for (std::size_t s = 0; s < experiment.settings.size(); ++s)
                for (std::size_t x = 0; x < experiment.points.size(); ++x)
                    add(experiment, p, s, x);
}

const Run& Plan::run_of(const Experiment& experiment, std::size_t program, std::size_t setting,
                        std::size_t point) const {
    return runs_[by_place_.at(place_in(experiment, program, setting, point))];
}

void Plan::add(const Experiment& experiment, std::size_t program, std::size_t setting, std::size_t point) {
    Run run = make(experiment, experiment.programs[program], experiment.settings[setting], experiment.points[point]);
    run.key = digest(identity(run, experiment.programs[program]));
    const auto [at, fresh] = by_key_.emplace(run.key, runs_.size());
    by_place_[place_in(experiment, program, setting, point)] = at->second;
    if (fresh)
        runs_.push_back(std::move(run));
}

Run Plan::make(const Experiment& experiment, const Program& program, const Setting& setting,
               const Setting& point) const {
    Run run;
    run.label = label_of(program, setting, point, experiment.chosen);
    run.folder = program.folder;
    const bool workload = program.run.find('/') == std::string::npos;
    const std::string name = program.variant.empty() ? program.run : program.run + "-" + program.variant;
    const fs::path path = workload ? options_.workloads / name : program.folder / program.run;
    std::error_code error;
    if (fs::is_regular_file(path, error))
        run.program = fs::weakly_canonical(path, error);
    else if (workload && !program.variant.empty())
        run.problem = fmt::format("there is no workload {}; `make variants` builds those that heddle has", name);
    else if (workload)
        run.problem = "there is no such workload";
    else
        run.problem = fmt::format("{}: there is no such program", path.string());
    run.arguments = program.arguments;
    for (const std::vector<std::string>* more : {&setting.arguments, &point.arguments})
        run.arguments.insert(run.arguments.end(), more->begin(), more->end());
    if (options_.quick)
        run.arguments.insert(run.arguments.end(), program.quick.begin(), program.quick.end());
    run.machine = point.machine.empty() ? setting.machine : point.machine;
    run.settings = setting.settings;
    run.settings.insert(run.settings.end(), point.settings.begin(), point.settings.end());
    run.tool = experiment.tool;
    if (experiment.records_time())
        run.sample = experiment.sample;
    return run;
}

// An argument that names a file is an input: the same name may hold something else tomorrow.
std::string Plan::identity(Run& run, const Program& program) {
    std::string out;
    run.program_digest = run.program.empty() ? "" : digest_of_file(run.program);
    append(out, run.program.empty() ? program.folder.string() + "/" + program.run : run.program_digest);
    const auto add_input = [&](const std::string& file) {
        const std::string& content = digest_of_file(run.folder / file);
        append(out, file);
        append(out, content);
        return content;
    };
    for (const std::string& argument : run.arguments)
        if (const std::string content = add_input(argument); !content.empty())
            run.inputs.push_back({argument, content});
    append(out, "inputs");
    for (const std::string& input : program.inputs)
        run.inputs.push_back({input, add_input(input)});
    append(out, configuration(run));
    append(out, run.sample ? fmt::format("sample {}", *run.sample) : "");
    if (run.tool == Tool::oracle)
        append(out, "oracle");
    return out;
}

const std::string& Plan::digest_of_file(const fs::path& path) {
    const auto [at, fresh] = digests_.emplace(path.string(), "");
    if (fresh)
        at->second = digest_file(path).value_or("");
    return at->second;
}

// Every parameter's value but defaults: where it was set changes nothing, and what is stored stays found when a
// parameter comes that makes no difference by default.
const std::string& Plan::configuration(const Run& run) {
    std::string name;
    append(name, run.machine);
    for (const std::string& setting : run.settings)
        append(name, setting);
    const auto [at, fresh] = configurations_.emplace(name, "");
    if (!fresh)
        return at->second;
    const config::Machine machine = config::Machine::load(run.machine, run.settings);
    for (const auto& [key, value] : machine.values())
        if (const auto known = defaults_.values().find(key);
            known == defaults_.values().end() || known->second.text != value.text)
            append(at->second, fmt::format("{}={}", key, value.text));
    return at->second;
}

} // namespace heddle::experiment
