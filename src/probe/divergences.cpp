#include "probe/divergences.h"

namespace heddle::probe {

void Divergences::clear() {
    divergences_.clear();
    free_.clear();
    of_row_.clear();
}

void Divergences::begin(Pc branch, Pc meet, Cycle now) {
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(divergences_.size()));
        divergences_.emplace_back();
    }
    next_ = {meet, free_.back(), 0};
    free_.pop_back();
    divergences_[next_.divergence] = {branch, now, 0};
}

void Divergences::add(RowId row, LaneMask lanes) {
    if (row >= of_row_.size())
        of_row_.resize(row + 1U);
    of_row_[row].push_back({next_.meet, next_.divergence, lanes});
    ++divergences_[next_.divergence].rows;
}

} // namespace heddle::probe
