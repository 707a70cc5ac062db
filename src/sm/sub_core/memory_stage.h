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
    // `flights`: accesses at most whose data are on their way to registers.
    MemoryStage(const config::Machine& machine, LoadStoreUnit& unit, std::size_t flights);

    // An access comes to the unit in cycle `at` or later, when those before it have left.
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
    // The next cycle in which step() has something to do; kNever when none is known of.
    [[nodiscard]] Cycle next() const {
        return next_;
    }
    // One cycle of the first access. The flight when it leaves the unit, else kNoFlight.
    warp::FlightId step(Cycle now);
    // The access that is held is worth another try at `now`.
    void try_again(Cycle now) {
        again_ = std::min(again_, now);
        find_next();
    }
    // The cycle from `at` on in which the unit writes a flight's registers: an instruction a cycle.
    [[nodiscard]] Cycle book_write(Cycle at) {
        return writes_.book(at);
    }
    [[nodiscard]] Cycle miss_latency() const {
        return miss_latency_;
    }
    // Why instructions wait for the unit: what it did last.
    [[nodiscard]] probe::Slot cause() const {
        return cause_;
    }

private:
    struct Access {
        Cycle at; // its operands are read
        warp::FlightId flight;
    };

    void find_next() {
        next_ = std::max(accesses_.front_or_any().at, again_) | mask_if(accesses_.empty());
    }
    [[nodiscard]] probe::Slot cause_of(LoadStoreUnit::Step step) const;

    LoadStoreUnit& unit_;
    RingQueue<Access> accesses_; // collecting their operands, then waiting for their turn
    std::size_t capacity_;
    Cycle again_ = 0;     // the first cycle in which the first may go on, its operands apart
    Cycle next_ = kNever; // that with its operands; kNever: there is none
    ReservationTable writes_;
    Cycle miss_latency_; // from a line's arrival to its data in the registers
    probe::Slot cause_ = probe::Slot::PipeLdSt;
};

} // namespace heddle::sm
