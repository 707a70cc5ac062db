// An instruction on its way through a core.
#pragma once

#include "warp/group.h"

namespace heddle::warp {

using FlightId = std::uint16_t;
inline constexpr FlightId kNoFlight = 0xffff;

// Cores hold groups by value in flights, and events name flights, not units: units die while their
// instructions fly (dwf at issue, tbc at a branch, maws by merging).
struct alignas(64) Flight { // from the end of `outcome` to the first part of `group` are two lines of the host's cache
    std::array<LaneMask, kMaxParts>
        hit; // by part: lanes whose data were in the first level; set by sm/load_store/divergence.h where it is active
    Outcome outcome;
    FlightId id = kNoFlight;
    bool waits_long = false;      // it, or the last flight with its id, was put aside by a first-level miss
    std::uint32_t generation = 0; // of its unit when it was formed: the unit's id may have been reused since then
    std::uint16_t lines_left = 0; // lines of its access that have not arrived
    FlightId along = kNoFlight;   // the next flight in its pipeline stage, where a stage holds a bundle of flights
    bool committed = false;       // its next PCs are applied: its unit goes on while it waits (scoreboarded core)
    const ir::MicroOp* op = nullptr;
    Group group;
};

// Some threads of the flight had their data in the first level, others did not.
[[nodiscard]] inline bool hits_in_part(const Flight& flight) {
    bool hit = false, missed = false;
    for (unsigned p = 0; p < flight.group.parts; ++p) {
        hit |= flight.hit[p] != 0;
        missed |= flight.hit[p] != flight.group.part[p].lanes;
    }
    return hit && missed;
}

} // namespace heddle::warp
