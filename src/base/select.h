// Masks in place of branches, where neither the compiler nor the host's branch prediction can foretell which way it
// goes.
#pragma once

#include <cstdint>

namespace heddle {

// All bits when it holds, else none.
[[nodiscard]] inline std::uint64_t mask_if(bool holds) {
    return std::uint64_t{0} - static_cast<std::uint64_t>(holds);
}

} // namespace heddle
