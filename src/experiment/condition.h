// Conditions that leave combinations out of an experiment: "core.formation == 'lwm' or lwm.size >= core.width * 2".
//
//   condition  ::= both { "or" both }        both ::= single { "and" single }
//   single     ::= "not" single | "(" condition ")" | side ("==" | "!=" | "<" | "<=" | ">" | ">=") side
//   side       ::= TEXT in quotes | "true" | "false" | expression of a formula (formula.h) without functions
//
// A path of an expression is the dotted key of a parameter, one of "program", "setting", "point" and "machine" (names),
// or argument[OPTION], the word after this option. Two numbers are compared as numbers, everything else as texts, which
// are equal or not.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace heddle::experiment {

struct ConditionNode;

class Condition {
public:
    // `text` begins at `begin` of the file `label`. Throws FormulaError.
    Condition(std::string text, std::string label, Position begin);

    // The names that "program" and the like may be equal to.
    struct Names {
        std::vector<std::string> programs, settings, points, machines;
    };
    // Throws FormulaError: a name or a parameter that is not there, or a value that it cannot have.
    void check(const Names&) const;

    // The value of a name in a combination ("core.width", "program", "argument[--size]"); nothing where it has none:
    // a comparison with it does not hold.
    using Values = std::function<std::optional<std::string>(const std::string& name)>;
    [[nodiscard]] bool holds(const Values&) const;

    [[nodiscard]] const std::string& text() const {
        return text_;
    }

private:
    std::string text_, label_;
    Position begin_;
    std::shared_ptr<const ConditionNode> root_;
};

} // namespace heddle::experiment
