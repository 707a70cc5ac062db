// The error of a policy of a plug-in that gives an answer which its contract does not allow.
#pragma once

#include <string>
#include <vector>

namespace heddle::exec {

// Throws a Fault. `who`: "the scheduler 'x' of the plug-in y"; `answer`: "pick() answers unit 7 in cycle 3"; `allowed`:
// "unit 2 or 4".
[[noreturn]] void policy_fault(const std::string& who, const std::string& answer, const std::string& allowed);

// For messages: "0, 2, 3", shortened where there are many.
[[nodiscard]] std::string number_list(const std::vector<unsigned>& numbers);

} // namespace heddle::exec
