#include "experiment/file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/suggest.h"
#include "config/plugins.h"
#include "experiment/fields.h"
#include "experiment/file_parts.h"
#include "experiment/program_list.h"
#include "experiment/reading_file.h"
#include "experiment/settings_reader.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

namespace {

using report::FigureKind;

const std::vector<std::pair<std::string, FigureKind>> kKinds{{"grouped bars", FigureKind::grouped_bars},
                                                             {"stacked bars", FigureKind::stacked_bars},
                                                             {"lines", FigureKind::lines},
                                                             {"heat map", FigureKind::heat_map},
                                                             {"spans", FigureKind::spans},
                                                             {"table", FigureKind::table}};
const std::vector<std::pair<std::string, View>> kViews{
    {"divergence", View::divergence}, {"blocks", View::blocks}, {"block order", View::block_order}};
const std::vector<std::pair<std::string, Axis>> kAxes{
    {"program", Axis::program}, {"setting", Axis::setting}, {"point", Axis::point}, {"value", Axis::value}};
const std::vector<std::pair<std::string, Tool>> kTools{{"run", Tool::run}, {"oracle", Tool::oracle}};
const std::vector<std::pair<std::string, As>> kAs{{"percent", As::percent}, {"ratio", As::ratio}};

// Plug-ins are relative to the file that names them, also where another file inherits them.
void name_plugins_by_folder(toml::table& file, const fs::path& folder) {
    if (toml::array* const plugins = file["plugins"].as_array())
        for (toml::node& node : *plugins)
            if (toml::value<std::string>* const text = node.as_string())
                *text = fs::absolute(folder / text->get()).string();
}

// The file's table over that of its base: the file's own values have priority. Nodes are moved, because copies lose
// their places. The identity of a figure is not inherited.
toml::table read_with_bases(const std::string& path, std::vector<std::string>& open) {
    if (std::find(open.begin(), open.end(), path) != open.end())
        throw UserError(fmt::format("{}: the file is its own base, by way of {}", path, comma_list(open)));
    open.push_back(path);
    toml::table own = read_toml(path);
    name_plugins_by_folder(own, fs::path(path).parent_path());
    if (const auto* base = own["base"].as_string()) {
        toml::table merged;
        try {
            merged = read_with_bases((fs::path(path).parent_path() / base->get()).string(), open);
        } catch (const UserError& e) {
            throw UserError(fmt::format("{}: base: {}", place(*base), e.what()));
        }
        for (const char* const key : {"id", "figure", "published"})
            merged.erase(key);
        for (auto&& [key, node] : own)
            node.visit([&merged, &key = key](auto& value) { merged.insert_or_assign(key, std::move(value)); });
        own = std::move(merged);
    }
    open.pop_back();
    return own;
}

class FileReader {
public:
    FileReader(fs::path path, ProgramSets sets) : path_(std::move(path)), sets_(std::move(sets)) {}

    Experiment read() {
        std::vector<std::string> open;
        const toml::table root = read_with_bases(path_.string(), open);
        Fields fields(root, "an experiment", path_.string(), problems_);
        (void)fields.text("base");
        out_.file = path_;
        load_plugins(fields);
        read_head(fields);
        read_what(fields);
        SettingsReader settings(fields, path_, problems_);
        out_.settings = settings.settings();
        out_.points = settings.points();
        out_.common = settings.common();
        out_.programs = out_.cost ? std::vector<Program>() : read_programs(fields, sets_, problems_);
        read_conditions(fields);
        settings.check(out_);
        read_seeds(fields);
        read_shape(fields);
        read_means(fields);
        out_.readings = read_readings(fields, out_, sets_, problems_);
        for (const toml::table* link : fields.tables("published"))
            out_.links.push_back(read_link(*link, out_, problems_));
        fields.finish();
        problems_.throw_if_any();
        return std::move(out_);
    }

private:
    // Before all that may name their policies and settings.
    void load_plugins(Fields& fields) {
        for (const std::string& file : fields.texts("plugins")) {
            try {
                const config::Plugin plugin = config::load_plugin(file);
                out_.plugins.push_back(plugin.file.string());
                add_plugin_sets(sets_, {&plugin, 1});
            } catch (const UserError& e) {
                fields.problem("plugins", fmt::format("plugins: {}", e.what()));
            }
        }
        problems_.throw_if_any(); // what follows would only repeat them
    }

