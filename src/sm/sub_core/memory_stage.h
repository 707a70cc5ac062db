// Accesses between their issue and the load/store unit, in order, and that unit's write port.
#pragma once

#include <algorithm>

#include "base/ring_queue.h"
#include "base/select.h"
#include "probe/slot.h"
#include "sm/load_store/load_store_unit.h"
#include "sm/sub_core/config.h"
#include "sm/sub_core/reservation_table.h"

namespace heddle::sm {

class MemoryStage {
public:
    // `flights`: the most accesses whose data are on their way to registers at once.
    MemoryStage(const config::Machine& machine, LoadStoreUnit& unit, std::size_t flights);

    // An access enters the unit in cycle `at` or later, after the accesses before it.
    void push(warp::FlightId flight, Cycle at) {
        accesses_.push({at, flight});
        find_next();
    }
    [[nodiscard]] bool is_full() const {
        return accesses_.size() >= capacity_;
    }
    [[nodiscard]] std::size_t size() const {
        return accesses_.size();
    }
    // The next cycle in which step() has work; kNever while that cycle is not known.
    [[nodiscard]] Cycle next() const {
        return next_;
    }
    // One cycle of the first access. Returns its flight when it leaves the unit, else kNoFlight.
    warp::FlightId step(Cycle now);
    // The first access, which is held, may continue at `now`.
    void try_again(Cycle now) {
        again_ = std::min(again_, now);
        find_next();
    }
    // The first cycle from `at` on in which the unit can write a flight's registers: one instruction a cycle.
    [[nodiscard]] Cycle book_write(Cycle at) {
        return writes_.book(at);
    }
    [[nodiscard]] Cycle miss_latency() const {
        return miss_latency_;
    }
    // The access that is in the unit, or goes there next; kNoFlight: there is none.
    [[nodiscard]] warp::FlightId first() const {
        return accesses_.empty() ? warp::kNoFlight : accesses_.front().flight;
    }
    // Why instructions wait for the unit: the result of its last step.
    [[nodiscard]] probe::Slot cause() const {
        return cause_;
    }

private:
    struct Access {
        Cycle at; // the cycle in which its operands have been read
        warp::FlightId flight;
    };

    void find_next() {
        next_ = std::max(accesses_.front_or_any().at, again_) | mask_if(accesses_.empty());
    }
    [[nodiscard]] probe::Slot cause_of(LoadStoreUnit::Step step) const;

    LoadStoreUnit& unit_;
    RingQueue<Access> accesses_; // in order; the first ones have their operands
    std::size_t capacity_;
    Cycle again_ = 0;     // the first cycle in which the first access may continue, apart from its operands
    Cycle next_ = kNever; // that cycle, with its operands considered; kNever: no access
    ReservationTable writes_;
    Cycle miss_latency_; // from a line's arrival to its data in the registers
    probe::Slot cause_ = probe::Slot::PipeLdSt;
};

} // namespace heddle::sm
