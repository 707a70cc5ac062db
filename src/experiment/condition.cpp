#include "experiment/condition.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/suggest.h"
#include "config/parameter.h"
#include "config/range.h"
#include "config/value.h"
#include "experiment/condition_reader.h"
#include "experiment/formula.h"

namespace heddle::experiment {

namespace {

struct Operand {
    std::optional<double> number;
    std::string text; // of a single name or a text; empty for what was computed
};

std::optional<double> number_of(const std::string& text) {
    double out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

const config::ParameterInfo* parameter_of(const ConditionSide& side) {
    const bool is_name = side.formula != nullptr && side.formula->kind == FormulaNode::Kind::path;
    return is_name ? config::find_parameter(name_of_path(*side.formula)) : nullptr;
}

// The number of an expression; nothing where a name in it has none.
std::optional<double> computed(const FormulaNode& node, const Condition::Values& values) {
    const auto operand = [&](std::size_t i) { return computed(*node.operands[i], values); };
    switch (node.kind) {
    case FormulaNode::Kind::number:
        return node.number;
    case FormulaNode::Kind::path: {
        const auto text = values(name_of_path(node));
        return text ? number_of(*text) : std::nullopt;
    }
    case FormulaNode::Kind::negate: {
        const auto of = operand(0);
        return of ? std::optional(-*of) : std::nullopt;
    }
    case FormulaNode::Kind::function:
        return std::nullopt; // refused by the check
    case FormulaNode::Kind::binary:
        break;
    }
    const auto left = operand(0), right = operand(1);
    if (!left || !right || (node.operation == '/' && *right == 0))
        return std::nullopt;
    return node.operation == '+'   ? *left + *right
           : node.operation == '-' ? *left - *right
           : node.operation == '*' ? *left * *right
                                   : *left / *right;
}

std::optional<Operand> operand_of(const ConditionSide& side, const ConditionSide& other,
                                  const Condition::Values& values) {
    if (side.text) {
        const config::ParameterInfo* const parameter = parameter_of(other);
        const std::string text =
            parameter == nullptr ? *side.text : config::parse_value(parameter->type, parameter->unit, *side.text);
        return Operand{number_of(text), text};
    }
    if (side.formula->kind == FormulaNode::Kind::path) {
        const auto text = values(name_of_path(*side.formula));
        return text ? std::optional(Operand{number_of(*text), *text}) : std::nullopt;
    }
    const auto number = computed(*side.formula, values);
    return number ? std::optional(Operand{number, ""}) : std::nullopt;
}

template <class T>
bool compares(const std::string& sign, const T& left, const T& right) {
    return sign == "=="   ? left == right
           : sign == "!=" ? left != right
           : sign == "<"  ? left < right
           : sign == "<=" ? left <= right
           : sign == ">"  ? left > right
                          : left >= right;
}

bool holds_for(const ConditionNode& node, const Condition::Values& values) {
    const auto part_holds = [&](const auto& part) { return holds_for(*part, values); };
    switch (node.kind) {
    case ConditionNode::Kind::any:
        return std::any_of(node.parts.begin(), node.parts.end(), part_holds);
    case ConditionNode::Kind::all:
        return std::all_of(node.parts.begin(), node.parts.end(), part_holds);
    case ConditionNode::Kind::negation:
        return !part_holds(node.parts.front());
    case ConditionNode::Kind::comparison:
        break;
    }
    const auto left = operand_of(node.left, node.right, values), right = operand_of(node.right, node.left, values);
    if (!left || !right)
        return false;
    if (left->number && right->number)
        return compares(node.comparison, *left->number, *right->number);
    const bool is_order = node.comparison != "==" && node.comparison != "!=";
    return !is_order && compares(node.comparison, left->text, right->text);
}

// Looks for what a user may have misspelt.
class ConditionCheck {
public:
    explicit ConditionCheck(const Condition::Names& names) : names_(names) {}

    void check(const ConditionNode& node) const {
        for (const auto& part : node.parts)
            check(*part);
        if (node.kind != ConditionNode::Kind::comparison)
            return;
        for (const ConditionSide* side : {&node.left, &node.right})
            if (side->formula != nullptr)
                check(*side->formula);
        check_sides(node, node.left, node.right);
        check_sides(node, node.right, node.left);
    }

private:
    void check(const FormulaNode& node) const {
        for (const auto& operand : node.operands)
            check(*operand);
        if (node.kind == FormulaNode::Kind::function)
            throw Fault{node.offset, fmt::format("{}(...): functions are not for conditions", node.name)};
        if (node.kind != FormulaNode::Kind::path)
            return;
        const std::string name = name_of_path(node);
        if (names_of(name) != nullptr || name.starts_with("argument[") || config::find_parameter(name) != nullptr)
            return;
        std::vector<std::string> known = config::parameter_keys(name.substr(0, name.rfind('.')));
        known.insert(known.end(), {"program", "setting", "point", "machine", "argument[OPTION]"});
        throw Fault{node.offset,
                    fmt::format("there is no parameter '{}'{}", name,
                                name.find('.') == std::string::npos && nearest(name, known).empty()
                                    ? "; a text stands in quotes; names are program, setting, point and machine"
                                    : did_you_mean(name, known))};
    }

    [[nodiscard]] const std::vector<std::string>* names_of(const std::string& name) const {
        return name == "program"   ? &names_.programs
               : name == "setting" ? &names_.settings
               : name == "point"   ? &names_.points
               : name == "machine" ? &names_.machines
                                   : nullptr;
    }

    // A text that is compared with a name or a parameter is to be one that these may have.
    void check_sides(const ConditionNode& node, const ConditionSide& named, const ConditionSide& other) const {
        if (named.formula == nullptr || named.formula->kind != FormulaNode::Kind::path)
            return;
        const std::string name = name_of_path(*named.formula);
        const config::ParameterInfo* const parameter = config::find_parameter(name);
        const std::vector<std::string>* const names = names_of(name);
        const bool is_text = names != nullptr || (parameter != nullptr && (parameter->type == config::Type::Text ||
                                                                           parameter->type == config::Type::Boolean));
        if (is_text && node.comparison != "==" && node.comparison != "!=")
            throw Fault{node.offset, fmt::format("{} is no number: compare it by == or !=", name)};
        if (!other.text)
            return;
        if (names != nullptr && std::find(names->begin(), names->end(), *other.text) == names->end())
            throw Fault{other.offset, fmt::format("there is no {} '{}' here; valid: {}{}", name, *other.text,
                                                  few_of(*names), did_you_mean(*other.text, *names))};
        if (parameter != nullptr)
            check_value(*parameter, other, node.comparison == "==" || node.comparison == "!=");
    }

    static void check_value(const config::ParameterInfo& parameter, const ConditionSide& side, bool is_equality) {
        try {
            const std::string value = config::parse_value(parameter.type, parameter.unit, *side.text);
            const auto objection = config::Range(parameter.type, parameter.range).objection(value);
            if (is_equality && objection)
                throw Fault{side.offset, *objection};
        } catch (const UserError& e) {
            throw Fault{side.offset, e.what()};
        }
    }

    static std::string few_of(const std::vector<std::string>& names) {
        constexpr std::size_t kMost = 20;
        const std::vector<std::string> some(names.begin(),
                                            names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMost)));
        return comma_list(some) + (names.size() > kMost ? ", ..." : "");
    }

    const Condition::Names& names_;
};

} // namespace

Condition::Condition(std::string text, std::string label, Position begin)
    : text_(std::move(text)), label_(std::move(label)), begin_(begin) {
    try {
        root_ = read_condition(text_);
    } catch (const Fault& fault) {
        throw FormulaError(located(label_, begin_, text_, fault));
    }
}

void Condition::check(const Names& names) const {
    try {
        ConditionCheck(names).check(*root_);
    } catch (const Fault& fault) {
        throw FormulaError(located(label_, begin_, text_, fault));
    }
}

bool Condition::holds(const Values& values) const {
    return holds_for(*root_, values);
}

} // namespace heddle::experiment