    // experiments/lwm11/8.toml: paper LWM11, figure 8, id lwm11-8.
    void read_head(Fields& fields) {
        const std::string stem = path_.stem().string();
        out_.title = fields.required_text("title");
        out_.caption = fields.text("caption");
        out_.unit = fields.text("unit");
        out_.paper = fields.text("paper");
        out_.figures = fields.texts("figure");
        if (out_.figures.empty())
            out_.figures = {stem};
        std::string id = out_.paper.empty() ? stem : out_.paper + "-" + stem;
        std::transform(id.begin(), id.end(), id.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        out_.id = fields.text("id", id);
        if (out_.id.empty() ||
            out_.id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
                std::string::npos)
            fields.problem("id",
                           fmt::format("id: '{}' is to name files; use letters, digits, '-', '_' and '.'", out_.id));
        out_.kind = fields.choice("kind", kKinds, FigureKind::table);
    }

    void read_what(Fields& fields) {
        out_.cost = fields.boolean("cost", false);
        out_.tool = fields.choice("tool", kTools, Tool::run);
        out_.view = fields.choice("view", kViews, View::none);
        out_.sm = fields.count("sm", 0);
        out_.sample = std::max<std::uint64_t>(1, fields.count("sample", 1000));
        const toml::node* const list = fields.node("value");
        if (list != nullptr && list->is_array()) {
            for (const toml::table* table : fields.tables("value"))
                add_value(*table);
        } else if (list != nullptr) {
            if (const auto formula = read_formula(fields, "value", problems_))
                out_.values.push_back({"", *formula});
        }
        const bool has_view = out_.view != View::none;
        if (list == nullptr && !has_view)
            problems_.add(fields.where(),
                          "an experiment: 'value' is missing: a formula over the result, or a list of them");
        if (list != nullptr && has_view)
            fields.problem("view", "view: a view has no 'value'");
        if (out_.cost && has_view)
            fields.problem("view", "view: hardware cost has no views");
        if (out_.cost && out_.tool != Tool::run)
            fields.problem("tool", "tool: hardware cost runs no programs");
        if (out_.tool == Tool::oracle && has_view)
            fields.problem("view", "view: the oracle's results have no views");
        out_.each_program = fields.boolean("figure_each_program", false);
    }

    void add_value(const toml::table& table) {
        Fields fields(table, "a value", path_.string(), problems_);
        const std::string name = fields.required_text("name");
        if (!fields.has("formula"))
            problems_.add(fields.where(), "a value: 'formula' is missing");
        else if (const auto formula = read_formula(fields, "formula", problems_))
            out_.values.push_back({name, *formula});
        fields.finish();
    }

    // where = "lwm.size <= 256 or program != 'bfs'", or a list of conditions that all hold.
    void read_conditions(Fields& fields) {
        const Condition::Names names = names_for_conditions(out_);
        for (const auto& [text, node] : fields.placed_texts("where")) {
            try {
                const auto [label, begin] = place_of_text(*node);
                Condition condition(text, label, begin);
                condition.check(names);
                out_.conditions.push_back(std::move(condition));
            } catch (const FormulaError& e) {
                problems_.add(e.what());
            }
        }
    }

    // seeds = [1, 5, 9]; or a number: seeds = 3 is [1, 2, 3].
    void read_seeds(Fields& fields) {
        constexpr std::uint64_t kMost = 1000;
        const toml::node* const node = fields.node("seeds");
        if (node == nullptr)
            return;
        if (node->is_integer()) {
            const std::uint64_t count = fields.count("seeds", 0);
            if (count == 0 || count > kMost)
                return fields.problem("seeds", fmt::format("seeds: a number of seeds is 1 to {}", kMost));
            for (std::uint64_t seed = 1; seed <= count; ++seed)
                out_.seeds.push_back(seed);
        } else {
            for (const double seed : fields.numbers("seeds")) {
                const bool is_whole = seed >= 0 && seed == std::floor(seed) && seed < 1e15;
                if (!is_whole || std::find(out_.seeds.begin(), out_.seeds.end(), static_cast<std::uint64_t>(seed)) !=
                                     out_.seeds.end())
                    return fields.problem("seeds", fmt::format("seeds: {} is {}", seed,
                                                               is_whole ? "there twice" : "no whole number from 0 up"));
                out_.seeds.push_back(static_cast<std::uint64_t>(seed));
            }
        }
        if (out_.cost || out_.view != View::none)
            fields.problem("seeds",
                           out_.cost ? "seeds: hardware cost runs no programs" : "seeds: a view is of a single run");
    }

    void read_shape(Fields& fields) {
        const Axis otherwise = out_.cost ? Axis::setting : Axis::program;
        out_.categories = fields.choice("categories", kAxes, otherwise);
        static const char* const kNames[] = {"workload", "setting", "point", "value"};
        out_.category = fields.text("category", kNames[static_cast<std::size_t>(out_.categories)]);
        if (const toml::table* table = fields.table("reduce"))
            read_reductions(*table);
        if (const toml::table* table = fields.table("relative"))
            read_relative(*table);
    }

    void read_reductions(const toml::table& table) {
        Fields fields(table, "reduce", path_.string(), problems_);
        for (const auto& [name, axis] : kAxes) {
            if (!fields.has(name))
                continue;
            std::vector<std::pair<std::string, std::optional<Mean>>> names{{"best", std::nullopt}};
            for (const auto& [mean, value] : mean_names())
                names.emplace_back(mean, value);
            out_.reductions.push_back({axis, fields.choice<std::optional<Mean>>(name, names, Mean::geometric)});
            if (axis == out_.categories)
                fields.problem(name,
                               fmt::format("reduce: the categories are the {}s: they cannot be reduced as well", name));
        }
        fields.finish();
    }

    void read_relative(const toml::table& table) {
        Fields fields(table, "relative", path_.string(), problems_);
        Relative relative;
        relative.to = out_.settings.size() == 1 ? fields.text("to", out_.settings.front().name) // there is no other
                                                : fields.required_text("to");
        relative.at = fields.text("at");
        relative.as = fields.choice("as", kAs, As::ratio);
        check_name(fields, "to", relative.to, out_.settings);
        if (!relative.at.empty())
            check_name(fields, "at", relative.at, out_.points);
        fields.finish();
        out_.relative = relative;
    }

    void check_name(Fields& fields, std::string_view key, const std::string& name, const std::vector<Setting>& known) {
        std::vector<std::string> names;
        for (const Setting& one : known)
            names.push_back(one.name);
        if (fields.has(key) && std::find(names.begin(), names.end(), name) == names.end())
            fields.problem(key, fmt::format("{}: there is no '{}'; valid: {}{}", key, name, comma_list(names),
                                            did_you_mean(name, names)));
    }

    // means = ["geometric mean", { name = "branch-intensive", mean = "geometric mean", of = ["sort"] }]
    void read_means(Fields& fields) {
        const toml::node* const node = fields.node("means");
        if (node == nullptr)
            return;
        if (out_.categories != Axis::program)
            fields.problem("means", "means: means are of programs, which are not the categories here");
        const toml::array* const list = node->as_array();
        if (list == nullptr)
            return fields.problem("means", "means: expected a list");
        for (const toml::node& element : *list) {
            if (const toml::table* table = element.as_table())
                read_mean(*table);
            else if (const auto* text = element.as_string())
                add_mean(place(element), text->get(), {text->get(), Mean::geometric, {}});
            else
                problems_.add(place(element), "means: expected a text or a table");
        }
    }

    void read_mean(const toml::table& table) {
        Fields fields(table, "a mean", path_.string(), problems_);
        const std::string mean = fields.required_text("mean");
        MeanColumn column{fields.text("name", mean), Mean::geometric, fields.texts("of")};
        std::vector<std::string> names;
        for (const Program& program : out_.programs)
            names.push_back(program.name);
        for (const std::string& name : column.of)
            if (std::find(names.begin(), names.end(), name) == names.end())
                fields.problem("of",
                               fmt::format("of: there is no program '{}' here{}", name, did_you_mean(name, names)));
        add_mean(fields.where("mean"), mean, column);
        fields.finish();
    }

    void add_mean(const std::string& where, const std::string& mean, MeanColumn column) {
        std::vector<std::string> known;
        for (const auto& [name, value] : mean_names()) {
            known.push_back(name);
            if (name == mean) {
                column.mean = value;
                out_.means.push_back(column);
                return;
            }
        }
        problems_.add(where, fmt::format("there is no mean '{}'; valid: {}{}", mean, comma_list(known),
                                         did_you_mean(mean, known)));
    }

    fs::path path_;
    ProgramSets sets_;
    Problems problems_;
    Experiment out_;
};

} // namespace

ProgramSets read_program_sets(const fs::path& path) {
    Problems problems;
    const toml::table root = read_toml(path.string());
    ProgramSets out;
    Fields fields(root, "the sets of programs", path.string(), problems);
    for (const auto& [key, node] : root)
        for (const toml::table* table : fields.tables(key.str()))
            out[std::string(key.str())].push_back(read_program(*table, path, problems));
    problems.throw_if_any();
    return out;
}

Experiment read_experiment(const fs::path& path, const ProgramSets& sets) {
    return FileReader(path, sets).read();
}

} // namespace heddle::experiment
