#include "experiment/settings_reader.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "experiment/file_parts.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

SettingsReader::SettingsReader(Fields& fields, const fs::path& file, Problems& problems)
    : fields_(fields), file_(file), problems_(problems) {
    common_.where = fields.where();
    common_.machine = machine_in(fields);
    read_set(fields, common_);
    read_sweeps();
}

// A file's path is relative to the experiment's.
std::string SettingsReader::machine_in(Fields& fields) {
    const std::string name = fields.text("machine");
    return name.empty() ? name : machine_path(name, *fields.node("machine"), file_);
}

void SettingsReader::read_set(Fields& fields, Setting& to) {
    to.settings = read_settings(fields, "set", problems_, [&](const std::string& name, const std::string& where) {
        to.places.emplace_back(name, where);
    });
}

Setting SettingsReader::read(const toml::table& table, std::string what) {
    Fields fields(table, std::move(what), file_.string(), problems_);
    Setting out;
    out.where = fields.where();
    out.name = fields.required_text("name");
    out.machine = machine_in(fields);
    read_set(fields, out);
    out.arguments = fields.texts("arguments");
    fields.finish();
    if (has_machines_ && !out.machine.empty())
        fields.problem("machine", "machine: the file has a list of 'machines', which each run is made on");
    return out;
}

// `sweep = { ... }` is short for points; each [[sweep]] is an axis.
void SettingsReader::read_sweeps() {
    SweepReader reader(file_, problems_);
    if (fields_.has("machines"))
        add_machines({reader.read_machines(fields_, "machines"), false}, fields_.where("machines"));
    const toml::node* const sweep = fields_.node("sweep");
    if (sweep != nullptr && sweep->is_table()) {
        points_ = reader.read(*sweep->as_table()).values;
    } else if (sweep != nullptr) {
        for (const toml::table* table : fields_.tables("sweep")) {
            Sweep one = reader.read(*table);
            const std::string where = place(*table);
            check_swept_once(one, where);
            if (table->contains("machines"))
                add_machines(std::move(one), where);
            else
                sweeps_.push_back(std::move(one));
        }
    }
}

// A parameter or an option that two sweeps change would have the value of the second.
void SettingsReader::check_swept_once(const Sweep& sweep, const std::string& where) {
    if (sweep.values.empty())
        return;
    std::vector<std::string> names;
    for (const std::string& setting : sweep.values.front().settings)
        names.push_back(setting.substr(0, setting.find('=')));
    if (!sweep.values.front().arguments.empty())
        names.push_back(sweep.values.front().arguments.front());
    for (const std::string& name : names)
        if (!swept_.insert(name).second)
            problems_.add(where, fmt::format("a sweep: {} is swept twice", name));
}

void SettingsReader::add_machines(Sweep machines, const std::string& where) {
    if (has_machines_)
        problems_.add(where, "machines: there is another list of machines");
    if (fields_.has("machine"))
        problems_.add(where, "machines: the file has a 'machine', too");
    has_machines_ = true;
    sweeps_.insert(sweeps_.begin(), std::move(machines));
}

void SettingsReader::check_names(const std::vector<Setting>& all) {
    std::set<std::string> names;
    for (const Setting& one : all)
        if (!names.insert(one.name).second)
            problems_.add(one.where, fmt::format("the name '{}' is there twice", one.name));
}

std::vector<Setting> SettingsReader::settings() {
    std::vector<Setting> out;
    for (const toml::table* table : fields_.tables("setting"))
        out.push_back(read(*table, "a setting"));
    if (out.empty()) {
        out.emplace_back();
        out.back().where = common_.where;
    }
    for (const Sweep& sweep : sweeps_)
        if (sweep.of_settings && !sweep.values.empty())
            out = product(out, sweep.values);
    check_names(out);
    for (Setting& setting : out) {
        if (setting.machine.empty())
            setting.machine = common_.machine.empty() ? config::default_machine() : common_.machine;
        setting.settings.insert(setting.settings.begin(), common_.settings.begin(), common_.settings.end());
    }
    return out;
}

std::vector<Setting> SettingsReader::points() {
    for (const toml::table* table : fields_.tables("point"))
        points_.push_back(read(*table, "a point"));
    std::vector<Setting> out(1);
    for (const Sweep& sweep : sweeps_)
        if (!sweep.of_settings && !sweep.values.empty())
            out = product(out, sweep.values);
    if (!points_.empty())
        out = product(out, points_);
    check_names(out);
    return out;
}

// Problems of a machine begin with the key that they are about.
std::string SettingsReader::place_of(const std::string& problem, const Setting& setting, const Setting& point) const {
    const std::string key = problem.substr(0, problem.find(':'));
    for (const Setting* one : {&point, &setting, static_cast<const Setting*>(&common_)})
        for (auto place = one->places.rbegin(); place != one->places.rend(); ++place)
            if (place->first == key)
                return place->second;
    return point.where.empty() ? setting.where : point.where;
}

bool SettingsReader::is_of_a_run(const Experiment& experiment, std::size_t setting, std::size_t point,
                                 const config::Machine& machine) {
    bool out = experiment.programs.empty() && is_included(experiment, 0, setting, point, machine);
    for (std::size_t p = 0; p < experiment.programs.size() && !out; ++p)
        out = is_included(experiment, p, setting, point, machine);
    return out;
}

void SettingsReader::check(const Experiment& experiment) {
    for (std::size_t s = 0; s < experiment.settings.size(); ++s)
        for (std::size_t x = 0; x < experiment.points.size(); ++x) {
            const Setting& setting = experiment.settings[s];
            const Setting& point = experiment.points[x];
            config::MachineVariants& machine = machines_.of(machine_of(setting, point));
            if (!is_of_a_run(experiment, s, x, machine.apply(settings_of(setting, point))))
                continue;
            for (const std::string& problem : machine.problems())
                problems_.add(place_of(problem, setting, point), problem);
        }
}

} // namespace heddle::experiment
