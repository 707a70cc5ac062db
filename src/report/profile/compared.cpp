#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/profile/matching.h"
#include "report/profile/row_names.h"
#include "report/profile/tables.h"
#include "report/profile/text_beside.h"
#include "report/table.h"

namespace heddle::report {

namespace {

struct Side {
    Side(const Profile& profile, RowsBy by) : rows(rows_of(profile, by)), names(profile) {}

    [[nodiscard]] std::optional<double> value(const ProfileColumn& column, std::optional<std::size_t> row) const {
        return row ? column.value(rows, rows.rows[*row]) : std::nullopt;
    }
    [[nodiscard]] std::string cost(std::optional<std::size_t> row) const {
        static const ProfileColumn column = ProfileColumn::named("cost");
        return column.text(value(column, row));
    }
    [[nodiscard]] std::string cause(std::optional<std::size_t> row) const {
        const auto largest = row ? RowNames::largest_cause(rows.rows[*row]) : RowNames::Cause{};
        return largest.slots == 0 ? "" : largest.code;
    }
    [[nodiscard]] std::string name(std::optional<std::size_t> row) const {
        return row ? names.name(rows, rows.rows[*row]) : "";
    }
    [[nodiscard]] std::string text(std::optional<std::size_t> row) const {
        return row ? names.text(rows, rows.rows[*row]) : "";
    }

    ProfileRows rows;
    RowNames names;
};

std::string sum_text(const Side& first, const Side& second) {
    std::string out = fmt::format("issue slots: {} and {}", grouped(first.rows.slots), grouped(second.rows.slots));
    if (first.rows.slots != 0 && second.rows.slots != 0)
        out += fmt::format(" ({:+.1f} %)",
                           100 * (static_cast<double>(second.rows.slots) / static_cast<double>(first.rows.slots) - 1));
    return out + "\n";
}

// "+1,234"; of a value that is missing on one side, as if it were 0 there.
std::string difference_text(const ProfileColumn& column, std::optional<double> first, std::optional<double> second) {
    if (!first && !second)
        return "";
    const double difference = second.value_or(0) - first.value_or(0);
    return fmt::format("{}{}", difference > 0 ? "+" : "", column.text(difference));
}

} // namespace

std::string compared_profiles_table(const Profile& first, const Profile& second, const ProfileView& view) {
    const Side a(first, view.by), b(second, view.by);
    const ProfileColumn column = view.sort ? *view.sort : ProfileColumn::named("slots");
    std::vector<RowPair> pairs = matched_rows(first, a.rows, second, b.rows);
    const auto change = [&](const RowPair& pair) {
        return std::abs(b.value(column, pair.second).value_or(0) - a.value(column, pair.first).value_or(0));
    };
    const auto slots = [&](const RowPair& pair) {
        return (pair.first ? a.rows.rows[*pair.first].slots() : 0) +
               (pair.second ? b.rows.rows[*pair.second].slots() : 0);
    };
    std::stable_sort(pairs.begin(), pairs.end(), [&](const RowPair& x, const RowPair& y) {
        return std::pair(change(x), slots(x)) > std::pair(change(y), slots(y));
    });
    const std::size_t shown = std::min(view.rows, pairs.size());

    Table table;
    for (const std::string& heading : {std::string("cost % 1"), std::string("2"), column.heading + " 1",
                                       std::string("2"), std::string("difference")})
        table.column(heading);
    for (const std::string& heading :
         {std::string("most slots 1"), std::string("2"), fmt::format("{} 1", rows_by_name(view.by)), std::string("2")})
        table.column(heading, Table::Align::Left);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& [left, right] = pairs[i];
        const auto before = a.value(column, left), after = b.value(column, right);
        table.row({a.cost(left), b.cost(right), column.text(before), column.text(after),
                   difference_text(column, before, after), a.cause(left), b.cause(right), a.name(left), b.name(right)});
        texts.push_back(right ? b.text(right) : a.text(left));
    }
    std::string out = sum_text(a, b);
    if (shown != 0)
        out += "\n" + text_beside(table.render(), "source", texts);
    if (shown < pairs.size())
        out += fmt::format("and {} more\n", pairs.size() - shown);
    return out;
}

} // namespace heddle::report
