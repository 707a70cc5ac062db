#include "ir/suggest.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace heddle::ir {

namespace {

// Edits (insert, delete, replace, swap of neighbours) from a to b.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

} // namespace

Suggestion::Suggestion(std::string_view wanted)
    : wanted_(wanted), distance_(std::max<std::size_t>(1, wanted.size() / 3) + 1) {}

void Suggestion::consider(std::string_view candidate) {
    const std::size_t longer = std::max(candidate.size(), wanted_.size());
    const std::size_t shorter = std::min(candidate.size(), wanted_.size());
    if (candidate == wanted_ || longer - shorter >= distance_)
        return;
    const std::size_t distance = edits(wanted_, candidate);
    if (distance < distance_) {
        distance_ = distance;
        best_ = candidate;
    }
}

std::string did_you_mean(std::string_view name) {
    return name.empty() ? std::string() : fmt::format("; did you mean '{}'?", name);
}

} // namespace heddle::ir
