// Resources that are booked some cycles ahead.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/select.h"
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
        day = static_cast<std::uint16_t>(select((day & ~kTaken) == round, day, round));
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

// Serves one thing at a time, for one cycle or several. Bit i of a mask is the cycle i + 1 before the end of the last
// booking; cycles before those of the mask count as taken.
class UnitCalendar {
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
