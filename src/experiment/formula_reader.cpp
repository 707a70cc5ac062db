#include "experiment/formula_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/suggest.h"

namespace heddle::experiment {

namespace {

using Node = std::shared_ptr<const FormulaNode>;

constexpr std::string_view kFunctions[] = {"sum", "max", "min", "mean", "count"};
// Bounds of recursion in reading and evaluating.
constexpr unsigned kDeepest = 100; // parentheses, functions and signs in each other
constexpr std::size_t kLongest = 10000;

bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Node read() {
        if (text_.size() > kLongest)
            fail(fmt::format("a formula has at most {} characters, not {}", kLongest, text_.size()));
        Node out = expression();
        if (!at_end())
            fail(fmt::format("'{}' is not expected here", text_[at_]));
        return out;
    }

private:
    [[noreturn]] void fail(std::string message) const {
        throw Fault{at_, std::move(message)};
    }
    void spaces() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }
    bool at_end() {
        spaces();
        return at_ == text_.size();
    }
    bool take(char c) {
        if (at_end() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!take(c))
            fail(fmt::format("expected '{}'{}", c, at_end() ? " before the formula ends" : ""));
    }

    Node binary(Node left, Node (Reader::*next)(), std::string_view operators) {
        while (!at_end() && operators.find(text_[at_]) != std::string_view::npos) {
            FormulaNode node;
            node.kind = FormulaNode::Kind::binary;
            node.offset = at_;
            node.operation = text_[at_++];
            node.operands = {left, (this->*next)()};
            left = std::make_shared<const FormulaNode>(std::move(node));
        }
        return left;
    }
    Node expression() {
        return binary(term(), &Reader::term, "+-");
    }
    Node term() {
        return binary(factor(), &Reader::factor, "*/");
    }

    Node factor() {
        if (at_end())
            fail("a value is missing where the formula ends");
        if (++depth_ > kDeepest)
            fail(fmt::format("nested deeper than {}", kDeepest));
        Node out = inner_factor();
        --depth_;
        return out;
    }

    Node inner_factor() {
        FormulaNode node;
        node.offset = at_;
        if (take('(')) {
            Node inner = expression();
            expect(')');
            return inner;
        }
        if (take('-')) {
            node.kind = FormulaNode::Kind::negate;
            node.operands = {factor()};
        } else if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
            node.number = number();
        } else if (const std::string name = word(); name.empty() && text_[at_] != '*') {
            fail(fmt::format("expected a number, a path or '(', not '{}'", text_[at_]));
        } else if (take('(')) {
            function(node, name);
        } else {
            at_ = node.offset;
            node.kind = FormulaNode::Kind::path;
            node.path = path();
        }
        return std::make_shared<const FormulaNode>(std::move(node));
    }

    double number() {
        double out = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), out);
        at_ += static_cast<std::size_t>(end - begin);
        if (error != std::errc() || (at_ < text_.size() && is_name(text_[at_])))
            fail("not a number");
        return out;
    }

    // A minus between two characters of a name is part of the name ("two-level"); a minus before a space is not.
    std::string word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_name(text_[at_]) || (text_[at_] == '-' && at_ > begin &&
                                                              at_ + 1 < text_.size() && is_name(text_[at_ + 1]))))
            ++at_;
        return std::string(text_.substr(begin, at_ - begin));
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
        while (take(','));
        expect(')');
    }

    std::vector<Selection> path() {
        std::vector<Selection> out{step()};
        for (;;) {
            if (at_ < text_.size() && text_[at_] == '.') {
                ++at_;
                out.push_back(step());
            } else if (at_ < text_.size() && text_[at_] == '[') {
                ++at_;
                out.push_back(bracket());
            } else {
                return out;
            }
        }
    }

    Selection step() {
        Selection out;
        out.offset = at_;
        if (at_ < text_.size() && text_[at_] == '*') {
            ++at_;
            out.kind = Selection::Kind::all;
            return out;
        }
        out.name = word();
        if (out.name.empty())
            fail("expected a name or '*'");
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
        const std::size_t close = text_.find(']', at_);
        if (close == std::string_view::npos)
            fail("'[' is not closed");
        const std::string_view inside = text_.substr(at_, close - at_);
        Selection out;
        out.offset = at_;
        out.name = std::string(inside);
        at_ = close + 1;
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

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned depth_ = 0;
};

} // namespace

Node read_formula(std::string_view text) {
    return Reader(text).read();
}

} // namespace heddle::experiment
