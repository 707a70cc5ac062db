// The words of the checker's reports.
#pragma once

#include <string>
#include <string_view>

#include "check/findings.h"

namespace heddle::runtime {

// The name of --check that finds such errors.
[[nodiscard]] std::string_view check_of(check::Kind kind);
[[nodiscard]] std::string_view name_of(check::Space space);
// The first line of a report: what is wrong.
[[nodiscard]] std::string headline(const check::Finding& finding);
// What the threads of a report did: "write", "exit".
struct Actions {
    std::string first, second;
};
[[nodiscard]] Actions actions(const check::Finding& finding);

} // namespace heddle::runtime
