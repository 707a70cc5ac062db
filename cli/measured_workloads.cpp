#include "measured_workloads.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

#include "base/readable_name.h"
#include "base/source.h"
#include "child.h"
#include "config/toml_text.h"
#include "own_folder.h"
#include "report/csv.h"
#include "report/table.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

std::string place_of(const fs::path& file, const toml::node& node) {
    return fmt::format("{}:{}", file.string(), node.source().begin.line);
}

// The value of a key; `kind` says what is expected.
template <class T>
T value_of(const toml::table& row, std::string_view key, std::string_view kind, const std::string& place) {
    if (const auto value = row[key].value<T>())
        return *value;
    throw UserError(fmt::format("{}: expected {} = {}", place, key, kind));
}

void refuse_others(const toml::table& row, std::initializer_list<std::string_view> known, const std::string& place) {
    for (const auto& [key, node] : row)
        if (std::find(known.begin(), known.end(), key.str()) == known.end())
            throw UserError(
                fmt::format("{}: there is no key '{}'; valid: {}", place, key.str(), fmt::join(known, ", ")));
}

KernelCost kernel_of(const toml::node& node, const fs::path& file) {
    const std::string place = place_of(file, node);
    const toml::table* const row = node.as_table();
    if (row == nullptr)
        throw UserError(fmt::format("{}: expected {{ kernel = ..., launches = ..., cycles = ... }}", place));
    refuse_others(*row, {"kernel", "launches", "cycles", "instructions", "registers"}, place);
    KernelCost out{value_of<std::string>(*row, "kernel", "a name", place),
                   static_cast<std::uint64_t>(value_of<std::int64_t>(*row, "launches", "a number", place)),
                   value_of<double>(*row, "cycles", "a number", place),
                   static_cast<std::uint64_t>(value_of<std::int64_t>(*row, "instructions", "a number", place))};
    if (out.launches == 0 || out.cycles <= 0 || out.instructions == 0)
        throw UserError(fmt::format("{}: launches, cycles and instructions are more than 0", place));
    return out;
}

MeasuredWorkload workload_of(const toml::node& node, const fs::path& file) {
    const std::string place = place_of(file, node);
    const toml::table* const row = node.as_table();
    if (row == nullptr || row->get_as<toml::array>("kernels") == nullptr)
        throw UserError(fmt::format("{}: expected a program with a list of `kernels`", place));
    refuse_others(*row, {"program", "arguments", "kernels"}, place);
    MeasuredWorkload out{value_of<std::string>(*row, "program", "a name", place), (*row)["arguments"].value_or(""), {}};
    for (const toml::node& kernel : *row->get_as<toml::array>("kernels"))
        out.kernels.push_back(kernel_of(kernel, file));
    return out;
}

// The value that `share` of the sorted values do not exceed.
double percentile(const std::vector<double>& sorted, double share) {
    const auto at = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::max<std::size_t>(at, 1) - 1];
}

double correlation(const std::vector<WorkloadRow>& rows) {
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (const WorkloadRow& row : rows) {
        const double a = std::log(row.measured_cycles()), b = std::log(std::max(row.here_cycles(), 1.0));
        x += a;
        y += b;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    const auto n = static_cast<double>(rows.size());
    return (n * xy - x * y) / std::sqrt((n * xx - x * x) * (n * yy - y * y));
}

} // namespace

std::vector<std::string> MeasuredWorkload::words() const {
    const bool of_validation = program.find('/') != std::string::npos;
    const fs::path folder =
        of_validation ? own_folder("lib/heddle", "validation") / "programs" : own_folder("lib/heddle", "workloads");
    std::vector<std::string> out = {(folder / program).string()};
    std::istringstream rest(arguments);
    for (std::string word; rest >> word;)
        out.push_back(word);
    return out;
}

MeasuredChip read_measured_chip(const fs::path& file) {
    const toml::table root = config::parse_toml(read_file(file), file.string());
    refuse_others(root, {"empty", "mean_percent", "workloads"}, file.string());
    MeasuredChip out;
    out.empty = value_of<double>(root, "empty", "the cycles of an empty kernel", file.string());
    out.mean_percent = root["mean_percent"].value_or(0.0);
    const toml::array* const rows = root["workloads"].as_array();
    if (rows == nullptr)
        throw UserError(fmt::format("{}: expected an array `workloads`", file.string()));
    for (const toml::node& row : *rows)
        out.workloads.push_back(workload_of(row, file));
    return out;
}

