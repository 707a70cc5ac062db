// A formula (formula.h) as a tree.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace heddle::experiment {

constexpr std::size_t kToTheEnd = std::numeric_limits<std::size_t>::max(); // of a list

struct Selection { // what follows a value in a path
    enum class Kind { member, all, element, slice, name } kind = Kind::member;
    std::string name;
    std::size_t first = 0, last = 0; // of element and slice
    std::size_t offset = 0;          // in the text
};

struct FormulaNode {
    enum class Kind { number, negate, binary, path, function } kind = Kind::number;
    double number = 0;
    char operation = 0; // of binary
    std::string name;   // of function
    std::vector<Selection> path;
    std::vector<std::shared_ptr<const FormulaNode>> operands;
    std::size_t offset = 0;
};

struct Fault { // an error at a place in the formula
    std::size_t offset;
    std::string message;
};

// Throws Fault.
[[nodiscard]] std::shared_ptr<const FormulaNode> read_formula(std::string_view text);

class TextReader;
// A formula within another text, as far as it goes. Throws Fault.
[[nodiscard]] std::shared_ptr<const FormulaNode> read_expression(TextReader&);

// The fault's message after its place in a text that begins at `begin` of a file: "8.toml:5:17: ...".
[[nodiscard]] std::string located(const std::string& label, Position begin, std::string_view text, const Fault&);

} // namespace heddle::experiment
