// When each of a few components has work next: a wheel of bit masks. Setting an alarm and finding the next one cost a
// few operations, however many components sleep.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <vector>

#include "base/select.h"
#include "base/types.h"

namespace heddle {

class EventWheel {
public:
    explicit EventWheel(unsigned components) : words_((components + 63) / 64), slots_(std::size_t{kSlots} * words_) {}

    // Wakes a component at a cycle that is not in the past, or earlier: alarms beyond the wheel's span go off at its
    // end. A component may have several alarms, and finds out by itself whether there is work.
    void set(unsigned component, Cycle at) {
        if (at == kNever)
            return;
        assert(at >= now_);
        const Cycle look = std::min(at, now_ + kSlots - 1);
        next_ = std::min(next_, look);
        const auto slot = static_cast<unsigned>(look % kSlots);
        slots_[std::size_t{slot} * words_ + component / 64] |= std::uint64_t{1} << (component % 64);
        occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
        words_occupied_ |= std::uint64_t{1} << (slot / 64);
    }

    // The cycle of the next alarm; kNever when none is set.
    [[nodiscard]] Cycle next() const {
        return next_;
    }

    // Goes on to cycle `at` = next() and calls f(component) for those with an alarm, in ascending order. Alarms that f
    // sets for `at` itself are for components that come later in this order, or go off again at `at`.
    template <class F>
    void run(Cycle at, F&& f) {
        now_ = at;
        const auto slot = static_cast<unsigned>(at % kSlots);
        std::uint64_t& occupied = occupied_[slot / 64];
        occupied &= ~(std::uint64_t{1} << (slot % 64));
        words_occupied_ &= ~((std::uint64_t{1} << (slot / 64)) & mask_if(occupied == 0));
        for (unsigned w = 0; w < words_; ++w) {
            std::uint64_t& word = slots_[std::size_t{slot} * words_ + w];
            while (word != 0) {
                const auto bit = static_cast<unsigned>(std::countr_zero(word));
                word &= word - 1;
                f(w * 64 + bit);
            }
        }
        next_ = scan();
    }

private:
    static constexpr unsigned kSlots = 4096;
    static constexpr unsigned kWords = kSlots / 64;
    static_assert(kWords == 64);

    [[nodiscard]] Cycle scan() const {
        const auto start = static_cast<unsigned>(now_ % kSlots);
        const unsigned word = start / 64;
        if (const std::uint64_t here = occupied_[word] >> (start % 64); here != 0)
            return now_ + static_cast<unsigned>(std::countr_zero(here));
        if (words_occupied_ == 0)
            return kNever;
        // The last of the words behind this one is this one again, below the bit.
        const int behind = std::countr_zero(std::rotr(words_occupied_, static_cast<int>(word + 1)));
        const unsigned ahead = static_cast<unsigned>(behind) + 1;
        const std::uint64_t bits = occupied_[(word + ahead) % kWords];
        return now_ - start % 64 + std::uint64_t{ahead} * 64 + static_cast<unsigned>(std::countr_zero(bits));
    }

    unsigned words_; // of 64 components, a slot
    Cycle now_ = 0;
    Cycle next_ = kNever;
    std::vector<std::uint64_t> slots_;
    std::array<std::uint64_t, kWords> occupied_{}; // bit i: slot i is not empty
    std::uint64_t words_occupied_ = 0;             // bit i: word i of occupied_ is not 0
};

} // namespace heddle
