#include "report/profile/hottest.h"

#include <algorithm>

#include "probe/slot.h"
#include "report/profile/row_names.h"
#include "report/profile/rows.h"

namespace heddle::report {

namespace {

HotLine hot_line(const RowNames& names, const ProfileRows& rows, const ProfileRow& row) {
    const RowNames::Cause largest = RowNames::largest_cause(row);
    HotLine out;
    out.place = names.place(row);
    out.text = names.text(rows, row);
    out.share = rows.share(row.slots());
    out.cause = largest.code;
    out.words = probe::words_of(largest.code);
    out.cause_share = row.slots() == 0 ? 0 : static_cast<double>(largest.slots) / static_cast<double>(row.slots());
    if (largest.producer)
        out.producer = names.place(rows.rows[*largest.producer]);
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
    const RowNames names(profile);
    std::vector<HotLine> out;
    for (const std::size_t row : rows.costliest())
        if (out.size() < count && rows.rows[row].slots() != 0)
            out.push_back(hot_line(names, rows, rows.rows[row]));
    return out;
}

} // namespace heddle::report
