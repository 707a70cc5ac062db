#include "report/source_listing.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "report/profile/frames.h"
#include "report/profile/matching.h"
#include "report/profile/row_names.h"
#include "report/profile/source_files.h"

namespace heddle::report {

namespace {

constexpr std::size_t kShownAround = 3; // lines shown around those with costs
constexpr std::size_t kMostFiles = 12, kHottestListed = 8, kLinesOfCause = 6;

constexpr double kLeastOfCause = 0.0005; // of all slots: a line with less is not named at a cause

// Figures beside the chosen one.
constexpr const char* kBeside[] = {"executions",       "lanes_per_execution", "transactions_per_access",
                                   "ideal_per_access", "l1_hit_rate",         "mean_latency",
                                   "conflict_ways"};

struct Run {
    explicit Run(const Profile& of)
        : profile(of), lines(rows_of(of, RowsBy::Line)), instructions(rows_of(of, RowsBy::Instruction)), names(of),
          sources(profiled_sources(of, lines)), files(short_file_names(of)) {
        for (const ProfileRow& row : instructions.rows)
            below[line_of(*row.instruction)].push_back(&row);
    }

    const Profile& profile;
    ProfileRows lines, instructions;
    RowNames names;
    std::vector<ProfiledSource> sources;
    std::vector<std::string> files;
    std::map<SourceLine, std::vector<const ProfileRow*>> below;
    std::vector<std::optional<std::size_t>> listed; // by row of `lines`: the ListedRow
};

std::string cause_text(const ProfileRow& row) {
    const RowNames::Cause cause = RowNames::largest_cause(row);
    return cause.slots == 0 ? ""
                            : fmt::format("{} {:.0f} %", cause.code,
                                          100 * static_cast<double>(cause.slots) / static_cast<double>(row.slots()));
}

std::string path_of(const Run& run, const ProfiledInstruction& instruction) {
    std::string out;
    for (std::size_t i = 1; i < instruction.lines.size(); ++i)
        out.append(i == 1 ? "" : " < ").append(place_name(run.files, instruction.lines[i]));
    return out;
}

std::vector<ListedInstruction> instructions_of(const Run& run, SourceLine line) {
    static const ProfileColumn lanes = ProfileColumn::named("lanes_per_execution");
    std::vector<ListedInstruction> out;
    for (const ProfileRow* row : run.below.at(line)) {
        const ProfiledInstruction& i = *row->instruction;
        if (!i.lines.empty())
            out.push_back({i.pc, run.names.ptx(i), path_of(run, i), row->counter(probe::Counter::Executions),
                           row->slots(), lanes.value(run.instructions, *row), cause_text(*row)});
    }
    return out;
}

// A file of one run, or of two.
using FilePair = std::pair<const ProfiledSource*, const ProfiledSource*>;

class Builder {
public:
    explicit Builder(std::vector<const Profile*> profiles) {
        for (const Profile* profile : profiles)
            runs_.emplace_back(*profile);
        for (Run& run : runs_)
            run.listed.resize(run.lines.rows.size());
    }

    SourceListing take() {
        choose_columns();
        std::vector<FilePair> files = file_pairs();
        if (files.size() > kMostFiles) {
            out_.files_left_out = files.size() - kMostFiles;
            files.resize(kMostFiles);
        }
        for (const FilePair& file : files)
            add_file(file);
        for (std::size_t r = 0; r < runs_.size(); ++r)
            for (std::size_t i = 0; i < runs_[r].lines.rows.size(); ++i)
                if (runs_[r].listed[i])
                    out_.rows[*runs_[r].listed[i]].runs[r] = costs_of(runs_[r], runs_[r].lines.rows[i]);
        add_causes();
        for (const std::size_t row : runs_.back().lines.costliest())
            if (const auto listed = runs_.back().listed[row];
                listed && out_.hottest.size() < kHottestListed && runs_.back().lines.rows[row].slots() != 0)
                out_.hottest.push_back(*listed);
        return std::move(out_);
    }

private:
    // Those with a value that is not 0 somewhere.
    void choose_columns() {
        for (const std::string& name : ProfileColumn::names()) {
            const ProfileColumn column = ProfileColumn::named(name);
            const bool used = std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
                return std::any_of(run.lines.rows.begin(), run.lines.rows.end(), [&](const ProfileRow& row) {
                    return column.value(run.lines, row).value_or(0) != 0;
                });
            });
            if (used)
                out_.columns.push_back(column);
        }
        for (const char* name : kBeside)
            for (std::size_t c = 0; c < out_.columns.size(); ++c)
                if (out_.columns[c].name == name)
                    out_.beside.push_back(c);
    }

