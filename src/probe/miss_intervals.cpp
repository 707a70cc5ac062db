#include "probe/miss_intervals.h"

#include <algorithm>

namespace heddle::probe {
namespace {

void add_row(MissInterval& to, const MissInterval& from) {
    to.missed += from.missed;
    to.divergent += from.divergent;
    to.line_cycles += from.line_cycles;
    to.most_lines = std::max(to.most_lines, from.most_lines);
}

} // namespace

void MissIntervals::on_their_way(unsigned lines, Cycle begin, Cycle end) {
    if (begin >= end)
        return;
    extend(end); // before the others: it may make rows longer
    while (begin < end) {
        MissInterval& row = row_at(begin);
        const Cycle stop = std::min(end, last_begin_ + last_cycles_);
        row.line_cycles += lines * (stop - begin);
        row.most_lines = std::max<std::uint64_t>(row.most_lines, lines);
        begin = stop;
    }
}

void MissIntervals::add(MissIntervals other) {
    while (length_ < other.length_)
        merge_pairs();
    while (other.length_ < length_)
        other.merge_pairs();
    end_ = std::max(end_, other.end_);
    const std::size_t rows = std::max(rows_.size(), other.rows_.size());
    rows_.resize(rows);
    by_degree_.resize(rows * degrees_);
    for (std::size_t r = 0; r < other.rows_.size(); ++r)
        add_row(rows_[r], other.rows_[r]);
    for (std::size_t i = 0; i < other.by_degree_.size(); ++i)
        by_degree_[i] += other.by_degree_[i];
}

void MissIntervals::reach(Cycle now) {
    while (now / length_ >= kMost)
        merge_pairs();
    if (now / length_ >= rows_.size()) {
        rows_.resize(now / length_ + 1);
        by_degree_.resize(rows_.size() * degrees_);
    }
    last_ = now / length_;
    last_begin_ = last_ * length_;
    last_cycles_ = length_;
}

void MissIntervals::merge_pairs() {
    length_ *= 2;
    last_cycles_ = 0;
    const std::size_t rows = (rows_.size() + 1) / 2;
    for (std::size_t r = 1; r < rows_.size(); ++r) {
        const std::size_t to = r / 2;
        if (r % 2 == 0)
            rows_[to] = {};
        add_row(rows_[to], rows_[r]);
        for (std::size_t d = 0; d < degrees_; ++d) {
            const std::uint64_t here = by_degree_[r * degrees_ + d];
            std::uint64_t& sum = by_degree_[to * degrees_ + d];
            sum = r % 2 == 0 ? here : sum + here;
        }
    }
    rows_.resize(rows);
    by_degree_.resize(rows * degrees_);
}

} // namespace heddle::probe
