// The revision of the simulator under which results are kept.
#pragma once

#include <string>

namespace heddle::cli {

// The commit; with changes that were not committed also the content of the simulator's libraries. Throws UserError when
// they cannot be read.
[[nodiscard]] std::string simulator_version();

} // namespace heddle::cli
