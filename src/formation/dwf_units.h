// What dynamic warp formation says of its units to schedulers that are made for it.
#pragma once

#include <string_view>

#include "warp/unit_table.h"

namespace heddle::formation {

// UnitTraits::formation_word of a formation whose units have the word below.
inline constexpr std::string_view kPostdominatorsPassed = "post-dominators passed";

// Post-dominators that the unit's threads have passed: the most that one of them has (DWF07 4.3).
[[nodiscard]] inline std::uint32_t& postdominators_passed(warp::UnitTable& units, UnitId unit) {
    return units.formation_word[unit];
}
[[nodiscard]] inline std::uint32_t postdominators_passed(const warp::UnitTable& units, UnitId unit) {
    return units.formation_word[unit];
}

} // namespace heddle::formation
