#include "experiment/file_parts.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "base/suggest.h"
#include "config/parameter.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

namespace {

// A value as it would be written after KEY= on the command line; nothing of lists and tables.
std::optional<std::string> setting_text(const toml::node& node) {
    if (const auto* text = node.as_string())
        return text->get();
    if (const auto* integer = node.as_integer())
        return fmt::format("{}", integer->get());
    if (const auto* real = node.as_floating_point())
        return fmt::format("{}", real->get());
    if (const auto* boolean = node.as_boolean())
        return boolean->get() ? "true" : "false";
    return std::nullopt;
}

void check_unique(const std::vector<Program>& programs, const std::string& where, Problems& problems) {
    std::set<std::string> names;
    for (const Program& program : programs)
        if (!names.insert(program.name).second)
            problems.add(where,
                         fmt::format("two programs are called '{}'; give one of them another 'name'", program.name));
}

} // namespace

const std::vector<std::pair<std::string, Mean>>& mean_names() {
    static const std::vector<std::pair<std::string, Mean>> names{{"arithmetic mean", Mean::arithmetic},
                                                                 {"geometric mean", Mean::geometric},
                                                                 {"harmonic mean", Mean::harmonic},
                                                                 {"sum", Mean::sum},
                                                                 {"max", Mean::max},
                                                                 {"min", Mean::min}};
    return names;
}

std::optional<Formula> read_formula(Fields& fields, std::string_view key, Problems& problems) {
    const std::string text = fields.text(key);
    const toml::node* const node = fields.node(key);
    if (node == nullptr || !node->is_string())
        return std::nullopt;
    const toml::source_region& source = node->source();
    // A text of several lines begins below its quotes.
    const Position begin = source.begin.line == source.end.line ? Position{source.begin.line, source.begin.column + 1}
                                                                : Position{source.begin.line + 1, 1};
    try {
        return Formula(text, source.path ? *source.path : "", begin);
    } catch (const FormulaError& e) {
        problems.add(e.what());
        return std::nullopt;
    }
}

Program read_program(const toml::table& table, const fs::path& file, Problems& problems) {
    Fields fields(table, "a program", file.string(), problems);
    Program out;
    out.name = fields.text("name");
    out.run = fields.text("run", out.name);
    if (out.name.empty())
        out.name = fs::path(out.run).filename().string();
    if (out.run.empty())
        problems.add(fields.where(), "a program: 'run' is missing: a workload's name, or a path");
    out.arguments = fields.texts("arguments");
    const bool workload = out.run.find('/') == std::string::npos;
    out.variant = fields.text("variant");
    if (!out.variant.empty() && !workload)
        fields.problem("variant", "variant: only workloads have variants");
    out.quick = fields.has("quick") || !workload ? fields.texts("quick") : std::vector<std::string>{"--quick"};
    out.inputs = fields.texts("inputs");
    out.kernel = fields.text("kernel");
    out.folder = fs::absolute(file).parent_path();
    fields.finish();
    return out;
}

std::vector<Program> read_programs(Fields& fields, const ProgramSets& sets, Problems& problems) {
    std::vector<Program> out;
    for (const std::string& word : fields.texts("programs")) {
        const std::size_t dot = word.find('.');
        const auto set = sets.find(word.substr(0, dot));
        std::vector<std::string> known;
        for (const auto& [name, programs] : sets)
            known.push_back(name);
        if (set == sets.end()) {
            fields.problem("programs",
                           fmt::format("programs: there is no set '{}'; valid: {}, or one program of a set, as in "
                                       "lwm.bfs{}",
                                       word.substr(0, dot), comma_list(known), did_you_mean(word, known)));
            continue;
        }
        known.clear();
        const std::size_t before = out.size();
        for (const Program& program : set->second) {
            known.push_back(program.name);
            if (dot == std::string::npos || program.name == word.substr(dot + 1))
                out.push_back(program);
        }
        if (out.size() == before)
            fields.problem("programs", fmt::format("programs: set '{}' has no program '{}'{}", set->first,
                                                   word.substr(dot + 1), did_you_mean(word.substr(dot + 1), known)));
    }
    for (const toml::table* table : fields.tables("program")) {
        const std::string file = table->source().path ? *table->source().path : std::string();
        out.push_back(read_program(*table, file, problems));
    }
    if (out.empty() && !fields.has("programs") && !fields.has("program"))
        problems.add(fields.where(), "an experiment: 'programs' is missing: sets of programs, or [[program]] tables");
    for (const std::string& argument : fields.texts("arguments"))
        for (Program& program : out)
            program.arguments.push_back(argument);
    check_unique(out, fields.where(), problems);
    return out;
}

