#include "report/profile/hottest.h"

#include <algorithm>

#include "report/profile/causes.h"
#include "report/profile/frames.h"
#include "report/profile/rows.h"

namespace heddle::report {

namespace {

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// The row whose results most slots of this cause waited for.
std::optional<std::size_t> producer_of(const ProfileRow& row, const std::string& cause) {
    for (const RowStall& stall : row.stalls) // the largest first
        if (stall.cause == cause)
            return stall.producer;
    return std::nullopt;
}

HotLine hot_line(const Profile& profile, const std::vector<std::string>& files, const ProfileRows& rows,
                 const ProfileRow& row) {
    const SourceLine line = line_of(*row.instruction);
    const std::uint64_t issued = row.counter(probe::Counter::Executions);
    HotLine out;
    out.place = place_name(files, line);
    out.text = trimmed(line_text(profile, line));
    out.share = rows.share(row.slots());
    std::uint64_t largest = issued;
    out.cause = "issued";
    if (const auto causes = row.causes(); !causes.empty() && causes.front().second > issued) {
        out.cause = causes.front().first;
        largest = causes.front().second;
        if (const auto producer = producer_of(row, out.cause))
            out.producer = place_name(files, line_of(*rows.rows[*producer].instruction));
    }
    out.words = cause_words(out.cause);
    out.cause_share = row.slots() == 0 ? 0 : static_cast<double>(largest) / static_cast<double>(row.slots());
    return out;
}

} // namespace

std::vector<HotLine> hottest_lines(const Profile& profile, std::size_t count, const std::string& kernel) {
    if (!kernel.empty()) {
        Profile alone = profile;
        std::erase_if(alone.kernels, [&](const ProfiledKernel& k) { return k.name != kernel; });
        return hottest_lines(alone, count);
    }
    const ProfileRows rows = rows_of(profile, RowsBy::Line);
    const std::vector<std::string> files = short_file_names(profile);
    std::vector<HotLine> out;
    for (const std::size_t row : rows.costliest())
        if (out.size() < count && rows.rows[row].slots() != 0)
            out.push_back(hot_line(profile, files, rows, rows.rows[row]));
    return out;
}

} // namespace heddle::report