MeasuredChip measured_chip(std::string_view machine) {
    const fs::path folder = own_folder("lib/heddle", "validation") / "measured";
    const fs::path file = folder / fmt::format("{}.toml", machine);
    std::error_code error;
    if (fs::exists(file, error))
        return read_measured_chip(file);
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    throw UserError(fmt::format("no workload is measured on the chip of machine '{}'; measured: {}", machine,
                                fmt::join(names, ", ")));
}

double WorkloadRow::measured_cycles() const {
    return measured.cycles - static_cast<double>(measured.launches) * measured_empty;
}
double WorkloadRow::here_cycles() const {
    return here.cycles - static_cast<double>(here.launches) * here_empty;
}
double WorkloadRow::percent_off() const {
    return 100 * (here_cycles() / measured_cycles() - 1);
}
double WorkloadRow::instructions_off() const {
    return 100 * (static_cast<double>(here.instructions) / static_cast<double>(measured.instructions) - 1);
}

std::vector<KernelCost> costs_of(const MeasuredWorkload& workload, const report::Summary& summary) {
    std::vector<KernelCost> out;
    for (const KernelCost& wanted : workload.kernels) {
        KernelCost sum{wanted.kernel};
        for (const report::KernelSummary& kernel : summary.kernels) {
            if (readable_name(kernel.name) != wanted.kernel)
                continue;
            sum.launches += kernel.timed_launches;
            sum.cycles += static_cast<double>(kernel.counts.cycles);
            sum.instructions += kernel.counts.warp_instructions;
        }
        if (sum.launches != wanted.launches)
            throw UserError(fmt::format("{}: kernel '{}' was measured in {} launches; here it has {}", workload.name(),
                                        wanted.kernel, wanted.launches, sum.launches));
        out.push_back(std::move(sum));
    }
    return out;
}

std::string workload_table(const std::vector<WorkloadRow>& rows) {
    using report::Table;
    Table table;
    table.column("Workload", Table::Align::Left);
    table.column("Kernel", Table::Align::Left);
    table.column("Launches");
    table.column("Measured");
    table.column("Here");
    table.column("Difference");
    table.column("Instructions");
    for (const WorkloadRow& row : rows)
        table.row({row.workload, row.measured.kernel, fmt::format("{}", row.measured.launches),
                   fmt::format("{:.0f}", row.measured_cycles()), fmt::format("{:.0f}", row.here_cycles()),
                   fmt::format("{:+.1f} %", row.percent_off()), fmt::format("{:+.1f} %", row.instructions_off())});
    return table.render();
}

std::string workload_csv(const std::vector<WorkloadRow>& rows) {
    std::string out = report::csv_line({"workload", "kernel", "launches", "measured_cycles", "here_cycles",
                                        "percent_off", "measured_instructions", "here_instructions"});
    for (const WorkloadRow& row : rows)
        out += report::csv_line({row.workload, row.measured.kernel, fmt::format("{}", row.measured.launches),
                                 fmt::format("{:.0f}", row.measured_cycles()), fmt::format("{:.0f}", row.here_cycles()),
                                 fmt::format("{:.2f}", row.percent_off()), fmt::format("{}", row.measured.instructions),
                                 fmt::format("{}", row.here.instructions)});
    return out;
}

double mean_difference(const std::vector<WorkloadRow>& rows) {
    double sum = 0;
    for (const WorkloadRow& row : rows)
        sum += std::abs(row.percent_off());
    return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
}

std::string workload_summary(const std::vector<WorkloadRow>& rows) {
    if (rows.empty())
        return "";
    std::vector<double> off;
    double instructions = 0;
    for (const WorkloadRow& row : rows) {
        off.push_back(std::abs(row.percent_off()));
        instructions += std::abs(row.instructions_off());
    }
    std::sort(off.begin(), off.end());
    return fmt::format("{} kernels; difference in cycles: mean {:.1f} %, median {:.1f} %, 90th percentile {:.1f} %; "
                       "correlation of the logarithms {:.3f}; difference in instructions: mean {:.1f} %\n",
                       rows.size(), mean_difference(rows), percentile(off, 0.5), percentile(off, 0.9),
                       correlation(rows), instructions / static_cast<double>(rows.size()));
}

} // namespace heddle::cli
