// Member "profile" of RESULT.json: schema/result.schema.json describes its form.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "report/profile.h"

namespace heddle::report {

// JSON text, each instruction on a line of its own. Counters that are 0 are left out.
[[nodiscard]] std::string profile_lines(const Profile&);

// Throws UserError that names the first damaged place: "profile.kernels[0].launches must be a whole number".
[[nodiscard]] Profile profile_of(const nlohmann::ordered_json&);

} // namespace heddle::report
