// The common parts of the JSON documents: form, configuration, version of the program.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/types.h"
#include "config/parameter.h"

namespace heddle::report {

// {"version", "commit"} of this build.
[[nodiscard]] nlohmann::ordered_json program_json();
// {"core.width": {"value": 32, "origin": "machines/lwm11.toml:12"}, ...}
[[nodiscard]] nlohmann::ordered_json config_json(const std::map<std::string, config::Value, std::less<>>&);
[[nodiscard]] nlohmann::ordered_json dim_json(Dim3);
// The members of an object, one on each line.
[[nodiscard]] std::string object_lines(const nlohmann::ordered_json& object);
// A whole document of members whose values are JSON text already, in order.
[[nodiscard]] std::string document(const std::vector<std::pair<const char*, std::string>>& members);

} // namespace heddle::report
