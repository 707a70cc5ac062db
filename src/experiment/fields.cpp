#include "experiment/fields.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "config/toml_text.h"

namespace heddle::experiment {

void Problems::add(std::string text) {
    if (std::find(texts_.begin(), texts_.end(), text) == texts_.end())
        texts_.push_back(std::move(text));
}

void Problems::throw_if_any() const {
    constexpr std::size_t kMost = 100; // a slip in a sweep may have consequences for thousands of combinations
    if (texts_.empty())
        return;
    const std::span<const std::string> some(texts_.data(), std::min(texts_.size(), kMost));
    throw UserError(fmt::format("{}{}", fmt::join(some, "\n"),
                                texts_.size() > kMost ? fmt::format("\n... and {} more", texts_.size() - kMost) : ""));
}

std::string place(const std::string& file, const toml::source_position& at) {
    return at.line == 0 ? file : fmt::format("{}:{}:{}", file, at.line, at.column);
}

std::string place(const toml::node& node) {
    return place(node.source().path ? *node.source().path : std::string(), node.source().begin);
}

toml::table read_toml(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        throw UserError(fmt::format("{}: there is no such file", path));
    if (!std::filesystem::is_regular_file(path, error))
        throw UserError(fmt::format("{}: not a file", path));
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw UserError(fmt::format("{}: cannot be read", path));
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return config::parse_toml(text, path);
}

bool Fields::has(std::string_view key) {
    return node(key) != nullptr;
}

const toml::node* Fields::node(std::string_view key) {
    known_.emplace(key);
    return table_.get(key);
}

std::string Fields::where() const {
    const toml::source_position at = table_.source().begin;
    return at.line <= 1 && at.column <= 1 ? file_ : place(table_); // a position at the begin stands for the whole file
}

std::string Fields::where(std::string_view key) {
    const toml::node* const value = node(key);
    return value == nullptr ? where() : place(*value);
}

void Fields::wrong_type(const toml::node& node, std::string_view key, std::string_view expected) {
    problems_.add(place(node), fmt::format("{}: expected {}, found {}", key, expected, config::kind_of(node)));
}

std::string Fields::text(std::string_view key, std::string otherwise) {
    const toml::node* const value = node(key);
    if (value == nullptr)
        return otherwise;
    if (const auto* text = value->as_string())
        return text->get();
    wrong_type(*value, key, "a text in quotes");
    return otherwise;
}

std::string Fields::required_text(std::string_view key) {
    if (!has(key))
        problems_.add(where(), fmt::format("{}: '{}' is missing", what_, key));
    return text(key);
}

bool Fields::boolean(std::string_view key, bool otherwise) {
    const toml::node* const value = node(key);
    if (value == nullptr)
        return otherwise;
    if (const auto* boolean = value->as_boolean())
        return boolean->get();
    wrong_type(*value, key, "true or false");
    return otherwise;
}

double Fields::number(std::string_view key, double otherwise) {
    const toml::node* const value = node(key);
    if (value == nullptr)
        return otherwise;
    if (value->is_number())
        return value->value<double>().value_or(otherwise);
    wrong_type(*value, key, "a number");
    return otherwise;
}

std::uint64_t Fields::count(std::string_view key, std::uint64_t otherwise) {
    const toml::node* const value = node(key);
    if (value == nullptr)
        return otherwise;
    if (const auto* integer = value->as_integer(); integer != nullptr && integer->get() >= 0)
        return static_cast<std::uint64_t>(integer->get());
    problems_.add(place(*value), fmt::format("{}: expected a whole number that is not negative", key));
    return otherwise;
}

std::vector<std::string> Fields::texts(std::string_view key) {
    std::vector<std::string> out;
    for (auto& [text, node] : placed_texts(key))
        out.push_back(std::move(text));
    return out;
}

std::vector<std::pair<std::string, const toml::node*>> Fields::placed_texts(std::string_view key) {
    const toml::node* const value = node(key);
    std::vector<std::pair<std::string, const toml::node*>> out;
    if (value == nullptr)
        return out;
    if (const auto* text = value->as_string())
        return {{text->get(), value}};
    const auto* const list = value->as_array();
    if (list == nullptr) {
        wrong_type(*value, key, "a list of texts");
        return out;
    }
    for (const toml::node& element : *list) {
        if (const auto* text = element.as_string())
            out.emplace_back(text->get(), &element);
        else
            wrong_type(element, key, "a text in quotes");
    }
    return out;
}

std::vector<double> Fields::numbers(std::string_view key) {
    const toml::node* const value = node(key);
    std::vector<double> out;
    if (value == nullptr)
        return out;
    const auto* const list = value->as_array();
    if (list == nullptr) {
        wrong_type(*value, key, "a list of numbers");
        return out;
    }
    for (const toml::node& element : *list) {
        if (element.is_number())
            out.push_back(element.value<double>().value_or(0));
        else
            wrong_type(element, key, "a number");
    }
    return out;
}

std::vector<const toml::table*> Fields::tables(std::string_view key) {
    const toml::node* const value = node(key);
    std::vector<const toml::table*> out;
    if (value == nullptr)
        return out;
    const auto* const list = value->as_array();
    if (list == nullptr) {
        wrong_type(*value, key, fmt::format("a list of tables ([[{}]])", key));
        return out;
    }
    for (const toml::node& element : *list) {
        if (element.is_table())
            out.push_back(element.as_table());
        else
            wrong_type(element, key, "a table");
    }
    return out;
}

const toml::table* Fields::table(std::string_view key) {
    const toml::node* const value = node(key);
    if (value != nullptr && !value->is_table())
        wrong_type(*value, key, "a table");
    return value == nullptr ? nullptr : value->as_table();
}

std::optional<std::size_t> Fields::chosen(std::string_view key, const std::vector<std::string>& known) {
    if (!has(key))
        return std::nullopt;
    const std::string name = text(key);
    const auto at = std::find(known.begin(), known.end(), name);
    if (at != known.end())
        return static_cast<std::size_t>(at - known.begin());
    if (node(key)->is_string())
        problem(key, fmt::format("{}: there is no '{}'; valid: {}{}", key, name, comma_list(known),
                                 did_you_mean(name, known)));
    return std::nullopt;
}

void Fields::finish() {
    const std::vector<std::string> names(known_.begin(), known_.end());
    for (const auto& [key, value] : table_) {
        const std::string name(key.str());
        if (known_.contains(name))
            continue;
        const std::string near = did_you_mean(name, names);
        const std::string at = key.source().begin.line == 0 ? place(value) : place(file_, key.source().begin);
        problems_.add(at, fmt::format("{}: there is no key '{}'{}", what_, name,
                                      near.empty() ? "; valid: " + comma_list(names) : near));
    }
}

} // namespace heddle::experiment
