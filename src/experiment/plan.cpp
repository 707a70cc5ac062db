#include "experiment/plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/parameter.h"
#include "config/plugins.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

namespace {

std::string label_of(const Run& run, const std::string& chosen) {
    std::string out = run.program_name;
    for (const std::string& part : {run.setting, run.point, chosen})
        out += part.empty() ? "" : ", " + part;
    return run.seed ? fmt::format("{}, seed {}", out, *run.seed) : out;
}

// A length before each part, so that no two lists of parts make the same text.
void append(std::string& to, std::string_view part) {
    to.append(std::to_string(part.size())).append(1, ':').append(part);
}

} // namespace

Plan::Plan(const std::vector<Experiment>& experiments, const Options& options) : options_(options) {
    for (const Experiment& experiment : experiments)
        add_all(experiment);
}

void Plan::add_all(const Experiment& experiment) {
    const std::size_t seeds = std::max<std::size_t>(1, experiment.seeds.size());
    std::vector<std::size_t>& places = places_[experiment.id];
    places.clear();
    for (std::size_t p = 0; p < experiment.programs.size(); ++p)
        for (std::size_t s = 0; s < experiment.settings.size(); ++s)
            for (std::size_t x = 0; x < experiment.points.size(); ++x) {
                const Setting &setting = experiment.settings[s], &point = experiment.points[x];
                const bool included =
                    experiment.conditions.empty() ||
                    is_included(experiment, p, s, x,
                                machines_.of(machine_of(setting, point)).apply(settings_of(setting, point)));
                for (std::size_t seed = 0; seed < seeds; ++seed) {
                    const auto number = experiment.seeds.empty() ? std::nullopt : std::optional(experiment.seeds[seed]);
                    places.push_back(included ? add(make(experiment, experiment.programs[p], setting, point, number),
                                                    experiment.programs[p])
                                              : kLeftOut);
                }
            }
}

const Run* Plan::run_of(const Experiment& experiment, std::size_t program, std::size_t setting, std::size_t point,
                        std::size_t seed) const {
    const std::size_t seeds = std::max<std::size_t>(1, experiment.seeds.size());
    const std::size_t combination = (program * experiment.settings.size() + setting) * experiment.points.size() + point;
    const std::size_t at = places_.at(experiment.id).at(combination * seeds + seed);
    return at == kLeftOut ? nullptr : &runs_[at];
}

std::size_t Plan::add(Run run, const Program& program) {
    run.key = digest(identity(run, program));
    const auto [at, fresh] = by_key_.emplace(run.key, runs_.size());
    if (fresh)
        runs_.push_back(std::move(run));
    return at->second;
}

Run Plan::make(const Experiment& experiment, const Program& program, const Setting& setting, const Setting& point,
               std::optional<std::uint64_t> seed) {
    Run run;
    run.experiment = experiment.id;
    run.program_name = program.name;
    run.setting = setting.name;
    run.point = point.name;
    run.seed = program.seed.empty() ? std::nullopt : seed;
    run.label = label_of(run, experiment.chosen);
    run.folder = program.folder;
    find_program(program, run);
    run.arguments = arguments_of(program, setting, point);
    if (run.seed)
        run.arguments.insert(run.arguments.end(), {program.seed, fmt::format("{}", *run.seed)});
    if (options_.quick)
        run.arguments.insert(run.arguments.end(), program.quick.begin(), program.quick.end());
    run.machine = machine_of(setting, point);
    run.settings = settings_of(setting, point);
    run.plugins = options_.plugins;
    for (const std::string& plugin : experiment.plugins)
        if (std::find(run.plugins.begin(), run.plugins.end(), plugin) == run.plugins.end())
            run.plugins.push_back(plugin);
    run.tool = experiment.tool;
    if (experiment.records_time())
        run.sample = experiment.sample;
    return run;
}

void Plan::find_program(const Program& program, Run& run) {
    const fs::path path = program.file(options_.workloads);
    const auto [at, fresh] = programs_.emplace(path, "");
    std::error_code error;
    if (fresh && fs::is_regular_file(path, error))
        at->second = fs::weakly_canonical(path, error);
    run.program = at->second;
    if (!run.program.empty())
        return;
    if (program.is_workload() && !program.variant.empty())
        run.problem =
            fmt::format("there is no workload {}; `make variants` builds those that heddle has", program.run_name());
    else if (program.is_workload())
        run.problem = "there is no such workload";
    else
        run.problem = fmt::format("{}: there is no such program", path.string());
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
    return out + plugin_identity(run);
}

std::string Plan::plugin_identity(Run& run) {
    if (config::plugins().empty())
        return {};
    std::vector<std::string> all = run.plugins;
    const std::vector<std::string>& of_machine = machines_.of(run.machine).apply(run.settings).plugins();
    all.insert(all.end(), of_machine.begin(), of_machine.end());
    std::string out;
    for (const std::string& file : all) {
        run.inputs.push_back({file, digest_of_file(file)});
        append(out, "plug-in");
        append(out, run.inputs.back().digest);
    }
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
    config::MachineVariants& variants = machines_.of(run.machine);
    const config::Machine& machine = variants.apply(run.settings);
    if (const std::vector<std::string> problems = variants.problems(); !problems.empty())
        throw UserError(fmt::format("{}", fmt::join(problems, "\n")));
    auto standard = defaults_.values().begin(); // both are in the order of the keys
    for (const auto& [key, value] : machine.values()) {
        while (standard != defaults_.values().end() && standard->first < key)
            ++standard;
        if (standard == defaults_.values().end() || standard->first != key || standard->second.text != value.text)
            append(at->second, key + "=" + value.text);
    }
    return at->second;
}

} // namespace heddle::experiment