Link read_link(const toml::table& table, const Experiment& experiment, Problems& problems) {
    static const std::vector<std::pair<std::string, Take>> kTakes{{"cell", Take::cell},
                                                                  {"max", Take::max},
                                                                  {"min", Take::min},
                                                                  {"name of max", Take::name_of_max},
                                                                  {"name of min", Take::name_of_min},
                                                                  {"count above", Take::count_above},
                                                                  {"count below", Take::count_below},
                                                                  {"rank", Take::rank},
                                                                  {"range", Take::range},
                                                                  {"column", Take::column},
                                                                  {"changes", Take::changes},
                                                                  {"span", Take::span}};
    static const std::vector<std::pair<std::string, As>> kAs{
        {"value", As::value}, {"percent", As::percent}, {"ratio", As::ratio}, {"points", As::points}};
    Fields fields(table, "a published row", experiment.file.string(), problems);
    Link out;
    out.where = fields.where();
    out.figure = fields.text("figure", experiment.figures.front());
    out.quantity = fields.required_text("quantity");
    out.subject = fields.text("subject", "{any}");
    out.versus = fields.text("versus", "{any}");
    out.series = fields.text("series");
    out.category = fields.text("category");
    out.base_series = fields.text("base_series");
    out.base_category = fields.text("base_category");
    out.as = fields.choice("as", kAs, As::value);
    out.take = fields.choice("take", kTakes, Take::cell);
    out.limit = fields.number("limit", 0);
    out.sign = fields.boolean("sign", false);
    out.class_limits = fields.numbers("class_limits");
    out.class_names = fields.texts("class_names");
    if (!out.class_names.empty() && out.class_names.size() != out.class_limits.size() + 1)
        fields.problem("class_names", "class_names: there is one name more than limits");
    const bool has_base = !out.base_series.empty() || !out.base_category.empty();
    if (has_base != (out.as != As::value))
        fields.problem("as", "as: percent, ratio and points need base_series or base_category, which need one of them");
    fields.finish();
    return out;
}

std::vector<std::string> read_settings(Fields& fields, std::string_view key, Problems& problems,
                                       const std::function<void(const std::string&, const std::string&)>& found) {
    std::vector<std::string> out;
    const toml::table* const table = fields.table(key);
    if (table == nullptr)
        return out;
    const auto add = [&](const std::string& name, const toml::node& node) {
        const auto text = setting_text(node);
        found(name, place(node));
        if (text)
            out.push_back(name + "=" + *text);
        else
            problems.add(place(node), fmt::format("{}: expected one value", name));
    };
    for (const auto& [section, node] : *table) {
        const toml::table* const keys = node.as_table();
        if (keys == nullptr)
            add(std::string(section.str()), node);
        else
            for (const auto& [name, value] : *keys)
                add(fmt::format("{}.{}", section.str(), name.str()), value);
    }
    return out;
}

fs::path path_beside(Fields& fields, std::string_view key, const fs::path& file) {
    const auto& source = fields.node(key)->source();
    const fs::path folder = fs::absolute(source.path ? fs::path(*source.path) : file).parent_path();
    return (folder / fields.text(key)).lexically_normal();
}

