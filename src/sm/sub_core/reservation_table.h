// Resources that are booked some cycles ahead.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/select.h"
#include "base/types.h"

namespace heddle::sm {

// A resource that serves a fixed number of requests a cycle.
class ReservationTable {
public:
    // `a_cycle`: requests served in a cycle. `reach`: a booking is less than `reach` cycles after every cycle that is
    // booked later.
    ReservationTable(std::uint64_t a_cycle, Cycle reach)
        : stride_(a_cycle + 1), index_mask_(std::bit_ceil(reach / kWordCycles + 2) - 1),
          groups_((index_mask_ + 1) * stride_) {}

    // Takes one place in a cycle, if one is left.
    bool take(Cycle at) {
        std::uint64_t* const group = group_of(at / kWordCycles);
        const std::uint64_t cycle_bit = std::uint64_t{1} << (at % kWordCycles);
        for (std::size_t place = 1; place < stride_; ++place)
            if ((group[place] & cycle_bit) == 0) [[likely]] {
                group[place] |= cycle_bit;
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
    static constexpr Cycle kWordCycles = 64; // cycles in a word, a bit each

    // The words of 64 cycles: their number plus one (0: never used), then for each place a mask of the cycles taken.
    std::uint64_t* group_of(Cycle number) {
        std::uint64_t* const group = groups_.data() + (number & index_mask_) * stride_;
        if (*group != number + 1) [[unlikely]] {
            std::fill_n(group, stride_, 0);
            *group = number + 1;
        }
        return group;
    }

    std::size_t stride_;                // words of a group
    Cycle index_mask_;                  // the number of groups, a power of two, less one
    std::vector<std::uint64_t> groups_; // a ring
};

// A resource that serves one request at a time, for one or several cycles. Bit i of a mask is the cycle i + 1 before
// the end of the last booking; cycles before those of the mask count as taken.
class UnitReservations {
public:
    // No cycle from `at` on is taken.
    [[nodiscard]] bool ends_by(Cycle at) const {
        return at >= end_;
    }
    // The first of `cycles` free cycles in a row, from `at` on.
    [[nodiscard]] Cycle first_free(Cycle at, unsigned cycles) const {
        return at >= end_ ? at : first_gap(at, cycles);
    }
    // The free cycles among `cycles` cycles from `from` on, at most 64.
    [[nodiscard]] unsigned free_in(Cycle from, unsigned cycles) const {
        if (from >= end_)
            return cycles;
        const Cycle booked = std::min<Cycle>(end_ - from, cycles); // cycles before the end of the last booking
        const Cycle lowest = end_ - from - booked;                 // the bit of the last of them
        if (lowest >= kSpan)
            return 0;
        const Cycle in_mask = std::min(booked, kSpan - lowest);
        const auto free = static_cast<unsigned>(std::popcount(~(taken_ >> lowest) & ones(in_mask)));
        return free + cycles - static_cast<unsigned>(booked);
    }
    // Takes cycles, which must be free.
    void take(Cycle start, unsigned cycles) {
        if (start < end_) [[unlikely]] {
            taken_ |= ones(cycles) << (end_ - start - cycles);
            return;
        }
        const Cycle last = start + cycles;
        taken_ = (taken_ << 1 << std::min(last - end_ - 1, kSpan - 1)) | ones(cycles);
        end_ = last;
    }
    // Takes the first free cycle from `at` on.
    Cycle book(Cycle at) {
        const Cycle start = first_free(at, 1);
        take(start, 1);
        return start;
    }

private:
    static constexpr Cycle kSpan = 64;

    // A mask of the `count` lowest bits.
    static std::uint64_t ones(Cycle count) {
        return count < kSpan ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
    }
    // The first long enough gap from `at` on before the end of the last booking; without one, that end.
    [[nodiscard, gnu::noinline]] Cycle first_gap(Cycle at, unsigned cycles) const {
        std::uint64_t starts = ~taken_ & ones(end_ - at); // after the loop: the starts of long enough gaps
        for (unsigned more = 1; more < cycles && starts != 0; ++more)
            starts &= starts << 1;
        return starts != 0 ? end_ - static_cast<unsigned>(std::bit_width(starts)) : end_;
    }

    Cycle end_ = 0; // of the last booking
    std::uint64_t taken_ = 0;
};

// Of `count` resources side by side, at least one: the first cycle from `at` on in which one has `cycles` free cycles
// in a row, and that one.
[[nodiscard]] inline std::pair<Cycle, UnitReservations*> first_free_of(UnitReservations* units, unsigned count,
                                                                       Cycle at, unsigned cycles) {
    UnitReservations* best = units;
    Cycle start = best->first_free(at, cycles);
    for (unsigned i = 1; i < count && start > at; ++i)
        if (const Cycle other = units[i].first_free(at, cycles); other < start) {
            start = other;
            best = units + i;
        }
    return {start, best};
}

} // namespace heddle::sm
