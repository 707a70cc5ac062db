// The queue of a slice and the pace of its look-ups. A request can be looked up `latency` ticks after its arrival;
// look-ups are in order of arrival, one a tick. Times are core cycles.
#pragma once

#include <algorithm>

#include "base/clock_ratio.h"
#include "base/ring_queue.h"
#include "mem/system/transaction.h"

namespace heddle::mem {

class LookUpQueue {
public:
    struct Entry {
        Cycle at; // the latency has passed
        TransactionId id;
    };

    // `clock`: the slice's beside the core's. `places`: beside one for each tick of the latency.
    LookUpQueue(const ClockRatio& clock, Cycle latency, std::size_t places)
        : clock_(clock), latency_(clock.core_cycle(latency)), capacity_(places + latency) {}

    [[nodiscard]] bool empty() const {
        return queue_.empty();
    }
    [[nodiscard]] std::size_t size() const {
        return queue_.size();
    }
    [[nodiscard]] bool has_room() const {
        return queue_.size() < capacity_;
    }
    // A request arrives in cycle `now`. Cycles ascend. The queue takes it with or without room.
    void push(TransactionId id, Cycle now) {
        queue_.push({now + latency_, id});
    }
    // The first request of a queue that is not empty.
    [[nodiscard]] const Entry& front() const {
        return queue_.front();
    }
    // The cycle from which on front() can be looked up.
    [[nodiscard]] Cycle front_at() const {
        return std::max(queue_.front().at, free_);
    }
    void pop() {
        queue_.pop();
    }
    // Takes `ticks` ticks from cycle `now` on, or from the end of earlier ones: no look-up is in them.
    void take_ticks(unsigned ticks, Cycle now) {
        free_tick_ = std::max(free_tick_, clock_.tick_from(now)) + ticks;
        free_ = clock_.core_cycle(free_tick_);
    }
    // The cycle of the first tick that is not taken.
    [[nodiscard]] Cycle free_at() const {
        return free_;
    }

private:
    ClockRatio clock_;
    Cycle latency_;        // core cycles
    std::size_t capacity_; // of the queue and of the ticks on the way through it
    RingQueue<Entry> queue_;
    Cycle free_tick_ = 0; // tick of the slice
    Cycle free_ = 0;      // its core cycle
};

} // namespace heddle::mem
