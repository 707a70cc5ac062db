#include "report/table.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/kernels.h"
#include "report/profile/row_names.h"
#include "report/profile/tables.h"
#include "report/profile/text_beside.h"

namespace heddle::report {

namespace {

// The columns of a table by default. A column in which no row has a value is left out.
constexpr const char* kShown[] = {
    "cost",        "executions",   "lanes_per_execution", "transactions_per_access", "ideal_per_access",
    "l1_hit_rate", "mean_latency", "conflict_ways"};

std::vector<ProfileColumn> columns_for(const ProfileView& view) {
    std::vector<ProfileColumn> out;
    for (const char* name : kShown)
        out.push_back(ProfileColumn::named(name));
    if (view.by == RowsBy::Function)
        out.insert(out.begin() + 1, ProfileColumn::named("with_inlined"));
    const auto is_sort = [&](const ProfileColumn& column) { return view.sort && column.name == view.sort->name; };
    if (view.sort && std::none_of(out.begin(), out.end(), is_sort))
        out.insert(out.begin() + 1, *view.sort);
    return out;
}

// "sb_dram 72 % for a.cu:2", of the row's slots.
std::string cause_text(const RowNames& names, const ProfileRows& rows, const ProfileRow& row) {
    const RowNames::Cause cause = RowNames::largest_cause(row);
    if (cause.slots == 0)
        return "";
    std::string out = fmt::format("{} {:.0f} %", cause.code,
                                  100 * static_cast<double>(cause.slots) / static_cast<double>(row.slots()));
    if (cause.producer && rows.by != RowsBy::Function && rows.by != RowsBy::Kernel &&
        &rows.rows[*cause.producer] != &row)
        out += " for " + names.place(rows.rows[*cause.producer]);
    return out;
}

std::string elsewhere_text(const ProfileRows& rows) {
    std::vector<std::pair<std::string, std::uint64_t>> causes = rows.elsewhere;
    std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string out;
    for (const auto& [cause, slots] : causes)
        if (rows.share(slots) >= 0.0005)
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", cause, percent(rows.share(slots)));
    return out;
}

// What the profile is of, and where its slots are.
std::string heading(const Profile& profile, const ProfileRows& rows) {
    std::uint64_t issued = 0, stalled = 0;
    for (const ProfileRow& row : rows.rows) {
        issued += row.counter(probe::Counter::Executions);
        stalled += row.stalled;
    }
    std::uint64_t launches = 0;
    for (const ProfiledKernel& kernel : profile.kernels)
        launches += kernel.launches;
    std::string out = fmt::format("{}, {}: {} issue slots\n",
                                  profile.kernels.size() == 1 ? short_name(profile.kernels.front().name)
                                                              : counted(profile.kernels.size(), "kernel"),
                                  counted(launches, "launch"), grouped(rows.slots));
    if (!rows.timed)
        return out + "no launch was timed: the cost is the share of the executed instructions\n";
    out += fmt::format("{} carried an instruction, {} stayed empty at an instruction", percent(rows.share(issued)),
                       percent(rows.share(stalled)));
    if (const std::string rest = elsewhere_text(rows); !rest.empty())
        out +=
            fmt::format(",\n{} stayed empty without one: {}", percent(rows.share(rows.slots - issued - stalled)), rest);
    return out + "\n";
}

std::string rest_text(const ProfileRows& rows, const std::vector<std::size_t>& order, std::size_t shown) {
    std::uint64_t slots = 0;
    for (std::size_t i = shown; i < order.size(); ++i)
        slots += rows.rows[order[i]].slots();
    return fmt::format("and {} more with {} of the slots\n", order.size() - shown, percent(rows.share(slots)));
}

} // namespace

std::string profile_table(const Profile& profile, const ProfileView& view) {
    const ProfileRows rows = rows_of(profile, view.by);
    const RowNames names(profile);
    std::vector<ProfileColumn> columns = columns_for(view);
    const std::vector<std::size_t> order = view.sort ? sorted_by(rows, *view.sort) : rows.costliest();
    const std::size_t shown = std::min(view.rows, order.size());
    std::erase_if(columns, [&](const ProfileColumn& column) {
        return std::none_of(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown),
                            [&](std::size_t row) { return column.value(rows, rows.rows[row]).has_value(); });
    });

    Table table;
    for (const ProfileColumn& column : columns)
        table.column(column.heading);
    table.column("most slots", Table::Align::Left);
    table.column(std::string(rows_by_name(view.by)), Table::Align::Left);
    if (view.by == RowsBy::Instruction)
        table.column("line", Table::Align::Left);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < shown; ++i) {
        const ProfileRow& row = rows.rows[order[i]];
        std::vector<std::string> cells;
        for (const ProfileColumn& column : columns)
            cells.push_back(column.text(column.value(rows, row)));
        cells.push_back(cause_text(names, rows, row));
        cells.push_back(names.name(rows, row));
        if (view.by == RowsBy::Instruction)
            cells.push_back(names.place(row));
        table.row(std::move(cells));
        texts.push_back(names.text(rows, row));
    }
    std::string out = heading(profile, rows);
    if (shown != 0)
        out.append("\n").append(text_beside(table.render(), "source", texts));
    if (shown < order.size())
        out += rest_text(rows, order, shown);
    return out;
}

} // namespace heddle::report
