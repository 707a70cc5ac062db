// The known word that a misspelt one most likely meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// Finds the nearest of words that are named one by one.
class Suggestion {
public:
    explicit Suggestion(std::string_view wanted);
    void consider(std::string_view candidate);
    // The nearest candidate so far; empty when none is near enough to be a slip. The first of equals wins.
    [[nodiscard]] const std::string& name() const {
        return best_;
    }

private:
    std::string_view wanted_;
    std::string best_;
    std::size_t distance_;
};

// The word of `known` nearest to `word`; empty when none is near enough to be a slip. The first of equals wins.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> known);

// "; did you mean 'x'?" for a name, or nothing for an empty one.
[[nodiscard]] std::string did_you_mean(std::string_view name);
// The same for the nearest word.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> known);

// "a, b, c".
[[nodiscard]] std::string comma_list(std::span<const std::string> words);

} // namespace heddle
