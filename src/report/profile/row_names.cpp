#include "report/profile/row_names.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/kernels.h"
#include "report/profile/frames.h"
#include "report/profile/source_files.h"

namespace heddle::report {

std::string_view rows_by_name(RowsBy by) {
    switch (by) {
    case RowsBy::Line:
        return "line";
    case RowsBy::Path:
        return "path";
    case RowsBy::Function:
        return "function";
    case RowsBy::Instruction:
        return "instruction";
    case RowsBy::Kernel:
        return "kernel";
    }
    return "";
}

RowNames::RowNames(const Profile& profile) : files_(short_file_names(profile)) {
    for (const ProfiledFile& file : profile.files)
        lines_.push_back(lines_of(file.text.value_or("")));
}

std::string RowNames::line(SourceLine line) const {
    const std::vector<std::string>& lines = lines_[line.file];
    return line.line <= lines.size() ? lines[line.line - 1] : "";
}

std::string RowNames::ptx(const ProfiledInstruction& instruction) const {
    std::string text = trimmed(line(instruction.ptx));
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    text.erase(std::unique(text.begin(), text.end(), [&](char a, char b) { return blank(a) && blank(b); }), text.end());
    std::replace(text.begin(), text.end(), '\t', ' ');
    return text.empty() ? instruction.text : text;
}

std::string RowNames::place(const ProfileRow& row) const {
    return place_name(files_, line_of(*row.instruction));
}

std::string RowNames::name(const ProfileRows& rows, const ProfileRow& row) const {
    switch (rows.by) {
    case RowsBy::Line:
        return place(row);
    case RowsBy::Path: {
        std::string out = place(row);
        for (std::size_t i = 1; i < row.instruction->lines.size(); ++i)
            out += " < " + place_name(files_, row.instruction->lines[i]);
        return out;
    }
    case RowsBy::Function:
        return row.function;
    case RowsBy::Instruction:
        return fmt::format("{} {}", row.instruction->pc, row.instruction->text);
    case RowsBy::Kernel:
        return short_name(row.kernel->name);
    }
    return "";
}

std::string RowNames::text(const ProfileRows& rows, const ProfileRow& row) const {
    if (rows.by == RowsBy::Function || rows.by == RowsBy::Kernel)
        return "";
    return trimmed(line(line_of(*row.instruction)));
}

RowNames::Cause RowNames::largest_cause(const ProfileRow& row) {
    const std::uint64_t issued = row.counter(probe::Counter::Executions);
    const auto causes = row.causes();
    if (causes.empty() || causes.front().second <= issued)
        return {"issued", issued, {}};
    Cause out{causes.front().first, causes.front().second, {}};
    for (const RowStall& stall : row.stalls) // the largest first
        if (stall.cause == out.code) {
            out.producer = stall.producer;
            break;
        }
    return out;
}

} // namespace heddle::report
