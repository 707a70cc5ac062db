#include "exec/policy_fault.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "exec/fault.h"

namespace heddle::exec {

void policy_fault(const std::string& who, const std::string& answer, const std::string& allowed) {
    throw Fault(Fault::Kind::Policy,
                fmt::format("{}: {}; allowed: {}\n  heddle test-policy checks the policies of a plug-in by themselves",
                            who, answer, allowed));
}

std::string number_list(const std::vector<unsigned>& numbers) {
    constexpr std::size_t kMost = 16;
    const std::size_t shown = numbers.size() <= kMost ? numbers.size() : kMost;
    return fmt::format("{}{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                       shown < numbers.size() ? fmt::format(", ... ({} of them)", numbers.size()) : "");
}

} // namespace heddle::exec
