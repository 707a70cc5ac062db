// What becomes due in the next 64 moments, as masks. Noting something down, finding the next moment and collecting what
// is due cost a few operations, however much there is.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/types.h"

namespace heddle {

// Mask: a value that is empty by default and has |=.
template <class Mask>
class MaskWheel {
public:
    static constexpr unsigned kSpan = 64;

    // It is `now`, nothing that is in was due before, and `at` lies behind. What lies beyond the span is due at its
    // end: who collects it finds out.
    void put(const Mask& mask, Cycle at, Cycle now) {
        const Cycle look = std::min(at, now + kSpan - 1);
        entries_[look % kSpan] |= mask;
        occupied_ |= std::uint64_t{1} << (look % kSpan);
        next_ = std::min(next_, look);
    }
    // The first moment at which something is due; kNever when nothing is.
    [[nodiscard]] Cycle next() const {
        return next_;
    }
    // Takes out what is due up to and including `now`.
    [[nodiscard]] Mask collect(Cycle now) {
        Mask due{};
        while (next_ <= now) {
            const auto entry = static_cast<unsigned>(next_ % kSpan);
            due |= std::exchange(entries_[entry], Mask{});
            occupied_ &= ~(std::uint64_t{1} << entry);
            const auto ahead = std::countr_zero(std::rotr(occupied_, static_cast<int>(entry)));
            next_ = occupied_ == 0 ? kNever : next_ + static_cast<unsigned>(ahead);
        }
        return due;
    }

private:
    std::array<Mask, kSpan> entries_{}; // of moment t: entry t modulo the span
    std::uint64_t occupied_ = 0;        // bit i: entry i is not empty
    Cycle next_ = kNever;
};

} // namespace heddle
