// Resources that are booked some cycles ahead.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/select.h"
#include "base/types.h"

namespace heddle::sm {

// Serves so many things a cycle.
class ReservationTable {
public:
    // `reach`: bookings are less than so many cycles ahead of each cycle that is still to be booked.
    ReservationTable(std::uint64_t a_cycle, Cycle reach)
        : stride_(a_cycle + 1), last_week_(std::bit_ceil(reach / kDays + 2) - 1), weeks_((last_week_ + 1) * stride_) {}

    // Takes one place in a cycle, if one is left.
    bool take(Cycle at) {
        std::uint64_t* const week = week_of(at / kDays);
        const std::uint64_t day = std::uint64_t{1} << (at % kDays);
        for (std::size_t place = 1; place < stride_; ++place)
            if ((week[place] & day) == 0) [[likely]] {
                week[place] |= day;
                return true;
            }
        return false;
    }
    // The first cycle from `at` on with a place left; takes it.
    Cycle book(Cycle at) {
        while (!take(at))
            ++at;
        return at;
    }

private:
    static constexpr Cycle kDays = 64; // cycles, a bit each

    // Of 64 cycles: their number and one, then a mask of those taken for each place.
    std::uint64_t* week_of(Cycle number) {
        std::uint64_t* const week = weeks_.data() + (number & last_week_) * stride_;
        if (*week != number + 1) [[unlikely]] {
            std::fill_n(week, stride_, 0);
            *week = number + 1;
        }
        return week;
    }

    std::size_t stride_;               // of a week
    Cycle last_week_;                  // of as many as there are, a power of two
    std::vector<std::uint64_t> weeks_; // by number
};

// Serves one thing at a time, for one cycle or several. Bit i of a mask is the cycle i + 1 before the end of the last
// booking; cycles before those of the mask count as taken.
class UnitReservations {
public:
    // The first cycle from `at` on with so many free ones in a row.
    [[nodiscard]] Cycle first_free(Cycle at, unsigned cycles) const {
        return at >= end_ ? at : first_gap(at, cycles);
    }
    // Takes cycles that are free.
    void take(Cycle start, unsigned cycles) {
        if (start < end_) [[unlikely]] {
            taken_ |= ones(cycles) << (end_ - start - cycles);
            return;
        }
        const Cycle last = start + cycles;
        taken_ = (taken_ << 1 << std::min(last - end_ - 1, kSpan - 1)) | ones(cycles);
        end_ = last;
    }
    // The first free cycle from `at` on; takes it.
    Cycle book(Cycle at) {
        const Cycle start = first_free(at, 1);
        take(start, 1);
        return start;
    }

private:
    static constexpr Cycle kSpan = 64;

    // The lowest bits, as many as cycles.
    static std::uint64_t ones(Cycle count) {
        return count < kSpan ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
    }
    // Before the end of the last booking, if there is one from `at` on that is long enough; else that end.
    [[nodiscard, gnu::noinline]] Cycle first_gap(Cycle at, unsigned cycles) const {
        std::uint64_t starts = ~taken_ & ones(end_ - at); // free, and so many cycles behind it
        for (unsigned more = 1; more < cycles && starts != 0; ++more)
            starts &= starts << 1;
        return starts != 0 ? end_ - static_cast<unsigned>(std::bit_width(starts)) : end_;
    }

    Cycle end_ = 0; // of the last booking
    std::uint64_t taken_ = 0;
};

} // namespace heddle::sm
