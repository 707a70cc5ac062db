// Formulas over a JSON document, as experiments write them: "sum(stats.dram.row_hits) / stats.dram.reads".
//
//   expression ::= term { ("+" | "-") term }            term ::= factor { ("*" | "/") factor }
//   factor     ::= NUMBER | "-" factor | "(" expression ")" | path | FUNCTION "(" expression { "," expression } ")"
//   path       ::= step { "." step | "[" selection "]" }
//   step       ::= NAME | "*"              a member; "*": all members or elements
//   selection  ::= N | N ".." [M] | TEXT   an element of a list; some of them; the member TEXT of an object, or the
//                                          elements of a list of objects that are called TEXT (their "name",
//                                          "structure" or "role"; of kernels the name in the source will do)
//   FUNCTION   ::= "sum" | "max" | "min" | "mean" | "count"
//
// A name may hold digits, "_" and "-"; so a minus stands between spaces. A path may name several values only inside a
// function.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/source.h"

namespace heddle::experiment {

// A formula that cannot be read, or a path that is not there: "8.toml:5:17: ...".
class FormulaError : public UserError {
public:
    using UserError::UserError;
};

struct FormulaNode;

class Formula {
public:
    Formula() = default;
    // `text` begins at `begin` of the file `label`. Throws FormulaError.
    Formula(std::string text, std::string label, Position begin);

    // Throws FormulaError: a path that is not there, a value that is no number, a division by zero.
    [[nodiscard]] double evaluate(const nlohmann::json& document) const;
    [[nodiscard]] const std::string& text() const {
        return text_;
    }

private:
    std::string text_, label_;
    Position begin_;
    std::shared_ptr<const FormulaNode> root_;
};

} // namespace heddle::experiment
