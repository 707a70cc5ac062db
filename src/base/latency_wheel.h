// Things that are due at known cycles in the near future: a wheel of lists. Putting one in, and finding the next cycle
// in which one is due, cost a few operations however many there are.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"

namespace heddle {

class LatencyWheel {
public:
    using Item = std::uint16_t;
    static constexpr unsigned kSlots = 1024; // beyond the longest operations: what comes round early wakes in vain

    // Items are numbers below `items`; each is in the wheel once at most.
    explicit LatencyWheel(unsigned items) : due_(items), next_(items + kSlots, kNone) {
        assert(next_.size() <= kNone);
        for (unsigned slot = 0; slot < kSlots; ++slot)
            last_[slot] = head_of(slot);
    }

    // It is cycle `now`, and nothing that is in the wheel was due before; `at` lies behind `now`.
    void put(Item item, Cycle at, Cycle now) {
        now_ = now;
        due_[item] = at;
        ++count_;
        append(item, at);
    }
    // The first cycle in which run() may have something to do; kNever when the wheel is empty.
    [[nodiscard]] Cycle next() const {
        return wake_;
    }
    // Goes on to cycle `at`, which is next(), and calls f(item) for what is due, in the order in which it was put in. f
    // may put items in that are due later.
    template <class F>
    void run(Cycle at, F&& f) {
        now_ = at;
        wake_ = kNever;
        const auto slot = static_cast<unsigned>(at % kSlots);
        last_[slot] = head_of(slot);
        Item item = std::exchange(next_[last_[slot]], kNone);
        occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
        while (item != kNone) {
            const Item following = next_[item];
            if (due_[item] > at) { // it lay beyond the wheel's span
                append(item, due_[item]);
            } else {
                --count_;
                f(item);
            }
            item = following;
        }
        wake_ = scan();
    }

private:
    static constexpr unsigned kWords = kSlots / 64;
    static constexpr Item kNone = 0xffff;

    [[nodiscard]] Item head_of(unsigned slot) const {
        return static_cast<Item>(due_.size() + slot);
    }

    [[nodiscard]] Cycle scan() const {
        if (count_ == 0)
            return kNever;
        const auto start = static_cast<unsigned>(now_ % kSlots);
        for (unsigned i = 0; i <= kWords; ++i) {
            const unsigned word = (start / 64 + i) % kWords;
            std::uint64_t bits = occupied_[word];
            if (i == 0)
                bits &= ~std::uint64_t{0} << (start % 64);
            if (bits != 0) {
                const unsigned slot = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
                return now_ + (slot + kSlots - start) % kSlots;
            }
        }
        return kNever;
    }
    void append(Item item, Cycle at) {
        const Cycle in_span = at - now_ < kSlots ? at : now_ + kSlots - 1;
        const auto slot = static_cast<unsigned>(in_span % kSlots);
        next_[item] = kNone;
        next_[last_[slot]] = item;
        last_[slot] = item;
        occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
        wake_ = in_span < wake_ ? in_span : wake_;
    }

    Cycle now_ = 0;
    Cycle wake_ = kNever;
    unsigned count_ = 0;
    std::vector<Cycle> due_; // by item
    std::vector<Item> next_; // of an item in its list, and behind the items, by slot, the first of its list
    std::array<Item, kSlots> last_;
    std::array<std::uint64_t, kWords> occupied_{};
};

} // namespace heddle
