// Machine files: reading them (Loader) and writing one out (Machine::to_toml).
#include <algorithm>

#include <fmt/format.h>

#include "base/suggest.h"
#include "config/loader.h"
#include "config/toml_text.h"
#include "config/value.h"

namespace heddle::config {

namespace {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

std::string toml_value(const ParameterInfo& p, const std::string& text) {
    if (p.type == Type::Text)
        return quoted(text);
    if (p.type != Type::Integer || p.unit != "bytes")
        return text;
    const std::string readable = readable_bytes(parse_integer(text));
    return readable == text ? text : quoted(readable);
}

// What a value of this type and unit looks like in a file.
std::string expected(Type type, std::string_view unit) {
    switch (type) {
    case Type::Integer:
        return unit == "bytes" ? "a whole number, or a text such as \"32KiB\"" : "a whole number";
    case Type::Real:
        return "a number";
    case Type::Boolean:
        return "true or false";
    case Type::Text:
        return "a text in quotes";
    }
    return "";
}

// The node as a user would write it after KEY= on the command line; nothing when its type is wrong.
std::optional<std::string> text_of(const toml::node& node, Type type, std::string_view unit) {
    if (const auto* text = node.as_string(); text && (type == Type::Text || (type == Type::Integer && unit == "bytes")))
        return text->get();
    if (const auto* integer = node.as_integer(); integer && (type == Type::Integer || type == Type::Real))
        return fmt::format("{}", integer->get());
    if (const auto* real = node.as_floating_point(); real && type == Type::Real)
        return fmt::format("{}", real->get());
    if (const auto* boolean = node.as_boolean(); boolean && type == Type::Boolean)
        return canonical(boolean->get());
    return std::nullopt;
}

} // namespace

// One file: `name`, `description`, `year` and `base` at the top, then a table for each section.
class FileReader {
public:
    FileReader(Loader& loader, const Loader::File& file) : loader_(loader), file_(file) {}

    void read() {
        const toml::table root = parse_toml(file_.text, file_.label);
        inherit(root);
        loader_.name() = file_.stem;
        loader_.year() = 0; // of the base
        for (const auto& [key, node] : root) {
            if (key == "name")
                read_text(key, node, loader_.name());
            else if (key == "description")
                read_text(key, node, loader_.description());
            else if (key == "year")
                read_year(node);
            else if (key != "base")
                read_section(key, node);
        }
    }

private:
    [[nodiscard]] std::string place(const toml::node& node) const {
        return fmt::format("{}:{}", file_.label, node.source().begin.line);
    }
    void problem(std::string message) {
        loader_.problems_.push_back(std::move(message));
    }

    void read_text(const toml::key& key, const toml::node& node, std::string& to) {
        if (const auto* text = node.as_string())
            to = text->get();
        else
            problem(fmt::format("{}: {}: expected a text in quotes, found {}", place(node), key.str(), kind_of(node)));
    }

    void read_year(const toml::node& node) {
        constexpr std::int64_t kFirst = 1980, kLast = 2100;
        const auto* year = node.as_integer();
        if (year != nullptr && year->get() >= kFirst && year->get() <= kLast)
            loader_.year() = static_cast<unsigned>(year->get());
        else
            problem(fmt::format("{}: year: expected a year from {} to {}", place(node), kFirst, kLast));
    }

    // Reads the base first, so that values of this file replace those of the base.
    void inherit(const toml::table& root) {
        for (const auto& [key, node] : root) {
            std::string base;
            if (key == "base")
                read_text(key, node, base);
            if (base.empty())
                continue;
            try {
                loader_.read(Loader::find(base, file_.folder));
            } catch (const UserError& e) {
                problem(fmt::format("{}: base: {}", place(node), e.what()));
            }
        }
    }

    void read_section(const toml::key& key, const toml::node& node) {
        const std::string name(key.str());
        const auto section = sections().find(name);
        if (section == sections().end()) {
            std::vector<std::string> names{"name", "description", "year", "base"};
            for (const auto& [known, info] : sections())
                names.push_back(known);
            problem(fmt::format("{}: there is no section '{}'{}", place(node), name, did_you_mean(name, names)));
            return;
        }
        const toml::table* const table = node.as_table();
        if (table == nullptr) {
            problem(fmt::format("{}: {}: expected a table [{}], found {}", place(node), name, name, kind_of(node)));
            return;
        }
        if (section->second.family)
            return read_family(name, *table);
        for (const auto& [entry, value] : *table)
            read_value(name, std::string(entry.str()), value);
    }

    // Reads the members in the order of the file, which a table of TOML does not keep.
    void read_family(const std::string& name, const toml::table& family) {
        std::vector<std::pair<std::string, const toml::table*>> members;
        for (const auto& [entry, value] : family) {
            const std::string member = fmt::format("{}.{}", name, entry.str());
            if (const toml::table* const table = value.as_table())
                members.emplace_back(member, table);
            else
                problem(fmt::format("{}: {}: expected a table [{}], found {}", place(value), member, member,
                                    kind_of(value)));
        }
        std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
            return a.second->source().begin.line < b.second->source().begin.line;
        });
        for (const auto& [member, table] : members)
            for (const auto& [entry, value] : *table)
                read_value(member, std::string(entry.str()), value);
    }

    void read_value(const std::string& section, const std::string& key, const toml::node& node) {
        const std::string where = fmt::format("{}: {}.{}", place(node), section, key);
        const ParameterInfo* const parameter = find_parameter(fmt::format("{}.{}", section, key));
        if (parameter == nullptr) {
            loader_.set(where, section, key, "", "");
            return;
        }
        const std::optional<std::string> text = text_of(node, parameter->type, parameter->unit);
        if (!text)
            problem(fmt::format("{}: expected {}, found {}", where, expected(parameter->type, parameter->unit),
                                kind_of(node)));
        else
            loader_.set(where, section, key, *text, place(node));
    }

    Loader& loader_;
    const Loader::File& file_;
};

void Loader::read(const File& file) {
    if (std::find(open_.begin(), open_.end(), file.label) != open_.end())
        throw UserError(fmt::format("{}: the file is its own base, by way of {}", file.label, comma_list(open_)));
    open_.push_back(file.label);
    FileReader(*this, file).read();
    open_.pop_back();
}

std::string Machine::to_toml() const {
    std::string out = fmt::format("name = {}\ndescription = {}\n", quoted(name_), quoted(description_));
    if (year_ != 0)
        out += fmt::format("year = {}\n", year_);
    const auto write = [&](const std::string& name, const SectionInfo& section) {
        if (!values_.contains(name + "." + section.parameters.front().name))
            return;
        out += fmt::format("\n# {}\n[{}]\n", section.meaning, name);
        for (const ParameterInfo& p : section.parameters) {
            out += fmt::format("{} = {} # {}", p.name, toml_value(p, values_.at(name + "." + p.name).text), p.meaning);
            const std::string valid = p.unit + (p.unit.empty() || p.range.empty() ? "" : ", ") + p.range;
            out += valid.empty() ? "" : fmt::format("; {}", valid);
            out += p.source.empty() ? "\n" : fmt::format(" ({})\n", p.source);
        }
    };
    for (const auto& [name, section] : sections()) {
        if (!section.family)
            write(name, section);
        for (const std::string& member : members(name))
            write(name + "." + member, section);
    }
    return out;
}

} // namespace heddle::config
