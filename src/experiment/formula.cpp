#include "experiment/formula.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cxxabi.h>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/suggest.h"

namespace heddle::experiment {

using Json = nlohmann::json;

namespace {

struct Selection { // what follows a value in a path
    enum class Kind { member, all, element, slice, name } kind = Kind::member;
    std::string name;
    std::size_t first = 0, last = 0; // last: none when it is the greatest number
    std::size_t offset = 0;          // in the text
};

constexpr std::string_view kFunctions[] = {"sum", "max", "min", "mean", "count"};

} // namespace

struct FormulaNode {
    enum class Kind { number, negate, binary, path, function } kind = Kind::number;
    double number = 0;
    char operation = 0; // of binary
    std::string name;   // of function
    std::vector<Selection> path;
    std::vector<std::shared_ptr<const FormulaNode>> operands;
    std::size_t offset = 0;
};

namespace {

using Node = std::shared_ptr<const FormulaNode>;

struct Fault { // an error at a place in the formula
    std::size_t offset;
    std::string message;
};

bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Node read() {
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

    // A minus between two characters of names is part of the name ("two-level"); one before a space is not.
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
            out.last = last ? *last : std::string_view::npos;
        } else {
            out.kind = Selection::Kind::name;
        }
        return out;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

bool is_called(const Json& element, const std::string& name) {
    for (const char* const key : {"name", "structure", "role"}) {
        const auto at = element.find(key);
        if (at != element.end() && at->is_string() && is_kernel_called(at->get_ref<const std::string&>(), name))
            return true;
    }
    return false;
}

class Evaluation {
public:
    explicit Evaluation(const Json& document) : document_(document) {}

    [[nodiscard]] double single(const FormulaNode& node) const {
        const std::vector<double> all = values(node);
        if (all.size() != 1)
            throw Fault{node.offset,
                        fmt::format("the path names {} values; write sum(...), or max, min, mean, count", all.size())};
        return all.front();
    }

private:
    [[nodiscard]] std::vector<double> values(const FormulaNode& node) const {
        switch (node.kind) {
        case FormulaNode::Kind::number:
            return {node.number};
        case FormulaNode::Kind::negate:
            return {-single(*node.operands[0])};
        case FormulaNode::Kind::binary:
            return {binary(node)};
        case FormulaNode::Kind::path:
            return at_path(node);
        case FormulaNode::Kind::function:
            return {function(node)};
        }
        return {};
    }

    [[nodiscard]] double binary(const FormulaNode& node) const {
        const double left = single(*node.operands[0]), right = single(*node.operands[1]);
        switch (node.operation) {
        case '+':
            return left + right;
        case '-':
            return left - right;
        case '*':
            return left * right;
        default:
            if (right == 0)
                throw Fault{node.offset, "divides by zero"};
            return left / right;
        }
    }

    [[nodiscard]] double function(const FormulaNode& node) const {
        std::vector<double> all;
        for (const Node& operand : node.operands) {
            const std::vector<double> some = values(*operand);
            all.insert(all.end(), some.begin(), some.end());
        }
        if (node.name == "count")
            return static_cast<double>(all.size());
        double sum = 0;
        for (const double value : all)
            sum += value;
        if (node.name == "sum")
            return sum;
        if (all.empty())
            throw Fault{node.offset, fmt::format("{} of no values", node.name)};
        if (node.name == "mean")
            return sum / static_cast<double>(all.size());
        return node.name == "max" ? *std::max_element(all.begin(), all.end())
                                  : *std::min_element(all.begin(), all.end());
    }

    [[nodiscard]] std::vector<double> at_path(const FormulaNode& node) const {
        std::vector<const Json*> places{&document_};
        for (const Selection& selection : node.path) {
            std::vector<const Json*> next;
            for (const Json* place : places)
                select(*place, selection, next);
            places = std::move(next);
        }
        std::vector<double> out;
        for (const Json* place : places) {
            if (place->is_boolean())
                out.push_back(place->get<bool>() ? 1 : 0);
            else if (place->is_number())
                out.push_back(place->get<double>());
            else
                throw Fault{node.offset, place->is_null() ? std::string("there is no value here: it is null")
                                                          : fmt::format("not a number, but {}", kind_of(*place))};
        }
        return out;
    }