    double share_of(std::size_t run, const ProfiledSource* source) const {
        return source == nullptr ? 0 : runs_[run].lines.share(source->slots);
    }

    std::vector<FilePair> file_pairs() const {
        std::vector<FilePair> out;
        if (runs_.size() == 1) {
            for (const ProfiledSource& source : runs_[0].sources)
                out.emplace_back(&source, nullptr);
            return out;
        }
        const auto matched = matched_files(runs_[0].profile, runs_[1].profile);
        std::map<std::uint32_t, const ProfiledSource*> second;
        for (const ProfiledSource& source : runs_[1].sources)
            second[source.file] = &source;
        for (const ProfiledSource& source : runs_[0].sources) {
            const auto at = matched[source.file] ? second.find(*matched[source.file]) : second.end();
            out.emplace_back(&source, at == second.end() ? nullptr : at->second);
            if (at != second.end())
                second.erase(at);
        }
        for (const auto& [file, source] : second)
            out.emplace_back(nullptr, source);
        std::stable_sort(out.begin(), out.end(), [&](const FilePair& a, const FilePair& b) {
            return share_of(0, a.first) + share_of(1, a.second) > share_of(0, b.first) + share_of(1, b.second);
        });
        return out;
    }

    // All lines of the file; without its text those with costs.
    static std::vector<std::uint32_t> numbers_of(const ProfiledSource* source) {
        std::vector<std::uint32_t> out;
        if (source == nullptr)
            return out;
        for (std::uint32_t line = 1; line <= source->lines.size(); ++line)
            out.push_back(line);
        for (const auto& [line, row] : source->rows)
            if (line > source->lines.size()) // the file has changed since it was compiled, or has no text
                out.push_back(line);
        return out;
    }

    // Lines of both files in one order: what the second does not have any more, then what it has new.
    static std::vector<std::pair<std::uint32_t, std::uint32_t>> merged_lines(const FilePair& file) {
        const auto first = numbers_of(file.first), second = numbers_of(file.second);
        std::vector<std::uint32_t> matched;
        if (file.first != nullptr && file.second != nullptr)
            matched = matched_lines(file.first->lines, file.second->lines);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
        std::size_t next = 0;
        for (const std::uint32_t line : first) {
            std::uint32_t partner = line <= matched.size() ? matched[line - 1] : 0;
            if (line > matched.size() && std::find(second.begin(), second.end(), line) != second.end())
                partner = line;
            for (; partner != 0 && next < second.size() && second[next] < partner; ++next)
                out.emplace_back(0, second[next]);
            next += partner != 0 ? 1 : 0;
            out.emplace_back(line, partner);
        }
        for (; next < second.size(); ++next)
            out.emplace_back(0, second[next]);
        return out;
    }

    static std::string text_of(const ProfiledSource* source, std::uint32_t line) {
        return source == nullptr || line == 0 || line > source->lines.size() ? "" : source->lines[line - 1];
    }

    // Notes that a row of a run is in this listed row, which is made where there is none yet.
    void add_row(ListedLine& line, std::size_t run, const ProfiledSource* source, std::uint32_t number) {
        if (source == nullptr || number == 0)
            return;
        const auto at = source->rows.find(number);
        if (at == source->rows.end())
            return;
        if (!line.row) {
            line.row = out_.rows.size();
            out_.rows.push_back({"", {}});
            out_.rows.back().runs.resize(runs_.size());
        }
        out_.rows[*line.row].place = runs_[run].names.place(runs_[run].lines.rows[at->second]);
        runs_[run].listed[at->second] = line.row;
    }

