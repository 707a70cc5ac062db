// Reads TOML tables key by key. A misspelt key or a wrong type becomes a problem with its place; all problems are
// reported at once.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "base/source.h"

namespace heddle::experiment {

class Problems {
public:
    // Each text once, in the order of first occurrence.
    void add(std::string text);
    void add(const std::string& where, const std::string& text) {
        add(where + ": " + text);
    }
    [[nodiscard]] bool empty() const {
        return texts_.empty();
    }
    // Throws UserError with all problems, a line each.
    void throw_if_any() const;

private:
    std::vector<std::string> texts_;
};

// "8.toml:12:3".
[[nodiscard]] std::string place(const toml::node&);
[[nodiscard]] std::string place(const std::string& file, const toml::source_position&);

// Throws UserError when the file is not there, cannot be read, or is no TOML.
[[nodiscard]] toml::table read_toml(const std::string& path);

class Fields {
public:
    // `what` names the table in messages: "a setting". `file` is the place of a table without a position in the text.
    Fields(const toml::table& table, std::string what, std::string file, Problems& problems)
        : table_(table), what_(std::move(what)), file_(std::move(file)), problems_(problems) {}

    [[nodiscard]] bool has(std::string_view key);
    [[nodiscard]] const toml::node* node(std::string_view key);
    // Of the table or, where the key is there, of its value.
    [[nodiscard]] std::string where() const;
    [[nodiscard]] std::string where(std::string_view key);

    [[nodiscard]] std::string text(std::string_view key, std::string otherwise = "");
    [[nodiscard]] std::string required_text(std::string_view key);
    [[nodiscard]] bool boolean(std::string_view key, bool otherwise);
    [[nodiscard]] double number(std::string_view key, double otherwise);
    [[nodiscard]] std::uint64_t count(std::string_view key, std::uint64_t otherwise);
    // A list of texts, or one.
    [[nodiscard]] std::vector<std::string> texts(std::string_view key);
    // The same with the node of each text.
    [[nodiscard]] std::vector<std::pair<std::string, const toml::node*>> placed_texts(std::string_view key);
    [[nodiscard]] std::vector<double> numbers(std::string_view key);
    // A list of tables; null elements never.
    [[nodiscard]] std::vector<const toml::table*> tables(std::string_view key);
    [[nodiscard]] const toml::table* table(std::string_view key);

    // The value's place in `names`, `otherwise` where it is missing or wrong.
    template <class Enum>
    [[nodiscard]] Enum choice(std::string_view key, const std::vector<std::pair<std::string, Enum>>& names,
                              Enum otherwise) {
        std::vector<std::string> known;
        for (const auto& [name, value] : names)
            known.push_back(name);
        const std::optional<std::size_t> at = chosen(key, known);
        return at ? names[*at].second : otherwise;
    }

    void problem(std::string_view key, const std::string& text) {
        problems_.add(where(key), text);
    }
    // Keys that were never read are problems; the message names the nearest key that was read.
    void finish();

private:
    [[nodiscard]] std::optional<std::size_t> chosen(std::string_view key, const std::vector<std::string>& known);
    void wrong_type(const toml::node& node, std::string_view key, std::string_view expected);

    const toml::table& table_;
    std::string what_, file_;
    Problems& problems_;
    std::set<std::string, std::less<>> known_;
};

} // namespace heddle::experiment
