#include "base/suggest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heddle {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j)
        cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

Suggestion::Suggestion(std::string_view wanted)
    : wanted_(wanted), distance_(std::max<std::size_t>(2, wanted.size() / 3) + 1) {}

void Suggestion::consider(std::string_view candidate) {
    const auto [shorter, longer] =
        std::pair(std::min(wanted_.size(), candidate.size()), std::max(wanted_.size(), candidate.size()));
    if (candidate == wanted_ || longer - shorter >= distance_)
        return;
    const std::size_t distance = edit_distance(wanted_, candidate);
    // A short word is not a slip of another one when hardly a letter of it is left.
    if (distance < distance_ && distance < longer) {
        distance_ = distance;
        best_ = candidate;
    }
}

std::string nearest(std::string_view word, std::span<const std::string> known) {
    Suggestion suggestion(word);
    for (const std::string& candidate : known)
        suggestion.consider(candidate);
    return suggestion.name();
}

std::string did_you_mean(std::string_view name) {
    return name.empty() ? std::string() : "; did you mean '" + std::string(name) + "'?";
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    return did_you_mean(nearest(word, known));
}

std::string comma_list(std::span<const std::string> words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : ", ") + word;
    return out;
}

} // namespace heddle