    void add_file(const FilePair& pair) {
        const ProfiledSource& some = pair.first != nullptr ? *pair.first : *pair.second;
        const Run& of = pair.first != nullptr ? runs_.front() : runs_.back();
        ListedFile file{of.profile.files[some.file].name, {}, !some.lines.empty(), {}};
        file.shares.push_back(share_of(0, pair.first));
        if (runs_.size() == 2)
            file.shares.push_back(share_of(1, pair.second));
        for (const auto& [first, second] : merged_lines(pair)) {
            ListedLine line{
                {first}, second != 0 ? text_of(pair.second, second) : text_of(pair.first, first), {}, false};
            add_row(line, 0, pair.first, first);
            if (runs_.size() == 2) {
                line.numbers.push_back(second);
                add_row(line, 1, pair.second, second);
            }
            file.lines.push_back(std::move(line));
        }
        for (std::size_t i = 0; i < file.lines.size(); ++i)
            if (file.lines[i].row)
                for (std::size_t near = i < kShownAround ? 0 : i - kShownAround;
                     near < std::min(file.lines.size(), i + kShownAround + 1); ++near)
                    file.lines[near].shown = true;
        out_.files.push_back(std::move(file));
    }

    ListedCosts costs_of(const Run& run, const ProfileRow& row) const {
        ListedCosts out{{}, cause_text(row), {}, instructions_of(run, line_of(*row.instruction))};
        for (const ProfileColumn& column : out_.columns)
            out.values.push_back(column.value(run.lines, row));
        for (const RowStall& stall : row.stalls)
            out.stalls.push_back(
                {stall.cause, stall.slots, stall.producer ? run.listed[*stall.producer] : std::nullopt});
        return out;
    }

    void add_causes() {
        std::map<std::string, ListedCause> causes;
        for (std::size_t r = 0; r < runs_.size(); ++r) {
            const ProfileRows& lines = runs_[r].lines;
            const auto add = [&](const std::string& code, std::uint64_t slots) {
                ListedCause& cause = causes[code];
                cause.code = code;
                cause.shares.resize(runs_.size());
                cause.shares[r] += lines.share(slots);
            };
            for (const auto& [code, slots] : lines.elsewhere)
                add(code, slots);
            for (std::size_t i = 0; i < lines.rows.size(); ++i)
                for (const auto& [code, slots] : lines.rows[i].causes()) {
                    add(code, slots);
                    if (r + 1 == runs_.size() && runs_[r].listed[i] && lines.share(slots) >= kLeastOfCause)
                        causes[code].rows.emplace_back(*runs_[r].listed[i], lines.share(slots));
                }
        }
        for (auto& [code, cause] : causes) {
            std::stable_sort(cause.rows.begin(), cause.rows.end(),
                             [](const auto& a, const auto& b) { return a.second > b.second; });
            cause.rows.resize(std::min(cause.rows.size(), kLinesOfCause));
            out_.causes.push_back(std::move(cause));
        }
        std::stable_sort(out_.causes.begin(), out_.causes.end(),
                         [](const ListedCause& a, const ListedCause& b) { return a.shares.back() > b.shares.back(); });
    }

    std::vector<Run> runs_;
    SourceListing out_;
};

} // namespace

SourceListing source_listing(const Profile& profile, std::string run) {
    SourceListing out = Builder({&profile}).take();
    out.runs = {std::move(run)};
    return out;
}

SourceListing source_listing(const Profile& first, std::string first_run, const Profile& second,
                             std::string second_run) {
    SourceListing out = Builder({&first, &second}).take();
    out.runs = {std::move(first_run), std::move(second_run)};
    return out;
}

} // namespace heddle::report