    static std::string_view kind_of(const Json& value) {
        return value.is_object()  ? "an object; go on with .NAME or .*"
               : value.is_array() ? "a list; go on with [N] or .*"
                                  : "a text";
    }

    static void select(const Json& place, const Selection& selection, std::vector<const Json*>& out) {
        using Kind = Selection::Kind;
        switch (selection.kind) {
        case Kind::all:
            if (!place.is_structured())
                throw Fault{selection.offset, "'*' of a value that has no members"};
            for (const Json& member : place)
                out.push_back(&member);
            return;
        case Kind::member:
            return member(place, selection, out);
        case Kind::name:
            return place.is_array() ? named(place, selection, out) : member(place, selection, out);
        case Kind::element:
        case Kind::slice:
            if (!place.is_array() || selection.first >= place.size() ||
                (selection.last != std::string_view::npos && selection.last >= place.size()))
                throw Fault{selection.offset, place.is_array() ? fmt::format("[{}] is beyond the list's {} elements",
                                                                             selection.name, place.size())
                                                               : "not a list"};
            for (std::size_t i = selection.first; i < place.size() && i <= selection.last; ++i)
                out.push_back(&place[i]);
        }
    }

    static void member(const Json& place, const Selection& selection, std::vector<const Json*>& out) {
        const auto at = place.is_object() ? place.find(selection.name) : place.end();
        if (at == place.end()) {
            Suggestion near(selection.name);
            if (place.is_object())
                for (const auto& [key, value] : place.items())
                    near.consider(key);
            throw Fault{selection.offset, place.is_array() ? "a list; go on with [N] or .*"
                                                           : fmt::format("the result has no '{}' here{}",
                                                                         selection.name, did_you_mean(near.name()))};
        }
        out.push_back(&*at);
    }

    static void named(const Json& list, const Selection& selection, std::vector<const Json*>& out) {
        const std::size_t before = out.size();
        std::vector<std::string> names;
        for (const Json& element : list) {
            if (is_called(element, selection.name))
                out.push_back(&element);
            else if (element.is_object() && element.contains("name") && element["name"].is_string())
                names.push_back(source_name(element["name"].get<std::string>(), true));
        }
        if (out.size() != before)
            return;
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        throw Fault{selection.offset, fmt::format("nothing is called '{}' here; there are: {}{}", selection.name,
                                                  comma_list(names), did_you_mean(selection.name, names))};
    }

    const Json& document_;
};

std::string located(const std::string& label, Position begin, const std::string& text, const Fault& fault) {
    Position at = begin;
    for (std::size_t i = 0; i < fault.offset; ++i) {
        ++at.column;
        if (text[i] == '\n')
            at = {at.line + 1, 1};
    }
    return fmt::format("{}:{}:{}: {}", label, at.line, at.column, fault.message);
}

} // namespace

Formula::Formula(std::string text, std::string label, Position begin)
    : text_(std::move(text)), label_(std::move(label)), begin_(begin) {
    try {
        root_ = Reader(text_).read();
    } catch (const Fault& fault) {
        throw FormulaError(located(label_, begin_, text_, fault));
    }
}

double Formula::evaluate(const Json& document) const {
    try {
        return Evaluation(document).single(*root_);
    } catch (const Fault& fault) {
        throw FormulaError(located(label_, begin_, text_, fault));
    }
}

std::string source_name(const std::string& symbol, bool with_arguments) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    if (status != 0 || !text)
        return symbol;
    std::string name = text.get();
    static constexpr std::string_view kUnnamed = "(anonymous namespace)::";
    if (const std::size_t at = name.find(kUnnamed); at != std::string::npos)
        name.erase(at, kUnnamed.size());
    name.resize(std::min(name.find('('), name.size()));
    const std::size_t arguments = std::min(name.find('<'), name.size());
    const std::size_t begin = name.find_last_of(" :", arguments);
    const std::size_t end = with_arguments ? name.size() : arguments;
    return begin == std::string::npos ? name.substr(0, end) : name.substr(begin + 1, end - begin - 1);
}

bool is_kernel_called(const std::string& symbol, const std::string& name) {
    return symbol == name || source_name(symbol, false) == name || source_name(symbol, true) == name;
}

} // namespace heddle::experiment
