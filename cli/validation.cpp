#include "validation.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "base/source.h"
#include "child.h"
#include "experiment/fields.h"
#include "own_folder.h"
#include "report/csv.h"
#include "report/table.h"

namespace heddle::cli {

bool Comparison::is_within() const {
    const double bound = std::max(published->units, std::abs(published->value) * published->percent / 100);
    return std::abs(here.value - published->value) <= bound;
}

double Comparison::percent_off() const {
    return 100 * (here.value / published->value - 1);
}

std::string_view Comparison::verdict() const {
    if (!published)
        return "";
    if (is_within())
        return published->fails.empty() ? "yes" : "no longer";
    return published->fails.empty() ? "no" : "known";
}

namespace {

PublishedValue value_of(const toml::table& row, const std::string& file, experiment::Problems& problems) {
    experiment::Fields fields(row, "a published value", file, problems);
    PublishedValue out{fields.required_text("benchmark"), fields.required_text("source"), fields.number("value", 0),
                       fields.number("percent", 0),       fields.number("units", 0),      fields.text("fails")};
    fields.finish();
    if (out.value == 0)
        problems.add(fields.where(), "a published value has a `value` that is not 0");
    return out;
}

} // namespace

std::vector<PublishedValue> read_published_values(const std::filesystem::path& file) {
    const toml::table root = experiment::read_toml(file.string());
    experiment::Problems problems;
    experiment::Fields fields(root, "a file of published values", file.string(), problems);
    if (!fields.has("values"))
        problems.add(fields.where(), "a file of published values has an array `values`");
    std::vector<PublishedValue> out;
    for (const toml::table* const row : fields.tables("values"))
        out.push_back(value_of(*row, file.string(), problems));
    fields.finish();
    problems.throw_if_any();
    return out;
}

std::filesystem::path published_file_of(std::string_view machine) {
    return own_folder("lib/heddle", "validation") / "published" / fmt::format("{}.toml", machine);
}

std::vector<PublishedValue> published_values_of(std::string_view machine) {
    const std::filesystem::path file = published_file_of(machine);
    std::error_code error;
    return std::filesystem::exists(file, error) ? read_published_values(file) : std::vector<PublishedValue>();
}

std::vector<Measurement> measurements_in(std::string_view output) {
    std::vector<Measurement> out;
    std::istringstream lines{std::string(output)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        if (Measurement one; words >> one.benchmark >> one.value >> one.unit)
            out.push_back(std::move(one));
    }
    return out;
}

std::vector<Comparison> compare(const std::vector<Measurement>& measured, const std::vector<PublishedValue>& published,
                                bool all) {
    std::vector<Comparison> out;
    for (const Measurement& one : measured)
        out.push_back({one, std::nullopt});
    for (const PublishedValue& value : published) {
        const auto at = std::find_if(out.begin(), out.end(),
                                     [&](const Comparison& c) { return c.here.benchmark == value.benchmark; });
        if (at == out.end() && all)
            throw UserError(fmt::format("no program measures '{}', of which a value is published", value.benchmark));
        if (at != out.end())
            at->published = value;
    }
    return out;
}

std::string comparison_table(const std::vector<Comparison>& rows) {
    using report::Table;
    Table table;
    table.column("Benchmark", Table::Align::Left);
    table.column("Published");
    table.column("Here");
    table.column("Difference");
    table.column("Unit", Table::Align::Left);
    table.column("Within", Table::Align::Left);
    table.column("Source", Table::Align::Left);
    const auto number = [](double value) { return fmt::format("{:.{}f}", value, std::abs(value) < 100 ? 2 : 0); };
    for (const Comparison& c : rows) {
        if (c.published)
            table.row({c.here.benchmark, number(c.published->value), number(c.here.value),
                       fmt::format("{:+.1f} %", c.percent_off()), c.here.unit, std::string(c.verdict()),
                       c.published->source});
        else
            table.row({c.here.benchmark, "", number(c.here.value), "", c.here.unit});
    }
    return table.render();
}

std::string comparison_csv(const std::vector<Comparison>& rows) {
    std::string out =
        report::csv_line({"benchmark", "unit", "here", "published", "percent_off", "within", "source", "fails"});
    for (const Comparison& c : rows) {
        const auto if_published = [&](auto&& text) { return c.published ? text() : std::string(); };
        out += report::csv_line({c.here.benchmark, c.here.unit, fmt::format("{}", c.here.value),
                                 if_published([&] { return fmt::format("{}", c.published->value); }),
                                 if_published([&] { return fmt::format("{:.2f}", c.percent_off()); }),
                                 std::string(c.verdict()), if_published([&] { return c.published->source; }),
                                 if_published([&] { return c.published->fails; })});
    }
    return out;
}

std::string comparison_summary(const std::vector<Comparison>& rows) {
    std::size_t within = 0, all = 0;
    double off = 0;
    for (const Comparison& c : rows) {
        if (!c.published)
            continue;
        ++all;
        within += c.is_within() ? 1 : 0;
        off += std::abs(c.percent_off());
    }
    if (all == 0)
        return "nothing is published of this machine\n";
    return fmt::format("{} of {} published values are met; the mean difference is {:.1f} %\n", within, all,
                       off / static_cast<double>(all));
}

} // namespace heddle::cli
