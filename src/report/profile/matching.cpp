#include "report/profile/matching.h"

#include <algorithm>
#include <map>

#include "report/profile/frames.h"
#include "report/profile/source_files.h"

namespace heddle::report {

namespace {

using Lines = std::vector<std::string>;
using Match = std::pair<std::uint32_t, std::uint32_t>; // indices from 0

// Lines that occur once in both texts, in the order of the first.
std::vector<Match> unique_lines(const Lines& first, const Lines& second) {
    struct Uses {
        std::uint32_t in_first = 0, in_second = 0, at = 0;
    };
    std::map<std::string, Uses> uses;
    for (const std::string& line : first)
        ++uses[trimmed(line)].in_first;
    for (std::uint32_t i = 0; i < second.size(); ++i) {
        Uses& of = uses[trimmed(second[i])];
        ++of.in_second;
        of.at = i;
    }
    std::vector<Match> out;
    for (std::uint32_t i = 0; i < first.size(); ++i)
        if (const Uses& of = uses[trimmed(first[i])]; of.in_first == 1 && of.in_second == 1)
            out.emplace_back(i, of.at);
    return out;
}

// The longest part of the matches in which the second lines ascend too.
std::vector<Match> ascending(const std::vector<Match>& matches) {
    std::vector<std::size_t> tails, before(matches.size()); // the end of the best sequence of each length
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const auto at = std::lower_bound(tails.begin(), tails.end(), i, [&](std::size_t a, std::size_t b) {
            return matches[a].second < matches[b].second;
        });
        before[i] = at == tails.begin() ? i : *(at - 1);
        if (at == tails.end())
            tails.push_back(i);
        else
            *at = i;
    }
    std::vector<Match> out;
    for (std::size_t length = tails.size(), i = tails.empty() ? 0 : tails.back(); length-- > 0; i = before[i])
        out.push_back(matches[i]);
    std::reverse(out.begin(), out.end());
    return out;
}

// Matches the lines between two matched ones: equal lines from both ends; what is left one by one where it is as many.
void match_between(const Lines& first, const Lines& second, Match begin, Match end, std::vector<std::uint32_t>& out) {
    const auto equal = [&](std::uint32_t a, std::uint32_t b) { return trimmed(first[a]) == trimmed(second[b]); };
    auto [a, b] = begin;
    auto [a_end, b_end] = end;
    for (; a < a_end && b < b_end && equal(a, b); ++a, ++b)
        out[a] = b + 1;
    for (; a < a_end && b < b_end && equal(a_end - 1, b_end - 1); --a_end, --b_end)
        out[a_end - 1] = b_end;
    if (a_end - a == b_end - b)
        for (; a < a_end; ++a, ++b)
            out[a] = b + 1;
}

bool is_ptx(const ProfiledFile& file) {
    return file.name.ends_with(".ptx");
}

// Matches files that no other has been matched with, where the keys agree and are of one file each.
void match_files(const Profile& first, const Profile& second, std::vector<std::optional<std::uint32_t>>& out,
                 auto key) {
    std::map<std::string, std::vector<std::uint32_t>> lefts, rights;
    for (std::uint32_t i = 0; i < first.files.size(); ++i)
        if (!out[i])
            lefts[key(first.files[i])].push_back(i);
    for (std::uint32_t i = 0; i < second.files.size(); ++i)
        if (std::find(out.begin(), out.end(), std::optional(i)) == out.end())
            rights[key(second.files[i])].push_back(i);
    for (const auto& [name, files] : lefts)
        if (const auto right = rights.find(name);
            right != rights.end() && files.size() == 1 && right->second.size() == 1)
            out[files.front()] = right->second.front();
}

using KeyRows = std::map<std::pair<SourceLine, std::string>, std::size_t>;

std::pair<SourceLine, std::string> key_of(const ProfileRows& rows, const ProfileRow& row) {
    if (rows.by == RowsBy::Function)
        return {{}, row.function};
    if (rows.by == RowsBy::Kernel)
        return {{}, row.kernel->name};
    return {line_of(*row.instruction), ""};
}

} // namespace

std::vector<std::uint32_t> matched_lines(const Lines& first, const Lines& second) {
    std::vector<std::uint32_t> out(first.size());
    Match begin{0, 0};
    for (const Match& match : ascending(unique_lines(first, second))) {
        match_between(first, second, begin, match, out);
        out[match.first] = match.second + 1;
        begin = {match.first + 1, match.second + 1};
    }
    match_between(first, second, begin,
                  {static_cast<std::uint32_t>(first.size()), static_cast<std::uint32_t>(second.size())}, out);
    return out;
}

std::vector<std::optional<std::uint32_t>> matched_files(const Profile& first, const Profile& second) {
    std::vector<std::optional<std::uint32_t>> out(first.files.size());
    match_files(first, second, out, [](const ProfiledFile& file) { return file.name; });
    match_files(first, second, out, [](const ProfiledFile& file) { return without_folders(file.name); });
    match_files(first, second, out, [](const ProfiledFile& file) { return std::string(is_ptx(file) ? "ptx" : ""); });
    return out;
}

std::vector<RowPair> matched_rows(const Profile& first, const ProfileRows& of_first, const Profile& second,
                                  const ProfileRows& of_second) {
    KeyRows rights;
    for (std::size_t i = 0; i < of_second.rows.size(); ++i)
        rights[key_of(of_second, of_second.rows[i])] = i;
    const auto files = matched_files(first, second);
    std::map<std::uint32_t, std::vector<std::uint32_t>> lines; // by file of the first
    for (std::uint32_t file = 0; file < files.size(); ++file)
        if (files[file] && first.files[file].text && second.files[*files[file]].text)
            lines[file] = matched_lines(lines_of(*first.files[file].text), lines_of(*second.files[*files[file]].text));

    std::vector<RowPair> out;
    for (std::size_t i = 0; i < of_first.rows.size(); ++i) {
        auto key = key_of(of_first, of_first.rows[i]);
        if (key.second.empty() && files[key.first.file]) {
            const auto matched = lines.find(key.first.file);
            if (matched != lines.end())
                key.first.line = key.first.line <= matched->second.size() ? matched->second[key.first.line - 1] : 0;
            key.first.file = *files[key.first.file];
        } else if (key.second.empty()) {
            key.first.line = 0; // no file to be found in
        }
        const auto right = rights.find(key);
        out.emplace_back(i, right == rights.end() ? std::nullopt : std::optional(right->second));
        if (right != rights.end())
            rights.erase(right);
    }
    std::vector<std::size_t> alone;
    for (const auto& [key, row] : rights)
        alone.push_back(row);
    std::sort(alone.begin(), alone.end());
    for (const std::size_t row : alone)
        out.emplace_back(std::nullopt, row);
    return out;
}

} // namespace heddle::report
