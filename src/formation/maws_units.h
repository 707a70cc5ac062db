// Properties of the units of warp subdivision, for schedulers made for it.
#pragma once

#include <string_view>

#include "warp/unit_table.h"

namespace heddle::formation {

// UnitTraits::formation_word of a formation whose units have the word miss_free_cycles_left().
inline constexpr std::string_view kMissFreeCyclesLeft = "miss-free cycles left";

// Cycles for which the warp-split is expected to continue before its next miss (MAWS 5.6).
[[nodiscard]] inline std::uint32_t& miss_free_cycles_left(warp::UnitTable& units, UnitId unit) {
    return units.formation_word[unit];
}
[[nodiscard]] inline std::uint32_t miss_free_cycles_left(const warp::UnitTable& units, UnitId unit) {
    return units.formation_word[unit];
}

} // namespace heddle::formation
