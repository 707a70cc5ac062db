#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/source.h"
#include "base/suggest.h"
#include "report/profile/frames.h"
#include "report/profile/row_names.h"
#include "report/profile/source_files.h"
#include "report/profile/tables.h"
#include "report/table.h"

namespace heddle::report {

namespace {

constexpr std::uint32_t kAround = 3; // lines shown around those with figures
constexpr const char* kMargin = "{:>6}  {:>11}  {:>6}  {:<14}";

// Whether `name` is the file's name, or ends it behind a '/'.
bool names_file(const std::string& file, const std::string& name) {
    return file == name || (file.size() > name.size() && file.ends_with(name) &&
                            (file[file.size() - name.size() - 1] == '/' || name.starts_with('/')));
}

const ProfiledSource& find_source(const Profile& profile, const std::vector<ProfiledSource>& sources,
                                  const std::string& name) {
    std::vector<std::string> known;
    const ProfiledSource* found = nullptr;
    for (const ProfiledSource& source : sources) {
        known.push_back(profile.files[source.file].name);
        if (!names_file(known.back(), name))
            continue;
        if (found != nullptr)
            throw UserError(fmt::format("'{}' names {} and {} of the profile; write more of the path", name,
                                        profile.files[found->file].name, known.back()));
        found = &source;
    }
    if (found == nullptr)
        throw UserError(
            fmt::format("no instruction of the profile is in a file '{}'; its files: {}", name, comma_list(known)));
    return *found;
}

class Listing {
public:
    explicit Listing(const Profile& profile)
        : lines_(rows_of(profile, RowsBy::Line)), instructions_(rows_of(profile, RowsBy::Instruction)),
          names_(profile) {
        for (const ProfileRow& row : instructions_.rows)
            below_[line_of(*row.instruction)].push_back(&row);
    }

    [[nodiscard]] const ProfileRows& lines() const {
        return lines_;
    }

    std::string render(const ProfiledSource& source) const {
        std::string out;
        std::uint32_t next = 1;
        for (const auto& [first, last] : source.shown(kAround)) {
            if (first > next)
                out += fmt::format("{:>45}\n", "...");
            for (std::uint32_t line = first; line <= last; ++line)
                out += line_text(source, line);
            next = last + 1;
        }
        if (next <= source.lines.size())
            out += fmt::format("{:>45}\n", "...");
        return out;
    }

private:
    static std::string figure(const char* column, const ProfileRows& rows, const ProfileRow& row) {
        static const std::map<std::string, ProfileColumn> columns{
            {"cost", ProfileColumn::named("cost")},
            {"executions", ProfileColumn::named("executions")},
            {"lanes_per_execution", ProfileColumn::named("lanes_per_execution")}};
        const ProfileColumn& c = columns.at(column);
        return c.text(c.value(rows, row));
    }

    static std::string margin(const ProfileRows& rows, const ProfileRow& row) {
        const RowNames::Cause cause = RowNames::largest_cause(row);
        return fmt::format(fmt::runtime(kMargin), figure("cost", rows, row), figure("executions", rows, row),
                           figure("lanes_per_execution", rows, row), cause.slots == 0 ? "" : cause.code);
    }

    std::string line_text(const ProfiledSource& source, std::uint32_t line) const {
        const auto at = source.rows.find(line);
        const std::string text = line <= source.lines.size() ? source.lines[line - 1] : "";
        std::string out = at == source.rows.end() ? fmt::format(fmt::runtime(kMargin), "", "", "", "")
                                                  : margin(lines_, lines_.rows[at->second]);
        out += fmt::format("{:>6}  {}", line, text);
        out.erase(out.find_last_not_of(' ') + 1);
        out += '\n';
        if (at != source.rows.end())
            for (const ProfileRow* row : below_.at({source.file, line}))
                if (!row->instruction->lines.empty()) // a line of the PTX is the instruction
                    out += fmt::format("{}      :   {}\n", margin(instructions_, *row), names_.ptx(*row->instruction));
        return out;
    }

    ProfileRows lines_, instructions_;
    RowNames names_;
    std::map<SourceLine, std::vector<const ProfileRow*>> below_;
};

} // namespace

std::string annotated_source(const Profile& profile, const std::string& name) {
    const Listing listing(profile);
    const std::vector<ProfiledSource> sources = profiled_sources(profile, listing.lines());
    const ProfiledSource& source = find_source(profile, sources, name);
    std::string out = fmt::format("{}: {} of {} issue slots{}\n\n", profile.files[source.file].name,
                                  percent(listing.lines().share(source.slots)), grouped(listing.lines().slots),
                                  source.lines.empty() ? "; its text is not in the result" : "");
    out += fmt::format(fmt::runtime(kMargin), "cost %", "executions", "lanes", "most slots");
    return out + fmt::format("{:>6}  source\n", "line") + listing.render(source);
}

} // namespace heddle::report
