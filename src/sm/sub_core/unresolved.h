// Units whose next PC is not known yet: their control transfer is on its way, or they wait for memory (an exit for its
// stores, a fence, an atomic operation). Where units end at issue (dwf), the flights are counted instead: their threads
// may come back in any unit.
#pragma once

#include <cstdint>
#include <vector>

#include "base/unit_set.h"

namespace heddle::sm {

class Unresolved {
public:
    struct Flights { // of units that have ended
        unsigned transfers = 0;
        unsigned drains = 0;
    };

    // Unit numbers are below `units`. `units_die`: units end at issue.
    Unresolved(unsigned units, bool units_die)
        : units_die_(units_die), transfers_(units), drains_(units), draining_(units) {}

    // A control transfer of the unit has issued.
    void begin_transfer(UnitId unit) {
        if (units_die_)
            ++flights_.transfers;
        else
            transfers_.insert(unit);
    }
    // The target of the unit's transfer is in its buffer.
    void end_transfer(UnitId unit) {
        transfers_.erase(unit);
    }
    // Where units end at issue: the transfer of a flight is resolved, or memory has answered the flight.
    void end_transfer_of_flight() {
        --flights_.transfers;
    }
    void end_drain_of_flight() {
        --flights_.drains;
    }
    // A flight of the unit waits for memory; a transfer of the unit is resolved. True when no other flight of the unit
    // waits.
    bool begin_drain(UnitId unit) {
        if (units_die_) {
            ++flights_.drains;
            return false;
        }
        transfers_.erase(unit);
        drains_.insert(unit);
        return draining_[unit]++ == 0;
    }
    // Memory has answered a flight of the unit. True when no other flight of the unit waits.
    bool end_drain(UnitId unit) {
        if (draining_[unit] == 0 || --draining_[unit] != 0)
            return false;
        drains_.erase(unit);
        return true;
    }
    // The unit has died: its number may be given to a new unit.
    void forget(UnitId unit) {
        transfers_.erase(unit);
        drains_.erase(unit);
        draining_[unit] = 0;
    }

    [[nodiscard]] bool units_die() const {
        return units_die_;
    }
    [[nodiscard]] const UnitSet& transfers() const { // a control transfer is on its way, or its target is fetched
        return transfers_;
    }
    [[nodiscard]] const UnitSet& drains() const { // units that wait for memory
        return drains_;
    }
    [[nodiscard]] const Flights& flights() const {
        return flights_;
    }

private:
    const bool units_die_;
    UnitSet transfers_, drains_;
    std::vector<std::uint16_t> draining_; // by unit: its flights that wait; the unit is in drains_ while there are any
    Flights flights_;
};

} // namespace heddle::sm
