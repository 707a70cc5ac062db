// What becomes due in the next moments, as masks. Noting something down, finding the next moment and collecting what is
// due cost a few operations, however much there is.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/types.h"

namespace heddle {

// Mask: a value that is empty by default and has |=. `Moments`: the span, a power of two of at least 64.
template <class Mask, unsigned Moments = 64>
class MaskWheel {
public:
    static constexpr unsigned kSpan = Moments;

    // It is `now`, nothing that is in was due before, and `at` lies behind. What lies beyond the span is due at its
    // end: who collects it finds out.
    void put(const Mask& mask, Cycle at, Cycle now) {
        const Cycle look = std::min(at, now + kSpan - 1);
        entries_[look % kSpan] |= mask;
        occupied_[look % kSpan / kWordBits] |= std::uint64_t{1} << (look % kWordBits);
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
            occupied_[entry / kWordBits] &= ~(std::uint64_t{1} << (entry % kWordBits));
            next_ = after(next_);
        }
        return due;
    }

private:
    static constexpr unsigned kWordBits = 64;
    static constexpr unsigned kWords = kSpan / kWordBits;
    static_assert(kSpan % kWordBits == 0 && std::has_single_bit(kSpan));

    // The moment of the first entry behind that of `now` that is not empty. The entry of `now` is empty.
    [[nodiscard]] Cycle after(Cycle now) const {
        const auto bit = static_cast<unsigned>(now % kWordBits), first = static_cast<unsigned>(now % kSpan / kWordBits);
        if constexpr (kWords == 1) {
            const auto ahead = static_cast<unsigned>(std::countr_zero(std::rotr(occupied_[0], static_cast<int>(bit))));
            return occupied_[0] == 0 ? kNever : now + ahead;
        }
        const Cycle word_begins = now - bit;
        for (unsigned i = 0; i <= kWords; ++i) { // the last one is the first again, for the entries below `bit`
            std::uint64_t word = occupied_[(first + i) % kWords];
            if (i == 0)
                word &= ~std::uint64_t{0} << bit;
            if (word != 0)
                return word_begins + i * kWordBits + static_cast<unsigned>(std::countr_zero(word));
        }
        return kNever;
    }

    std::array<Mask, kSpan> entries_{};            // of moment t: entry t modulo the span
    std::array<std::uint64_t, kWords> occupied_{}; // bit i: entry i is not empty
    Cycle next_ = kNever;
};

} // namespace heddle