SettingsReader::SettingsReader(Fields& fields, const fs::path& file, Problems& problems)
    : fields_(fields), file_(file), problems_(problems) {
    common_.where = fields.where();
    common_.machine = machine_of(fields);
    common_.settings = read_set(fields, "set");
}

// A file's path is relative to the experiment's.
std::string SettingsReader::machine_of(Fields& fields) {
    const std::string name = fields.text("machine");
    const std::vector<std::string> shipped = config::machine_names();
    const bool looks_like_path = name.find('/') != std::string::npos || fs::path(name).extension() == ".toml";
    if (name.empty() || !looks_like_path || std::find(shipped.begin(), shipped.end(), name) != shipped.end())
        return name;
    return path_beside(fields, "machine", file_).string();
}

std::vector<std::string> SettingsReader::read_set(Fields& fields, std::string_view key) {
    return read_settings(fields, key, problems_, [&](const std::string& name, const std::string& where) {
        places_[fields.where() + " " + name] = where;
    });
}

Setting SettingsReader::read(const toml::table& table, std::string what) {
    Fields fields(table, std::move(what), file_.string(), problems_);
    Setting out;
    out.where = fields.where();
    out.name = fields.required_text("name");
    out.machine = machine_of(fields);
    out.settings = read_set(fields, "set");
    out.arguments = fields.texts("arguments");
    fields.finish();
    return out;
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
    check_names(out);
    for (Setting& setting : out) {
        if (setting.machine.empty())
            setting.machine = common_.machine.empty() ? "lwm11" : common_.machine;
        setting.settings.insert(setting.settings.begin(), common_.settings.begin(), common_.settings.end());
    }
    return out;
}

std::vector<Setting> SettingsReader::read_sweep(const toml::table& table) {
    Fields fields(table, "a sweep", file_.string(), problems_);
    const std::string key = fields.required_text("key");
    std::vector<Setting> out;
    const toml::node* const values = fields.node("values");
    if (values == nullptr || !values->is_array() || values->as_array()->empty())
        problems_.add(fields.where("values"), "a sweep: 'values' is to be a list of values");
    else
        for (const toml::node& value : *values->as_array()) {
            const auto text = setting_text(value);
            if (!text) {
                problems_.add(place(value), "a sweep: expected one value");
                continue;
            }
            Setting& point = out.emplace_back();
            point.name = *text;
            point.where = place(value);
            point.settings = {key + "=" + *text};
        }
    fields.finish();
    return out;
}

std::vector<Setting> SettingsReader::points() {
    std::vector<Setting> out;
    if (const toml::table* sweep = fields_.table("sweep"))
        out = read_sweep(*sweep);
    for (const toml::table* table : fields_.tables("point"))
        out.push_back(read(*table, "a point"));
    if (out.empty())
        out.emplace_back();
    check_names(out);
    return out;
}

// Problems of a machine begin with the key that they are about.
std::string SettingsReader::place_of(const std::string& problem, const Setting& setting, const Setting& point) const {
    const std::string key = problem.substr(0, problem.find(':'));
    for (const Setting* one : {&point, &setting, static_cast<const Setting*>(&common_)})
        if (const auto at = places_.find(one->where + " " + key); at != places_.end())
            return at->second;
    return point.where.empty() ? setting.where : point.where;
}

void SettingsReader::check(const std::vector<Setting>& settings, const std::vector<Setting>& points) {
    for (const Setting& setting : settings)
        for (const Setting& point : points) {
            std::vector<std::string> all = setting.settings;
            all.insert(all.end(), point.settings.begin(), point.settings.end());
            try {
                (void)config::Machine::load(point.machine.empty() ? setting.machine : point.machine, all);
            } catch (const UserError& e) {
                std::istringstream lines(e.what());
                for (std::string line; std::getline(lines, line);)
                    problems_.add(place_of(line, setting, point), line);
            }
        }
}

} // namespace heddle::experiment
