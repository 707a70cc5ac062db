// A set of threads of several rows, one mask for each row. (Sets of one row are plain LaneMasks.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "base/types.h"

namespace heddle::formation {

class RowMasks {
public:
    static constexpr unsigned kMaxRows = 128;

    explicit RowMasks(unsigned rows = 0) : rows_(static_cast<std::uint16_t>(rows)) {
        assert(rows <= kMaxRows);
        std::fill_n(lanes_.begin(), rows_, LaneMask{0});
    }
    // Only the rows in use are copied.
    RowMasks(const RowMasks& other) : rows_(other.rows_) {
        std::copy_n(other.lanes_.begin(), rows_, lanes_.begin());
    }
    RowMasks& operator=(const RowMasks& other) {
        rows_ = other.rows_;
        std::copy_n(other.lanes_.begin(), rows_, lanes_.begin());
        return *this;
    }

    [[nodiscard]] unsigned rows() const {
        return rows_;
    }
    LaneMask& operator[](unsigned row) {
        return lanes_[row];
    }
    LaneMask operator[](unsigned row) const {
        return lanes_[row];
    }
    void clear() {
        std::fill_n(lanes_.begin(), rows_, LaneMask{0});
    }
    [[nodiscard]] bool any() const {
        return std::any_of(lanes_.begin(), lanes_.begin() + rows_, [](LaneMask m) { return m != 0; });
    }
    [[nodiscard]] bool intersects(const RowMasks& other) const {
        LaneMask both = 0;
        for (unsigned r = 0; r < rows_; ++r)
            both |= lanes_[r] & other.lanes_[r];
        return both != 0;
    }
    [[nodiscard]] unsigned count() const {
        unsigned n = 0;
        for (unsigned r = 0; r < rows_; ++r)
            n += count_lanes(lanes_[r]);
        return n;
    }
    // The largest number of threads in one lane: the number of warps that the threads can be packed into. Counts all
    // lanes at once: plane[b] holds bit b of their counters.
    [[nodiscard]] unsigned most_in_a_column() const {
        constexpr unsigned kBits = std::bit_width(kMaxRows);
        std::array<LaneMask, kBits> plane{};
        for (unsigned r = 0; r < rows_; ++r) {
            LaneMask carry = lanes_[r];
            for (unsigned b = 0; carry != 0; ++b) {
                const LaneMask sum = plane[b] ^ carry;
                carry &= plane[b];
                plane[b] = sum;
            }
        }
        unsigned most = 0;
        LaneMask leaders = ~LaneMask{0};
        for (unsigned b = kBits; b-- > 0;)
            if ((plane[b] & leaders) != 0) {
                leaders &= plane[b];
                most |= 1U << b;
            }
        return most;
    }

    RowMasks& operator|=(const RowMasks& other) {
        for (unsigned r = 0; r < rows_; ++r)
            lanes_[r] |= other.lanes_[r];
        return *this;
    }
    // Removes the members of `other`.
    RowMasks& operator-=(const RowMasks& other) {
        for (unsigned r = 0; r < rows_; ++r)
            lanes_[r] &= ~other.lanes_[r];
        return *this;
    }
    friend bool operator==(const RowMasks& a, const RowMasks& b) {
        return a.rows_ == b.rows_ && std::equal(a.lanes_.begin(), a.lanes_.begin() + a.rows_, b.lanes_.begin());
    }

private:
    std::uint16_t rows_;
    std::array<LaneMask, kMaxRows> lanes_;
};

// Functions that the reconvergence stack needs for a set of threads.
inline bool none(LaneMask threads) {
    return threads == 0;
}
inline bool none(const RowMasks& threads) {
    return !threads.any();
}
inline void remove(LaneMask& from, LaneMask gone) {
    from &= ~gone;
}
inline void remove(RowMasks& from, const RowMasks& gone) {
    from -= gone;
}
inline bool overlap(LaneMask a, LaneMask b) {
    return (a & b) != 0;
}
inline bool overlap(const RowMasks& a, const RowMasks& b) {
    return a.intersects(b);
}

} // namespace heddle::formation
