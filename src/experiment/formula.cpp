#include "experiment/formula.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/suggest.h"
#include "experiment/formula_reader.h"
#include "experiment/kernel_name.h"

namespace heddle::experiment {

using Json = nlohmann::json;

namespace {

using Node = std::shared_ptr<const FormulaNode>;

// The names of a list's element: launches, structures and parts have different keys for their name.
std::vector<std::string> names_of(const Json& element) {
    std::vector<std::string> out;
    if (!element.is_object())
        return out;
    for (const char* const key : {"name", "kernel", "structure", "role"})
        if (const auto at = element.find(key); at != element.end() && at->is_string())
            out.push_back(at->get<std::string>());
    return out;
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
                (selection.last != kToTheEnd && selection.last >= place.size()))
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
        for (const Json& element : list)
            for (const std::string& own : names_of(element)) {
                names.push_back(source_name(own, true));
                if (is_kernel_called(own, selection.name)) {
                    out.push_back(&element);
                    break;
                }
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

} // namespace

Formula::Formula(std::string text, std::string label, Position begin)
    : text_(std::move(text)), label_(std::move(label)), begin_(begin) {
    try {
        root_ = read_formula(text_);
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

} // namespace heddle::experiment
