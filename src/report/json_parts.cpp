#include "report/json_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/value.h"
#include "report/result.h"

namespace heddle::report {

using Json = nlohmann::ordered_json;

namespace {

Json typed(config::Type type, const std::string& text) {
    switch (type) {
    case config::Type::Integer:
        return config::parse_integer(text);
    case config::Type::Real:
        return Json::parse(text);
    case config::Type::Boolean:
        return text == "true";
    case config::Type::Text:
        return text;
    }
    return nullptr;
}

config::Type type_of(std::string_view dotted) {
    const config::ParameterInfo* const parameter = config::find_parameter(dotted);
    return parameter == nullptr ? config::Type::Text : parameter->type;
}

} // namespace

Json program_json() {
    return {{"version", version()}, {"commit", commit()}};
}

Json config_json(const std::map<std::string, config::Value, std::less<>>& values) {
    Json out = Json::object();
    for (const auto& [key, value] : values)
        out[key] = {{"value", typed(type_of(key), value.text)}, {"origin", value.origin}};
    return out;
}

Json dim_json(Dim3 dim) {
    return {dim.x, dim.y, dim.z};
}

std::string object_lines(const Json& object) {
    std::string out;
    for (const auto& [key, value] : object.items())
        out += fmt::format("{}    {}: {}", out.empty() ? "" : ",\n", Json(key).dump(), value.dump());
    return out.empty() ? "{}" : "{\n" + out + "\n  }";
}

std::string document(const std::vector<std::pair<const char*, std::string>>& members) {
    std::string out;
    for (const auto& [key, text] : members)
        out += fmt::format("{}  \"{}\": {}", out.empty() ? "{\n" : ",\n", key, text);
    return out + "\n}\n";
}

} // namespace heddle::report
