// Resources that are booked some cycles ahead.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/types.h"

namespace heddle::sm {

// Serves so many things a cycle, up to 15.
class Calendar {
public:
    explicit Calendar(std::uint64_t a_cycle) : a_cycle_(static_cast<std::uint16_t>(a_cycle)) {}

    // Takes one place in a cycle, if one is left. Bookings reach less than kSpan cycles ahead.
    bool take(Cycle at) {
        std::uint16_t& day = days_[at % kSpan];
        const auto round = static_cast<std::uint16_t>((at / kSpan + 1) << kBits); // the cycle's, of its day
        if ((day & ~kTaken) != round)
            day = round;
        if ((day & kTaken) == a_cycle_)
            return false;
        ++day;
        return true;
    }
    // The first cycle from `at` on with a place left; takes it.
    Cycle book(Cycle at) {
        while (!take(at))
            ++at;
        return at;
    }

private:
    static constexpr std::size_t kSpan = 4096;
    static constexpr unsigned kBits = 4;
    static constexpr std::uint16_t kTaken = (1 << kBits) - 1;

    std::uint16_t a_cycle_;
    std::array<std::uint16_t, kSpan> days_{}; // few bytes a cycle: the near ones share a line of the host's cache
};

// The lowest bits, as many as cycles, of a mask of them.
inline std::uint64_t ones(Cycle count) {
    return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
}

// Serves one thing a cycle: bit i of a mask is the cycle i + 1 before the end of the last booking. What is to be served
// before those of the mask is booked behind them.
class PortCalendar {
public:
    // The first free cycle from `at` on; takes it.
    Cycle book(Cycle at) {
        if (at >= end_) [[likely]]
            return append(at);
        const Cycle back = end_ - 1 - at;
        const std::uint64_t free = back < kSpan ? ~taken_ & (~std::uint64_t{0} >> (kSpan - 1 - back)) : 0;
        if (free == 0)
            return append(end_);
        const std::uint64_t first = std::bit_floor(free);
        taken_ |= first;
        return end_ - 1 - static_cast<unsigned>(std::countr_zero(first));
    }

private:
    static constexpr Cycle kSpan = 64;

    // Behind all others.
    Cycle append(Cycle at) {
        taken_ = (taken_ << 1 << std::min(at - end_, kSpan - 1)) | 1;
        end_ = at + 1;
        return at;
    }

    Cycle end_ = 0; // of the last booking
    std::uint64_t taken_ = 0;
};

// Serves one thing at a time, for one cycle or several: bit i of a mask is cycle now + i. What lies beyond the mask's
// span is booked in order.
class UnitCalendar {
public:
    // The first cycle from `at` on with so many free ones in a row. `now` never decreases, and is not behind `at`.
    Cycle first_free(Cycle at, unsigned cycles, Cycle now) {
        go_on(now);
        if (end_ <= at) [[likely]] // nothing is booked so late
            return at;
        for (Cycle ahead = at - now; ahead < kSpan;) {
            const std::uint64_t from = taken_ >> ahead;
            const auto busy = static_cast<unsigned>(std::countr_one(from));
            const auto free = static_cast<unsigned>(busy < kSpan ? std::countr_zero(from >> busy) : 0);
            if (free >= cycles || ahead + busy + free >= kSpan)
                return beyond(now + ahead + busy, cycles);
            ahead += busy + free;
        }
        return beyond(at, cycles);
    }
    void take(Cycle start, unsigned cycles) {
        const Cycle ahead = start - now_;
        if (ahead < kSpan)
            taken_ |= ones(cycles) << ahead;
        end_ = std::max(end_, start + cycles);
    }

private:
    static constexpr Cycle kSpan = 64;

    void go_on(Cycle now) {
        const Cycle passed = now - now_;
        const bool booked_beyond = end_ > now_ + kSpan;
        taken_ = passed < kSpan ? taken_ >> passed : 0;
        now_ = now;
        if (booked_beyond) [[unlikely]]
            come_within_span(passed);
    }
    // Cycles that come within the mask's span are taken as far as there are bookings beyond it.
    void come_within_span(Cycle passed) {
        const Cycle fresh = passed < kSpan ? kSpan - passed : 0; // the first of them
        if (fresh < kSpan && end_ > now_ + fresh)
            taken_ |= ones(end_ - now_ - fresh) << fresh;
    }
    // A free stretch that ends behind the mask may not be as long as it seems.
    [[nodiscard]] Cycle beyond(Cycle start, unsigned cycles) const {
        return start + cycles - now_ > kSpan && start < end_ ? end_ : start;
    }

    Cycle now_ = 0;
    Cycle end_ = 0; // of the last booking
    std::uint64_t taken_ = 0;
};

} // namespace heddle::sm
