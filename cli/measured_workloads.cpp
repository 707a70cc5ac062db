#include "measured_workloads.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "base/readable_name.h"
#include "base/source.h"
#include "base/suggest.h"
#include "child.h"
#include "experiment/fields.h"
#include "own_folder.h"
#include "report/csv.h"
#include "report/table.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

KernelCost kernel_of(const toml::table& row, const std::string& file, double empty, experiment::Problems& problems) {
    experiment::Fields fields(row, "a kernel", file, problems);
    KernelCost out{fields.required_text("kernel"), fields.count("launches", 0), fields.number("cycles", 0),
                   fields.count("instructions", 0)};
    static_cast<void>(fields.count("registers", 0)); // for readers of the file
    fields.finish();
    if (out.launches == 0 || out.instructions == 0)
        problems.add(fields.where(), "launches and instructions are more than 0");
    if (out.cycles <= static_cast<double>(out.launches) * empty)
        problems.add(fields.where(),
                     fmt::format("cycles are more than those of as many empty kernels, {:g} each", empty));
    return out;
}

MeasuredWorkload workload_of(const toml::table& row, const std::string& file, double empty,
                             experiment::Problems& problems) {
    experiment::Fields fields(row, "a workload", file, problems);
    MeasuredWorkload out{fields.required_text("program"), fields.text("arguments"), {}};
    for (const toml::table* const kernel : fields.tables("kernels"))
        out.kernels.push_back(kernel_of(*kernel, file, empty, problems));
    fields.finish();
    if (out.kernels.empty())
        problems.add(fields.where(), "a workload has a list of `kernels`");
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
    const toml::table root = experiment::read_toml(file.string());
    experiment::Problems problems;
    experiment::Fields fields(root, "a file of measured workloads", file.string(), problems);
    MeasuredChip out;
    out.empty = fields.number("empty", 0);
    out.mean_percent = fields.number("mean_percent", 0);
    if (out.empty <= 0)
        problems.add(fields.where("empty"), "`empty`, the cycles of an empty kernel, is more than 0");
    if (!fields.has("workloads"))
        problems.add(fields.where(), "a file of measured workloads has an array `workloads`");
    for (const toml::table* const row : fields.tables("workloads"))
        out.workloads.push_back(workload_of(*row, file.string(), out.empty, problems));
    fields.finish();
    problems.throw_if_any();
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
    throw UserError(
        fmt::format("no workload is measured on the chip of machine '{}'; measured: {}", machine, comma_list(names)));
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
    constexpr std::size_t kRelated = 3; // kernels: two points always lie on a line
    const std::string related =
        rows.size() < kRelated ? "" : fmt::format("correlation of the logarithms {:.3f}; ", correlation(rows));
    return fmt::format("{} kernel{}; difference in cycles: mean {:.1f} %, median {:.1f} %, 90th percentile {:.1f} %; "
                       "{}difference in instructions: mean {:.1f} %\n",
                       rows.size(), rows.size() == 1 ? "" : "s", mean_difference(rows), percentile(off, 0.5),
                       percentile(off, 0.9), related, instructions / static_cast<double>(rows.size()));
}

} // namespace heddle::cli
