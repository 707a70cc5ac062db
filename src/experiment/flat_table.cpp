#include "experiment/flat_table.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::experiment {

namespace {

using Json = nlohmann::json;

QueryCell cell_of(const Json& value) {
    if (value.is_boolean())
        return std::int64_t{value.get<bool>() ? 1 : 0};
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number())
        return value.get<double>();
    return value.is_string() ? QueryCell(value.get<std::string>()) : QueryCell();
}

// Columns in the order in which they are first seen, and a row of their values for each run.
class Columns {
public:
    void begin_row() {
        rows_.emplace_back();
    }
    void set(const std::string& name, QueryCell cell) {
        const auto [at, fresh] = places_.emplace(name, names_.size());
        if (fresh)
            names_.push_back(name);
        std::vector<QueryCell>& row = rows_.back();
        row.resize(std::max(row.size(), at->second + 1));
        row[at->second] = std::move(cell);
    }
    // All numbers below a value: members with dots, elements with brackets.
    void set_all(const std::string& name, const Json& value) {
        if (value.is_object())
            for (const auto& [key, member] : value.items())
                set_all(name + "." + key, member);
        else if (value.is_array())
            for (std::size_t i = 0; i < value.size(); ++i)
                set_all(fmt::format("{}[{}]", name, i), value[i]);
        else
            set(name, cell_of(value));
    }
    // Adds the columns that `is_wanted` to the table.
    template <class IsWanted>
    void append_to(QueryTable& table, IsWanted is_wanted) const {
        for (std::size_t c = 0; c < names_.size(); ++c) {
            if (!is_wanted(c))
                continue;
            table.columns.push_back(names_[c]);
            for (std::size_t r = 0; r < rows_.size(); ++r)
                table.rows[r].push_back(c < rows_[r].size() ? rows_[r][c] : QueryCell());
        }
    }
    [[nodiscard]] const std::vector<std::vector<QueryCell>>& rows() const {
        return rows_;
    }

private:
    std::map<std::string, std::size_t> places_;
    std::vector<std::string> names_;
    std::vector<std::vector<QueryCell>> rows_;
};

} // namespace

QueryTable flat_table(Queries& queries) {
    QueryTable out = queries.run("SELECT * FROM runs ORDER BY label, key, version");
    Columns parameters, numbers[4];
    const char* const sections[] = {"totals", "active_lanes", "stalls", "stats"};
    std::vector<bool> has_result;
    for (const std::vector<QueryCell>& row : out.rows) {
        const Json* const document = queries.document(std::get<std::int64_t>(row.front()));
        has_result.push_back(document != nullptr);
        parameters.begin_row();
        for (std::size_t s = 0; s < std::size(sections); ++s) {
            numbers[s].begin_row();
            if (document != nullptr && document->contains(sections[s]))
                numbers[s].set_all(sections[s], (*document)[sections[s]]);
        }
        if (document != nullptr && document->contains("config"))
            for (const auto& [key, parameter] : (*document)["config"].items())
                parameters.set(key, parameter.is_object() ? cell_of(parameter.value("value", Json())) : QueryCell());
    }
    const std::vector<std::vector<QueryCell>>& values = parameters.rows();
    parameters.append_to(out, [&](std::size_t column) {
        std::set<QueryCell> different;
        for (std::size_t r = 0; r < values.size(); ++r)
            if (has_result[r])
                different.insert(column < values[r].size() ? values[r][column] : QueryCell());
        return different.size() > 1;
    });
    for (const Columns& section : numbers)
        section.append_to(out, [](std::size_t) { return true; });
    return out;
}

} // namespace heddle::experiment
