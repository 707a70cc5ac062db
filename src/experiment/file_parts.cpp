#include "experiment/file_parts.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/suggest.h"
#include "config/parameter.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

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

const std::vector<std::pair<std::string, Mean>>& mean_names() {
    static const std::vector<std::pair<std::string, Mean>> names{{"arithmetic mean", Mean::arithmetic},
                                                                 {"geometric mean", Mean::geometric},
                                                                 {"harmonic mean", Mean::harmonic},
                                                                 {"sum", Mean::sum},
                                                                 {"max", Mean::max},
                                                                 {"min", Mean::min}};
    return names;
}

std::pair<std::string, Position> place_of_text(const toml::node& node) {
    const toml::source_region& source = node.source();
    // A text of several lines begins below its quotes.
    const Position begin = source.begin.line == source.end.line ? Position{source.begin.line, source.begin.column + 1}
                                                                : Position{source.begin.line + 1, 1};
    return {source.path ? *source.path : "", begin};
}

std::optional<Formula> read_formula(Fields& fields, std::string_view key, Problems& problems) {
    const std::string text = fields.text(key);
    const toml::node* const node = fields.node(key);
    if (node == nullptr || !node->is_string())
        return std::nullopt;
    try {
        const auto [label, begin] = place_of_text(*node);
        return Formula(text, label, begin);
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
    out.variant = fields.text("variant");
    if (!out.variant.empty() && !out.is_workload())
        fields.problem("variant", "variant: only workloads have variants");
    out.quick = fields.has("quick") || !out.is_workload() ? fields.texts("quick") : std::vector<std::string>{"--quick"};
    out.inputs = fields.texts("inputs");
    out.kernel = fields.text("kernel");
    out.seed = fields.text("seed", "--seed");
    out.folder = fs::absolute(file).parent_path();
    fields.finish();
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

fs::path path_beside(const std::string& path, const toml::node& node, const fs::path& file) {
    const auto& source = node.source();
    const fs::path folder = fs::absolute(source.path ? fs::path(*source.path) : file).parent_path();
    return (folder / path).lexically_normal();
}

std::string machine_path(const std::string& name, const toml::node& node, const fs::path& file) {
    const std::vector<std::string> shipped = config::machine_names();
    const bool looks_like_path = name.find('/') != std::string::npos || fs::path(name).extension() == ".toml";
    if (name.empty() || !looks_like_path || std::find(shipped.begin(), shipped.end(), name) != shipped.end())
        return name;
    return path_beside(name, node, file).string();
}

} // namespace heddle::experiment
