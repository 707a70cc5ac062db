#include "oracle/align.h"

#include <algorithm>
#include <limits>

namespace heddle::oracle {

namespace {

constexpr std::int64_t kOutside = std::numeric_limits<std::int64_t>::min() / 2; // the score of cells outside the band

} // namespace

Aligner::Ends Aligner::common_ends(BlockSpan first, BlockSpan second) const {
    Ends ends;
    const std::size_t most = std::min(first.size(), second.size());
    while (ends.before < most && first[ends.before] == second[ends.before])
        ends.instructions += weights_[first[ends.before++]];
    while (ends.before + ends.after < most &&
           first[first.size() - 1 - ends.after] == second[second.size() - 1 - ends.after])
        ends.instructions += weights_[first[first.size() - 1 - ends.after++]];
    return ends;
}

Aligner::Table Aligner::table_of(BlockSpan first, BlockSpan second, const Ends& ends) const {
    first = first.subspan(ends.before, first.size() - ends.before - ends.after);
    second = second.subspan(ends.before, second.size() - ends.before - ends.after);
    const bool swapped = second.size() > first.size();
    return {swapped ? second : first, swapped ? first : second, swapped, band_};
}

// Where equal blocks meet, a pair is never worse than a gap: the cells above and to the left exceed the diagonal one by
// at most that block.
void Aligner::fill_row(const Table& table, std::uint64_t row, bool keep) {
    const std::uint64_t low = table.low(row), high = table.high(row);
    const Block here = table.down[row - 1];
    const auto weight = static_cast<std::int64_t>(weights_[here]);
    std::int64_t left = kOutside;
    row_[low] = kOutside; // place low - 1
    const std::uint64_t bits = (row - 1) * table.width();
    for (std::uint64_t at = low; at <= high; ++at) {
        const std::int64_t above = above_[at + 1];
        const std::int64_t between = above_[at];
        if (at != 0 && table.across[at - 1] == here && between > kOutside) {
            left = between + weight;
        } else {
            if (keep)
                ways_[bits + at - low] = above >= left;
            left = std::max(above, left);
        }
        row_[at + 1] = left;
    }
    if (high < table.across.size())
        row_[high + 2] = kOutside;
}

std::uint64_t Aligner::fill(const Table& table, bool keep) {
    const std::size_t places = table.across.size() + 2; // one place before the first, which no way passes
    above_.assign(places, kOutside);
    row_.assign(places, kOutside);
    if (keep)
        ways_.assign(table.down.size() * table.width(), false);
    std::fill_n(above_.begin() + 1, table.high(0) + 1, 0);
    for (std::uint64_t row = 1; row <= table.down.size(); ++row) {
        fill_row(table, row, keep);
        std::swap(above_, row_);
    }
    return static_cast<std::uint64_t>(above_[table.across.size() + 1]);
}

void Aligner::walk_back(const Table& table, std::vector<Step>& backwards) const {
    const Step down = table.swapped ? Step::Second : Step::First;
    const Step across = table.swapped ? Step::First : Step::Second;
    std::uint64_t row = table.down.size(), at = table.across.size();
    while (row != 0 || at != 0) {
        const bool pair =
            row != 0 && at != 0 && table.down[row - 1] == table.across[at - 1] && at - 1 >= table.low(row - 1);
        if (pair) {
            backwards.push_back(Step::Both);
            --row, --at;
        } else if (row != 0 && (at == 0 || ways_[(row - 1) * table.width() + at - table.low(row)])) {
            backwards.push_back(down);
            --row;
        } else {
            backwards.push_back(across);
            --at;
        }
    }
}

Saving Aligner::saving(BlockSpan first, BlockSpan second) {
    const Ends ends = common_ends(first, second);
    const Table table = table_of(first, second, ends);
    if (table.across.empty())
        return {ends.instructions, true};
    return {ends.instructions + fill(table, false), table.band >= table.across.size()};
}

std::vector<Step> Aligner::align(BlockSpan first, BlockSpan second) {
    const Ends ends = common_ends(first, second);
    const Table table = table_of(first, second, ends);
    fill(table, true);
    std::vector<Step> steps(ends.after, Step::Both);
    walk_back(table, steps);
    steps.insert(steps.end(), ends.before, Step::Both);
    std::reverse(steps.begin(), steps.end());
    return steps;
}

} // namespace heddle::oracle
