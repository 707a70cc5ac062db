// A check in a process of its own: the policy that it calls may crash, never end or use up memory.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace heddle::cli {

// Nothing when `check` returns. Else what it threw, or how its process ended. It is stopped after so many seconds of
// processor time.
[[nodiscard]] std::optional<std::string> run_in_process(const std::function<void()>& check, unsigned seconds);

} // namespace heddle::cli
