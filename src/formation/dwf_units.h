// Properties of the units of dynamic warp formation, for schedulers made for it.
#pragma once

#include <string_view>

#include "warp/unit_table.h"

namespace heddle::formation {

// UnitTraits::formation_word of a formation whose units have the word postdominators_passed().
inline constexpr std::string_view kPostdominatorsPassed = "post-dominators passed";

// Post-dominators that the unit's threads have passed: the largest count of a thread (DWF07 4.3).
[[nodiscard]] inline std::uint32_t& postdominators_passed(warp::UnitTable& units, UnitId unit) {
    return units.formation_word[unit];
}
[[nodiscard]] inline std::uint32_t postdominators_passed(const warp::UnitTable& units, UnitId unit) {
    return units.formation_word[unit];
}

} // namespace heddle::formation
