#include "experiment/condition_reader.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "experiment/text_reader.h"

namespace heddle::experiment {

namespace {

using Part = std::shared_ptr<const ConditionNode>;

constexpr std::string_view kComparisons[] = {"==", "!=", "<=", ">=", "<", ">"}; // longer ones first
constexpr unsigned kDeepestCondition = 100;
constexpr std::size_t kLongestCondition = 10000;

class ConditionReader {
public:
    explicit ConditionReader(std::string_view text) : in_(text) {
        if (text.size() > kLongestCondition)
            in_.fail(fmt::format("a condition has at most {} characters, not {}", kLongestCondition, text.size()));
    }

    Part read() {
        Part out = any();
        if (!in_.at_end())
            in_.fail(fmt::format("'{}' is not expected here; conditions are joined by 'and' and 'or'", in_.here()));
        return out;
    }

private:
    Part any() {
        return joined(ConditionNode::Kind::any, "or", &ConditionReader::all);
    }
    Part all() {
        return joined(ConditionNode::Kind::all, "and", &ConditionReader::single);
    }

    Part joined(ConditionNode::Kind kind, std::string_view word, Part (ConditionReader::*next)()) {
        ConditionNode node;
        node.kind = kind;
        do
            node.parts.push_back((this->*next)());
        while (take_word(word));
        return node.parts.size() == 1 ? node.parts.front() : std::make_shared<const ConditionNode>(std::move(node));
    }

    Part single() {
        if (in_.at_end())
            in_.fail("a comparison is missing where the condition ends");
        if (++depth_ > kDeepestCondition)
            in_.fail(fmt::format("nested deeper than {}", kDeepestCondition));
        Part out = inner_single();
        --depth_;
        return out;
    }

    Part inner_single() {
        ConditionNode node;
        if (take_word("not")) {
            node.kind = ConditionNode::Kind::negation;
            node.parts = {single()};
        } else if (in_.here() == '(' && holds_comparison()) {
            in_.advance();
            Part inner = any();
            in_.expect(')', "condition");
            return inner;
        } else {
            node.left = side();
            (void)in_.at_end(); // passes over spaces
            node.offset = in_.offset();
            node.comparison = comparison();
            node.right = side();
        }
        return std::make_shared<const ConditionNode>(std::move(node));
    }

    // Whether the parentheses here are around conditions, and not around a part of an expression.
    [[nodiscard]] bool holds_comparison() const {
        unsigned open = 0;
        char quote = '\0';
        for (const char c : in_.rest()) {
            if (quote != '\0')
                quote = c == quote ? '\0' : quote;
            else if (c == '\'' || c == '"')
                quote = c;
            else if (c == '(')
                ++open;
            else if (c == ')' && --open == 0)
                return false;
            else if (c == '=' || c == '<' || c == '>' || c == '!')
                return true;
        }
        return false;
    }

    std::string comparison() {
        for (const std::string_view sign : kComparisons)
            if (in_.rest().starts_with(sign)) {
                in_.advance(sign.size());
                return std::string(sign);
            }
        in_.fail("expected a comparison: ==, !=, <, <=, > or >=");
    }

    ConditionSide side() {
        ConditionSide out;
        if (in_.at_end())
            in_.fail("a value is missing where the condition ends");
        out.offset = in_.offset();
        if (const char quote = in_.here(); quote == '\'' || quote == '"') {
            in_.advance();
            const std::size_t size = in_.rest().find(quote);
            if (size == std::string_view::npos)
                in_.fail(fmt::format("the text is not closed by {}", quote));
            out.text = std::string(in_.rest().substr(0, size));
            in_.advance(size + 1);
            return out;
        }
        for (const char* const boolean : {"true", "false"})
            if (take_word(boolean)) {
                out.text = boolean;
                return out;
            }
        out.formula = read_expression(in_);
        return out;
    }

    bool take_word(std::string_view wanted) {
        if (in_.at_end())
            return false;
        const std::size_t before = in_.offset();
        const bool found = in_.word() == wanted && in_.here() != '.' && in_.here() != '[';
        if (!found)
            in_.go_back_to(before);
        return found;
    }

    TextReader in_;
    unsigned depth_ = 0;
};

} // namespace

Part read_condition(std::string_view text) {
    return ConditionReader(text).read();
}

std::string name_of_path(const FormulaNode& node) {
    std::string out;
    for (const Selection& selection : node.path) {
        if (selection.kind == Selection::Kind::all)
            throw Fault{selection.offset, "'*' is not for conditions"};
        const bool bracket = selection.kind != Selection::Kind::member;
        out += bracket ? fmt::format("[{}]", selection.name) : (out.empty() ? "" : ".") + selection.name;
    }
    return out;
}

} // namespace heddle::experiment
