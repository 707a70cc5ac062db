#include "experiment/formula_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/suggest.h"
#include "experiment/text_reader.h"

namespace heddle::experiment {

namespace {

using Node = std::shared_ptr<const FormulaNode>;

constexpr std::string_view kFunctions[] = {"sum", "max", "min", "mean", "count"};
// Bounds of recursion in reading and evaluating.
constexpr unsigned kDeepest = 100; // parentheses, functions and signs in each other
constexpr std::size_t kLongest = 10000;

class Reader {
public:
    explicit Reader(TextReader& in) : in_(in) {}

    Node expression() {
        return binary(term(), &Reader::term, "+-");
    }

private:
    Node binary(Node left, Node (Reader::*next)(), std::string_view operators) {
        while (!in_.at_end() && operators.find(in_.here()) != std::string_view::npos) {
            FormulaNode node;
            node.kind = FormulaNode::Kind::binary;
            node.offset = in_.offset();
            node.operation = in_.here();
            in_.advance();
            node.operands = {left, (this->*next)()};
            left = std::make_shared<const FormulaNode>(std::move(node));
        }
        return left;
    }
    Node term() {
        return binary(factor(), &Reader::factor, "*/");
    }

    Node factor() {
        if (in_.at_end())
            in_.fail("a value is missing where the formula ends");
        if (++depth_ > kDeepest)
            in_.fail(fmt::format("nested deeper than {}", kDeepest));
        Node out = inner_factor();
        --depth_;
        return out;
    }

    Node inner_factor() {
        FormulaNode node;
        node.offset = in_.offset();
        if (in_.take('(')) {
            Node inner = expression();
            in_.expect(')');
            return inner;
        }
        if (in_.take('-')) {
            node.kind = FormulaNode::Kind::negate;
            node.operands = {factor()};
        } else if (std::isdigit(static_cast<unsigned char>(in_.here())) != 0) {
            node.number = in_.number();
        } else if (const std::string name = in_.word(); name.empty() && in_.here() != '*') {
            in_.fail(fmt::format("expected a number, a path or '(', not '{}'", in_.here()));
        } else if (in_.take('(')) {
            function(node, name);
        } else {
            in_.go_back_to(node.offset);
            node.kind = FormulaNode::Kind::path;
            node.path = path();
        }
        return std::make_shared<const FormulaNode>(std::move(node));
    }

    void function(FormulaNode& node, const std::string& name) {
        if (std::find(std::begin(kFunctions), std::end(kFunctions), name) == std::end(kFunctions)) {
            const std::vector<std::string> known(std::begin(kFunctions), std::end(kFunctions));
            throw Fault{node.offset, fmt::format("there is no function '{}'; valid: {}{}", name, comma_list(known),
                                                 did_you_mean(name, known))};
        }
        node.kind = FormulaNode::Kind::function;
        node.name = name;
        do
            node.operands.push_back(expression());
        while (in_.take(','));
        in_.expect(')');
    }

    std::vector<Selection> path() {
        std::vector<Selection> out{step()};
        while (in_.here() == '.' || in_.here() == '[') {
            const bool is_step = in_.here() == '.';
            in_.advance();
            out.push_back(is_step ? step() : bracket());
        }
        return out;
    }

    Selection step() {
        Selection out;
        out.offset = in_.offset();
        if (in_.here() == '*') {
            in_.advance();
            out.kind = Selection::Kind::all;
            return out;
        }
        out.name = in_.word();
        if (out.name.empty())
            in_.fail("expected a name or '*'");
        return out;
    }

    static std::optional<std::size_t> index(std::string_view text) {
        std::size_t out = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
        if (error != std::errc() || end != text.data() + text.size())
            return std::nullopt;
        return out;
    }

    Selection bracket() {
        const std::size_t close = in_.rest().find(']');
        if (close == std::string_view::npos)
            in_.fail("'[' is not closed");
        const std::string_view inside = in_.rest().substr(0, close);
        Selection out;
        out.offset = in_.offset();
        out.name = std::string(inside);
        in_.advance(close + 1);
        const std::size_t dots = inside.find("..");
        const auto first = index(inside.substr(0, dots));
        if (inside.empty())
            throw Fault{out.offset, "nothing stands between '[' and ']'"};
        if (first && dots == std::string_view::npos) {
            out.kind = Selection::Kind::element;
            out.first = out.last = *first;
        } else if (first) {
            const std::string_view rest = inside.substr(dots + 2);
            const auto last = index(rest);
            if ((!last && !rest.empty()) || (last && *last < *first))
                throw Fault{out.offset, fmt::format("'{}' is not a range; write 1..8 or 1..", inside)};
            out.kind = Selection::Kind::slice;
            out.first = *first;
            out.last = last ? *last : kToTheEnd;
        } else {
            out.kind = Selection::Kind::name;
        }
        return out;
    }

    TextReader& in_;
    unsigned depth_ = 0;
};

} // namespace

Node read_expression(TextReader& in) {
    return Reader(in).expression();
}

Node read_formula(std::string_view text) {
    TextReader in(text);
    if (text.size() > kLongest)
        in.fail(fmt::format("a formula has at most {} characters, not {}", kLongest, text.size()));
    Node out = read_expression(in);
    if (!in.at_end())
        in.fail(fmt::format("'{}' is not expected here", in.here()));
    return out;
}

std::string located(const std::string& label, Position begin, std::string_view text, const Fault& fault) {
    Position at = begin;
    for (std::size_t i = 0; i < fault.offset; ++i) {
        ++at.column;
        if (text[i] == '\n')
            at = {at.line + 1, 1};
    }
    return fmt::format("{}:{}:{}: {}", label, at.line, at.column, fault.message);
}

} // namespace heddle::experiment
