// An instruction on its way through a core.
#pragma once

#include "warp/group.h"

namespace heddle::warp {

using FlightId = std::uint16_t;
inline constexpr FlightId kNoFlight = 0xffff;

// Cores hold groups by value in flights, and events name flights, not units: units die while their
// instructions fly (dwf at issue, tbc at a branch, maws by merging).
struct Flight {
    FlightId id = kNoFlight;
    bool waits_long = false;      // it, or the last one in its place, was put aside by a first-level miss
    std::uint32_t generation = 0; // of its unit when it was formed: the unit's number may belong to another since
    std::uint16_t lines_left = 0; // of its access, not yet there
    FlightId along = kNoFlight;   // the next one in its place of the pipeline, where a place holds a bundle of them
    const ir::MicroOp* op = nullptr;
    Group group;
    Outcome outcome;
    std::array<LaneMask, kMaxParts> hit; // by part: lanes whose data were in the first level (maws)
};

} // namespace heddle::warp
