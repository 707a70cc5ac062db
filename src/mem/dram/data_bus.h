// The data bus of the simple memory model: transfers of known lengths, one at a time, booked ahead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle::mem {

class DataBus {
public:
    enum class Order : std::uint8_t {
        Ready,   // a transfer takes the first gap after its data are ready
        Arrival, // transfers keep the order in which they are booked
    };

    explicit DataBus(Order order) : order_(order) {}

    // Books `cycles` cycles in a row, at least 1, from cycle `ready` on. Returns the first of them. `now` never
    // decreases, and `ready` is not before it.
    Cycle book(Cycle ready, Cycle cycles, Cycle now) {
        forget_past(now);
        if (order_ == Order::Arrival && !booked_.empty())
            ready = std::max(ready, booked_.back().end);
        auto next = std::find_if(booked_.begin(), booked_.end(), [&](const Booked& b) { return b.end > ready; });
        for (; next != booked_.end() && next->begin < ready + cycles; ++next)
            ready = next->end;
        insert(static_cast<std::size_t>(next - booked_.begin()), {ready, ready + cycles});
        return ready;
    }

private:
    struct Booked {
        Cycle begin, end;
    };

    void forget_past(Cycle now) {
        const auto first = std::find_if(booked_.begin(), booked_.end(), [&](const Booked& b) { return b.end > now; });
        booked_.erase(booked_.begin(), first);
    }
    // Inserts a booking before the one at `at`; bookings without a gap between them become one.
    void insert(std::size_t at, Booked booking) {
        const bool joins_last = at != 0 && booked_[at - 1].end == booking.begin;
        const bool joins_next = at != booked_.size() && booked_[at].begin == booking.end;
        if (joins_last && joins_next) {
            booked_[at - 1].end = booked_[at].end;
            booked_.erase(booked_.begin() + static_cast<std::ptrdiff_t>(at));
        } else if (joins_last) {
            booked_[at - 1].end = booking.end;
        } else if (joins_next) {
            booked_[at].begin = booking.begin;
        } else {
            booked_.insert(booked_.begin() + static_cast<std::ptrdiff_t>(at), booking);
        }
    }

    Order order_;
    std::vector<Booked> booked_; // in order of time, with gaps between them; few
};

} // namespace heddle::mem
