#include "experiment/sweep.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "config/parameter.h"
#include "experiment/combination.h"
#include "experiment/file_parts.h"

namespace heddle::experiment {

namespace {

constexpr std::size_t kMostValues = 100'000; // of a range: more is a slip

std::string number_text(double number) {
    return number == std::floor(number) && std::abs(number) < 1e15
               ? fmt::format("{}", static_cast<std::int64_t>(number))
               : fmt::format("{}", number);
}

// Doubles count exactly to far beyond this number of steps.
std::vector<double> numbers_of(double from, double to, double factor, bool geometric) {
    std::vector<double> out;
    const double end = to + std::abs(to) * 1e-9;
    for (double value = from; value <= end && out.size() <= kMostValues;
         value = geometric ? value * factor : from + static_cast<double>(out.size()) * factor)
        out.push_back(value);
    return out;
}

} // namespace

Sweep SweepReader::read(const toml::table& table) {
    Fields fields(table, "a sweep", file_.string(), problems_);
    Sweep out;
    out.of_settings = fields.choice<bool>("as", {{"point", false}, {"setting", true}}, false);
    const bool argument = fields.has("argument");
    std::size_t kinds = 0;
    for (const char* const kind : {"key", "keys", "argument", "machines"})
        kinds += fields.has(kind) ? 1 : 0;
    if (kinds == 1 && (argument ? fields.text("argument").empty() : fields.has("keys") && fields.texts("keys").empty()))
        fields.problem(argument ? "argument" : "keys", "a sweep: nothing is named here");
    if (kinds != 1) {
        problems_.add(fields.where(), "a sweep: needs one of 'key', 'keys', 'argument' and 'machines'");
        (void)fields.has("values");
    } else if (fields.has("machines")) {
        out.values = read_machines(fields, "machines");
    } else {
        const std::vector<std::string> keys = argument            ? std::vector<std::string>{fields.text("argument")}
                                              : fields.has("key") ? std::vector<std::string>{fields.text("key")}
                                                                  : fields.texts("keys");
        if (!argument)
            check_keys(fields, fields.has("key") ? "key" : "keys", keys);
        for (const SweepValue& value : read_values(fields, fields.has("keys") ? keys.size() : 0)) {
            Setting& setting = out.values.emplace_back();
            setting.name = fmt::format("{}", fmt::join(value.texts, "/"));
            setting.where = value.where;
            if (argument)
                setting.arguments = {keys.front(), value.texts.front()};
            for (std::size_t k = 0; k < keys.size() && !argument; ++k)
                if (config::find_parameter(keys[k]) != nullptr) {
                    setting.settings.push_back(keys[k] + "=" + value.texts[k]);
                    setting.places.emplace_back(keys[k], value.where);
                }
        }
    }
    rename(fields, out.values);
    fields.finish();
    return out;
}

// A misspelt key once, not with each value.
void SweepReader::check_keys(Fields& fields, std::string_view key, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (config::find_parameter(name) == nullptr)
            fields.problem(key,
                           fmt::format("{}: there is no parameter '{}'{}", key, name,
                                       did_you_mean(name, config::parameter_keys(name.substr(0, name.rfind('.'))))));
}

// Names of one's own in place of the values.
void SweepReader::rename(Fields& fields, std::vector<Setting>& values) {
    const std::vector<std::string> names = fields.texts("names");
    if (!fields.has("names"))
        return;
    if (names.size() != values.size())
        return fields.problem("names",
                              fmt::format("names: there are {} names of {} values", names.size(), values.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
        values[i].name = names[i];
}

std::vector<SweepReader::SweepValue> SweepReader::read_values(Fields& fields, std::size_t keys) {
    std::vector<SweepValue> out;
    const toml::node* const values = fields.node("values");
    const toml::table* const range = values == nullptr ? nullptr : values->as_table();
    const toml::array* const list = values == nullptr ? nullptr : values->as_array();
    if (range != nullptr && keys == 0)
        read_range(*range, out);
    else if (list != nullptr && !list->empty())
        read_list(*list, keys, out);
    else
        problems_.add(fields.where("values"), keys == 0
                                                  ? "a sweep: 'values' is to be a list of values, or a range as in "
                                                    "{ from = 1, to = 16, times = 2 }"
                                                  : "a sweep: 'values' is to be a list with a list for each point");
    return out;
}

void SweepReader::read_list(const toml::array& list, std::size_t keys, std::vector<SweepValue>& to) {
    for (const toml::node& node : list) {
        SweepValue value{{}, place(node)};
        if (keys == 0) {
            if (const auto text = setting_text(node))
                value.texts.push_back(*text);
        } else if (const toml::array* const together = node.as_array()) {
            for (const toml::node& one : *together)
                if (const auto text = setting_text(one))
                    value.texts.push_back(*text);
        }
        if (value.texts.size() == std::max<std::size_t>(keys, 1))
            to.push_back(std::move(value));
        else
            problems_.add(value.where, keys == 0 ? "a sweep: expected one value"
                                                 : fmt::format("a sweep: expected a list of {} values, one for each of "
                                                               "'keys'",
                                                               keys));
    }
}

// { from = 1, to = 16, times = 2 } is 1, 2, 4, 8, 16; { from = 0, to = 10, step = 5 } is 0, 5, 10.
void SweepReader::read_range(const toml::table& table, std::vector<SweepValue>& to) {
    Fields fields(table, "a range", file_.string(), problems_);
    for (const char* const key : {"from", "to"})
        if (!fields.has(key))
            problems_.add(fields.where(), fmt::format("a range: '{}' is missing", key));
    const double from = fields.number("from", 0), end = fields.number("to", 0);
    const bool geometric = fields.has("times");
    const double factor = geometric ? fields.number("times", 2) : fields.number("step", 1);
    if (geometric && fields.has("step"))
        fields.problem("step", "a range: has either 'times' or 'step'");
    fields.finish();
    if (geometric ? factor <= 1 || from <= 0 : factor <= 0)
        return problems_.add(fields.where(), geometric ? "a range: 'times' is more than 1, and 'from' more than 0"
                                                       : "a range: 'step' is more than 0");
    const std::vector<double> numbers = numbers_of(from, end, factor, geometric);
    if (numbers.empty() || numbers.size() > kMostValues)
        return problems_.add(fields.where(), numbers.empty()
                                                 ? "a range: 'to' is less than 'from'"
                                                 : fmt::format("a range: more than {} values", kMostValues));
    for (const double number : numbers)
        to.push_back({{number_text(number)}, fields.where()});
}

std::vector<Setting> SweepReader::read_machines(Fields& fields, std::string_view key) {
    std::vector<Setting> out;
    const toml::node* const list = fields.node(key);
    if (list == nullptr || !list->is_array() || list->as_array()->empty()) {
        fields.problem(key, fmt::format("{}: expected a list of machines", key));
        return out;
    }
    for (const toml::node& node : *list->as_array()) {
        const auto* const text = node.as_string();
        if (text == nullptr) {
            problems_.add(place(node), fmt::format("{}: expected a text in quotes", key));
            continue;
        }
        Setting& setting = out.emplace_back();
        setting.machine = machine_path(text->get(), node, file_);
        setting.name = machine_name(setting.machine);
        setting.where = place(node);
    }
    return out;
}

std::vector<Setting> product(const std::vector<Setting>& left, const std::vector<Setting>& right) {
    std::vector<Setting> out;
    out.reserve(left.size() * right.size());
    for (const Setting& a : left)
        for (const Setting& b : right) {
            Setting& both = out.emplace_back(a);
            both.name += (a.name.empty() || b.name.empty() ? "" : ", ") + b.name;
            both.machine = machine_of(a, b);
            both.settings = settings_of(a, b);
            both.arguments.insert(both.arguments.end(), b.arguments.begin(), b.arguments.end());
            both.places.insert(both.places.end(), b.places.begin(), b.places.end());
            both.where = a.name.empty() || a.where.empty() ? b.where : a.where;
        }
    return out;
}

} // namespace heddle::experiment
