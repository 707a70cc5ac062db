// A condition (condition.h) as a tree.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/formula_reader.h"

namespace heddle::experiment {

struct ConditionSide {
    std::optional<std::string> text; // nothing: `formula`
    std::shared_ptr<const FormulaNode> formula;
    std::size_t offset = 0;
};

struct ConditionNode {
    enum class Kind { any, all, negation, comparison } kind = Kind::comparison;
    std::vector<std::shared_ptr<const ConditionNode>> parts; // of all but comparisons
    std::string comparison;                                  // "=="
    ConditionSide left, right;
    std::size_t offset = 0; // of the comparison's sign
};

// Throws Fault.
[[nodiscard]] std::shared_ptr<const ConditionNode> read_condition(std::string_view text);

// "core.width" of a path; "argument[--size]".
[[nodiscard]] std::string name_of_path(const FormulaNode&);

} // namespace heddle::experiment
