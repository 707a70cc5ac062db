#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "base/registration.h"
#include "config/parameter.h"
#include "config/range.h"

namespace heddle::config {

namespace {

// Functions with static tables: sections register themselves before main, in any order.
std::map<std::string, SectionInfo, std::less<>>& section_table() {
    static std::map<std::string, SectionInfo, std::less<>> table;
    return table;
}
std::map<std::string, std::vector<std::string> (*)(), std::less<>>& choice_table() {
    static std::map<std::string, std::vector<std::string> (*)(), std::less<>> table;
    return table;
}

// Throws std::logic_error with what is wrong in the description itself.
void check(const SectionInfo& info) {
    std::set<std::string> keys;
    for (const ParameterInfo& p : info.parameters) {
        if (!keys.insert(p.name).second)
            throw std::logic_error(fmt::format("parameter {}.{} is described twice", info.name, p.name));
        const Range range(p.type, p.range);
        const bool waits_for_choices = p.type == Type::Text && p.range.find('|') == std::string::npos;
        if (!waits_for_choices && range.objection(p.default_value))
            throw std::logic_error(
                fmt::format("the default of {}.{}: {}", info.name, p.name, range.objection(p.default_value).value()));
    }
}

} // namespace

std::string_view type_name(Type type) {
    switch (type) {
    case Type::Integer:
        return "integer";
    case Type::Real:
        return "real";
    case Type::Boolean:
        return "boolean";
    case Type::Text:
        return "text";
    }
    return "";
}

const std::map<std::string, SectionInfo, std::less<>>& sections() {
    return section_table();
}

const SectionInfo* find_section(std::string_view name) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    const auto at = section_table().find(name.substr(0, dot));
    if (at == section_table().end() || at->second.family != (dot != name.size()))
        return nullptr;
    return &at->second;
}

const ParameterInfo* find_parameter(std::string_view key) {
    const std::size_t dot = key.rfind('.');
    const SectionInfo* const section = dot == std::string_view::npos ? nullptr : find_section(key.substr(0, dot));
    if (section == nullptr)
        return nullptr;
    const auto at = std::find_if(section->parameters.begin(), section->parameters.end(),
                                 [&](const ParameterInfo& p) { return p.name == key.substr(dot + 1); });
    return at == section->parameters.end() ? nullptr : &*at;
}

void register_section(SectionInfo info) {
    try {
        check(info);
    } catch (const std::exception& e) {
        return refuse_registration(e.what());
    }
    info.plugin = registering_plugin();
    if (!info.plugin.empty() && !info.family)
        info.optional = true;
    const std::string name = info.name;
    if (const auto [at, is_new] = section_table().try_emplace(name, std::move(info)); !is_new)
        refuse_registration(fmt::format("there is a section [{}] already, in {}; give yours another name", name,
                                        place_of(at->second.plugin)));
}

void register_choices(std::string kind, std::vector<std::string> (*names)()) {
    if (!choice_table().emplace(kind, names).second)
        refuse_registration(fmt::format("the names of '{}' are supplied twice", kind));
}

std::vector<std::string> choices(std::string_view kind) {
    const auto at = choice_table().find(kind);
    return at == choice_table().end() ? std::vector<std::string>() : at->second();
}

} // namespace heddle::config
