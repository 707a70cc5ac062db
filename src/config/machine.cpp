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

// Whether the text can be a member's name, which is a part of dotted keys.
bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
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

std::vector<std::string> parameter_keys(std::string_view section) {
    std::vector<std::string> out;
    for (const auto& [name, info] : sections()) {
        const bool is_member = info.family && section.starts_with(name + ".");
        if (info.family && !is_member)
            continue;
        for (const ParameterInfo& p : info.parameters)
            out.push_back(fmt::format("{}.{}", is_member ? section : name, p.name));
    }
    return out;
}

std::vector<std::string> machine_names() {
    std::vector<std::string> out;
    for (const MachineFile& file : machine_files())
        out.emplace_back(file.name);
    return out;
}

std::string default_machine() {
    const auto files = machine_files();
    return std::string(std::max_element(files.begin(), files.end(), [](const auto& a, const auto& b) {
                           return a.year < b.year;
                       })->name);
}

Machine Machine::load(std::string_view name_or_path, std::span<const std::string> overrides) {
    return Loader().load(name_or_path, overrides);
}

const std::string& Machine::text_of(std::string_view section, std::string_view key) const {
    if (reads_ != nullptr)
        reads_->emplace(section);
    const auto at = values_.find(dotted_key(section, key));
    if (at == values_.end())
        if (const SectionInfo* const info = find_section(section); info != nullptr && info->optional)
            if (const ParameterInfo* const absent = find_parameter(dotted_key(section, key)))
                return absent->default_value;
    if (at == values_.end())
        throw std::logic_error(fmt::format("[{}] {} was not registered when the machine was read", section, key));
    return at->second.text;
}

Machine Machine::defaults(std::span<const std::string> overrides) {
    return Loader().defaults(overrides);
}

std::vector<std::string> Machine::members(std::string_view family) const {
    if (reads_ != nullptr)
        reads_->emplace(family);
    std::vector<std::string> out;
    for (const std::string& section : declared_)
        if (section.size() > family.size() && section.starts_with(family) && section[family.size()] == '.')
            out.push_back(section.substr(family.size() + 1));
    return out;
}

Loader::Loader() {
    for (const auto& [name, section] : sections())
        if (!section.optional && !section.family)
            add_defaults(name);
    machine_.name_ = "defaults";
}

void Loader::add_defaults(std::string_view name) {
    const SectionInfo& section = *find_section(name);
    std::vector<std::string>& declared = machine_.declared_;
    if (section.family && std::find(declared.begin(), declared.end(), name) == declared.end())
        declared.emplace_back(name);
    for (const ParameterInfo& p : section.parameters)
        machine_.values_.try_emplace(dotted_key(name, p.name), Value{p.default_value, "default"});
}

void Loader::read_file(std::string_view name_or_path) {
    try {
        read(find(name_or_path, ""));
    } catch (const UserError& e) {
        problems_.emplace_back(e.what());
    }
}

Machine Loader::load(std::string_view name_or_path, std::span<const std::string> overrides) {
    read_file(name_or_path);
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

// Finds a file. A name without a folder or suffix is first tried as a shipped machine.
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
    const std::size_t dot = setting.rfind('.', equals);
    if (equals == std::string::npos || dot == std::string::npos) {
        problems_.push_back(
            fmt::format("'{}' is not a setting; write SECTION.KEY=VALUE, for example dcache.size=32KiB", setting));
        return;
    }
    set(setting.substr(0, equals), setting.substr(0, dot), setting.substr(dot + 1, equals - dot - 1),
        setting.substr(equals + 1), "command line");
}

void Loader::set(const std::string& where, std::string_view section, std::string_view key, const std::string& text,
                 const std::string& origin) {
    const std::string name = dotted_key(section, key);
    const ParameterInfo* const parameter = find_parameter(name);
    if (parameter == nullptr) {
        problems_.push_back(
            fmt::format("{}: there is no parameter '{}'{}", where, name, did_you_mean(name, parameter_keys(section))));
        return;
    }
    if (const std::size_t dot = section.find('.'); dot != std::string_view::npos && !is_name(section.substr(dot + 1))) {
        problems_.push_back(
            fmt::format("{}: '{}' is not a name: write letters, digits, '_' and '-'", where, section.substr(dot + 1)));
        return;
    }
    try {
        const std::string value = parse_value(parameter->type, parameter->unit, text);
        if (const auto objection = Range(parameter->type, parameter->range).objection(value))
            problems_.push_back(fmt::format("{}: {}", where, *objection));
        else {
            add_defaults(section);
            machine_.values_[name] = {value, origin};
        }
    } catch (const UserError& e) {
        std::string valid = parameter->range.empty() ? "" : fmt::format(" (valid: {})", parameter->range);
        problems_.push_back(fmt::format("{}: {}{}", where, e.what(), valid));
    }
}

// The problem, after the places where the settings in it were set: "lwm.toml:7, :9: ..." or "command line: ...".
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
