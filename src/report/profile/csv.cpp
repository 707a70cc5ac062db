#include "report/csv.h"

#include <fmt/format.h>

#include "report/kernels.h"
#include "report/profile/columns.h"
#include "report/profile/exports.h"
#include "report/profile/frames.h"
#include "report/profile/row_names.h"

namespace heddle::report {

namespace {

// The place of a row; what rows of this kind do not have stays empty.
std::vector<std::string> place_fields(const Profile& profile, const ProfileRows& rows, const ProfileRow& row,
                                      const std::string& path) {
    const bool kernel = rows.by == RowsBy::Kernel || rows.by == RowsBy::Instruction;
    const bool line = rows.by != RowsBy::Kernel && rows.by != RowsBy::Function;
    const SourceLine place = line_of(*row.instruction);
    std::string function = row.function;
    if (rows.by == RowsBy::Instruction)
        function = readable_name(row.instruction->function);
    return {kernel ? readable_name(row.kernel->name) : "",
            function,
            line ? profile.files[place.file].name : "",
            line ? fmt::format("{}", place.line) : "",
            path,
            rows.by == RowsBy::Instruction ? fmt::format("{}", row.instruction->pc) : "",
            rows.by == RowsBy::Instruction ? row.instruction->text : ""};
}

} // namespace

std::string profile_csv(const Profile& profile, RowsBy by) {
    const ProfileRows rows = rows_of(profile, by);
    const RowNames names(profile);
    std::vector<std::string> fields{"kernel", "function", "file", "line", "path", "pc", "instruction"};
    std::vector<ProfileColumn> columns;
    for (const std::string& name : ProfileColumn::names()) {
        columns.push_back(ProfileColumn::named(name));
        fields.push_back(name);
    }
    std::string out = csv_line(fields);
    for (const ProfileRow& row : rows.rows) {
        fields = place_fields(profile, rows, row, by == RowsBy::Path ? names.name(rows, row) : "");
        for (const ProfileColumn& column : columns) {
            const auto value = column.value(rows, row);
            fields.push_back(value ? fmt::format("{}", *value) : "");
        }
        out += csv_line(fields);
    }
    return out;
}

} // namespace heddle::report
