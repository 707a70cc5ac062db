#include "experiment/combination.h"

#include <algorithm>
#include <filesystem>

namespace heddle::experiment {

namespace {

// The word after an option, the last one counts: "argument[--size]".
std::optional<std::string> argument_called(const std::string& name, const std::vector<std::string>& arguments) {
    const std::string option = name.substr(name.find('[') + 1, name.size() - name.find('[') - 2);
    for (std::size_t i = arguments.size(); i-- > 1;)
        if (arguments[i - 1] == option)
            return arguments[i];
    return std::nullopt;
}

std::optional<std::string> parameter_called(const std::string& name, const config::Machine& machine) {
    if (const auto at = machine.values().find(name); at != machine.values().end())
        return at->second.text;
    const config::SectionInfo* const section = config::find_section(name.substr(0, name.rfind('.')));
    if (section == nullptr || section->family) // the machine has no such member
        return std::nullopt;
    return config::find_parameter(name)->default_value;
}

void append_all(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

} // namespace

const std::string& machine_of(const Setting& setting, const Setting& point) {
    return point.machine.empty() ? setting.machine : point.machine;
}

std::vector<std::string> settings_of(const Setting& setting, const Setting& point) {
    std::vector<std::string> out = setting.settings;
    append_all(out, point.settings);
    return out;
}

std::vector<std::string> arguments_of(const Program& program, const Setting& setting, const Setting& point) {
    std::vector<std::string> out = program.arguments;
    append_all(out, setting.arguments);
    append_all(out, point.arguments);
    return out;
}

std::string machine_name(const std::string& machine) {
    const std::filesystem::path path(machine);
    return path.extension() == ".toml" ? path.stem().string() : path.filename().string();
}

Condition::Names names_for_conditions(const Experiment& experiment) {
    Condition::Names out;
    for (const Program& program : experiment.programs)
        out.programs.push_back(program.name);
    for (const Setting& setting : experiment.settings) {
        out.settings.push_back(setting.name);
        out.machines.push_back(machine_name(setting.machine));
    }
    for (const Setting& point : experiment.points) {
        out.points.push_back(point.name);
        if (!point.machine.empty())
            out.machines.push_back(machine_name(point.machine));
    }
    std::sort(out.machines.begin(), out.machines.end());
    out.machines.erase(std::unique(out.machines.begin(), out.machines.end()), out.machines.end());
    return out;
}

bool is_included(const Experiment& experiment, std::size_t program, std::size_t setting, std::size_t point,
                 const config::Machine& machine) {
    const Setting& s = experiment.settings[setting];
    const Setting& x = experiment.points[point];
    const Condition::Values values = [&](const std::string& name) -> std::optional<std::string> {
        const bool is_argument = name.starts_with("argument[");
        if (experiment.programs.empty() && (is_argument || name == "program"))
            return std::nullopt;
        if (is_argument)
            return argument_called(name, arguments_of(experiment.programs[program], s, x));
        return name == "program"   ? std::optional(experiment.programs[program].name)
               : name == "setting" ? std::optional(s.name)
               : name == "point"   ? std::optional(x.name)
               : name == "machine" ? std::optional(machine_name(machine_of(s, x)))
                                   : parameter_called(name, machine);
    };
    return std::all_of(experiment.conditions.begin(), experiment.conditions.end(),
                       [&](const Condition& condition) { return condition.holds(values); });
}

} // namespace heddle::experiment
