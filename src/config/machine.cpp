#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "base/suggest.h"
#include "config/loader.h"
#include "config/machine_files.h"
#include "config/range.h"
#include "config/value.h"

namespace heddle::config {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> known_keys() {
    std::vector<std::string> out;
    for (const auto& [name, section] : sections())
        for (const ParameterInfo& p : section.parameters)
            out.push_back(name + "." + p.name);
    return out;
}

const ParameterInfo* find_parameter(std::string_view section, std::string_view key) {
    const auto at = sections().find(section);
    if (at == sections().end())
        return nullptr;
    for (const ParameterInfo& p : at->second.parameters)
        if (p.name == key)
            return &p;
    return nullptr;
}

std::string read_text(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error))
        throw UserError(fmt::format("{}: there is no such machine file", path.string()));
    if (!fs::is_regular_file(path, error))
        throw UserError(fmt::format("{}: not a file", path.string()));
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw UserError(fmt::format("{}: cannot be read", path.string()));
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace

std::vector<std::string> machine_names() {
    std::vector<std::string> out;
    for (const MachineFile& file : machine_files())
        out.emplace_back(file.name);
    return out;
}

Machine Machine::load(std::string_view name_or_path, std::span<const std::string> overrides) {
    return Loader().load(name_or_path, overrides);
}

const std::string& Machine::text_of(std::string_view section, std::string_view key) const {
    const auto at = values_.find(fmt::format("{}.{}", section, key));
    const ParameterInfo* const absent = at == values_.end() ? find_parameter(section, key) : nullptr;
    if (absent != nullptr && sections().find(section)->second.optional)
        return absent->default_value;
    if (at == values_.end())
        throw std::logic_error(fmt::format("[{}] {} was not registered when the machine was read", section, key));
    return at->second.text;
}

Machine Machine::defaults(std::span<const std::string> overrides) {
    return Loader().defaults(overrides);
}

Loader::Loader() {
    for (const auto& [name, section] : sections())
        if (!section.optional)
            add_defaults(section);
    machine_.name_ = "defaults";
}

void Loader::add_defaults(const SectionInfo& section) {
    for (const ParameterInfo& p : section.parameters)
        machine_.values_.try_emplace(section.name + "." + p.name, Value{p.default_value, "default"});
}

Machine Loader::load(std::string_view name_or_path, std::span<const std::string> overrides) {
    try {
        read(find(name_or_path, ""));
    } catch (const UserError& e) {
        problems_.emplace_back(e.what());
    }
    return defaults(overrides);
}

Machine Loader::defaults(std::span<const std::string> overrides) {
    for (const std::string& setting : overrides)
        override_with(setting);
    check_struct_rules();
    if (!problems_.empty())
        throw UserError(fmt::format("{}", fmt::join(problems_, "\n")));
    return std::move(machine_);
}

// A name without a folder or a suffix is a shipped machine's first, then a file's.
Loader::File Loader::find(std::string_view name_or_path, const std::string& folder) {
    for (const MachineFile& file : machine_files())
        if (file.name == name_or_path)
            return {fmt::format("machines/{}.toml", file.name), "", std::string(file.name), std::string(file.text)};
    const fs::path path = fs::path(folder) / name_or_path;
    std::error_code error;
    const bool looks_like_path = name_or_path.find('/') != std::string_view::npos || path.extension() == ".toml";
    if (!looks_like_path && !fs::is_regular_file(path, error)) {
        const std::vector<std::string> names = machine_names();
        throw UserError(fmt::format("unknown machine '{}'; valid: {}, or the path of a TOML file{}", name_or_path,
                                    comma_list(names), did_you_mean(name_or_path, names)));
    }
    return {path.string(), path.parent_path().string(), path.stem().string(), read_text(path)};
}

void Loader::override_with(const std::string& setting) {
    const std::size_t equals = setting.find('=');
    const std::size_t dot = setting.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
        problems_.push_back(
            fmt::format("'{}' is not a setting; write SECTION.KEY=VALUE, for example dcache.size=32KiB", setting));
        return;
    }
    set(setting.substr(0, equals), setting.substr(0, dot), setting.substr(dot + 1, equals - dot - 1),
        setting.substr(equals + 1), "command line");
}

void Loader::set(const std::string& where, std::string_view section, std::string_view key, const std::string& text,
                 const std::string& origin) {
    const ParameterInfo* const parameter = find_parameter(section, key);
    if (parameter == nullptr) {
        const std::string name = fmt::format("{}.{}", section, key);
        problems_.push_back(
            fmt::format("{}: there is no parameter '{}'{}", where, name, did_you_mean(name, known_keys())));
        return;
    }
    try {
        const std::string value = parse_value(parameter->type, parameter->unit, text);
        if (const auto objection = Range(parameter->type, parameter->range).objection(value))
            problems_.push_back(fmt::format("{}: {}", where, *objection));
        else {
            add_defaults(sections().find(section)->second);
            machine_.values_[fmt::format("{}.{}", section, key)] = {value, origin};
        }
    } catch (const UserError& e) {
        std::string valid = parameter->range.empty() ? "" : fmt::format(" (valid: {})", parameter->range);
        problems_.push_back(fmt::format("{}: {}{}", where, e.what(), valid));
    }
}

// A message that names settings, with where each of them was set: "lwm.toml:7, :9: ..." or "command line: ...".
std::string Loader::with_places(const std::string& problem) const {
    std::vector<std::string> places;
    for (const auto& [key, value] : machine_.values_) {
        const std::size_t at = problem.find(key);
        const auto goes_on = [&](std::size_t i) {
            return i < problem.size() &&
                   (std::isalnum(static_cast<unsigned char>(problem[i])) != 0 || problem[i] == '_');
        };
        if (at == std::string::npos || goes_on(at + key.size()) || (at != 0 && goes_on(at - 1)))
            continue;
        const std::string place = fmt::format("{} ({})", value.origin, key);
        if (value.origin != "default")
            places.push_back(place);
    }
    if (places.empty())
        return problem;
    return fmt::format("{}: {}", fmt::join(places, ", "), problem);
}

void Loader::check_struct_rules() {
    for (const auto& [name, section] : sections())
        if (section.problems != nullptr)
            for (const std::string& problem : section.problems(machine_))
                problems_.push_back(with_places(problem));
}

} // namespace heddle::config
