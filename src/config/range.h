// The ranges of parameters: a small language that a descriptor table can write and a message can quote.
//
//   range        ::= alternative { ("|" | " or ") alternative }
//   alternative  ::= ["power of two" | "multiple of N"] [LOW ".." [HIGH] | ".." HIGH]  |  literal
//
// Bounds are inclusive numbers; integers may carry KiB, MiB or GiB. A literal is a number or a name. A text parameter
// whose whole range is one word takes the names registered for that word (register_choices).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"

namespace heddle::config {

class Range {
public:
    // Throws std::logic_error when `text` is not in the language: the descriptor is wrong, not the user.
    Range(Type type, std::string_view text);

    // The reason why `canonical` (a value in canonical form) is outside; nothing when it is inside.
    [[nodiscard]] std::optional<std::string> objection(std::string_view canonical) const;

private:
    struct Alternative {
        std::string literal; // when not empty, nothing else counts
        bool power_of_two = false;
        std::uint64_t multiple_of = 0; // 0: of anything
        std::optional<double> low, high;
    };
    void add(std::string_view text);
    [[nodiscard]] bool contains(const Alternative&, std::string_view canonical) const;

    Type type_;
    std::string text_;
    std::vector<Alternative> alternatives_;
};

} // namespace heddle::config
