// A set of small numbers, a bit each, of a size that is known when it is compiled. One of a single word is as cheap as
// a plain integer.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "base/select.h"
#include "base/types.h"

namespace heddle {

template <unsigned kWords>
class BitMask {
public:
    static constexpr unsigned kSize = 64 * kWords; // members are below it

    [[nodiscard]] static constexpr BitMask bit(unsigned i) {
        BitMask out;
        out.insert(i);
        return out;
    }
    // The `count` smallest numbers.
    [[nodiscard]] static constexpr BitMask first(unsigned count) {
        BitMask out;
        for (unsigned w = 0; w < kWords; ++w)
            if (count > 64 * w)
                out.words_[w] = count >= 64 * (w + 1) ? ~std::uint64_t{0} : (std::uint64_t{1} << (count % 64)) - 1;
        return out;
    }

    constexpr void insert(unsigned i) {
        words_[word_of(i)] |= std::uint64_t{1} << (i % 64);
    }
    constexpr void erase(unsigned i) {
        words_[word_of(i)] &= ~(std::uint64_t{1} << (i % 64));
    }
    // Without a branch.
    constexpr void insert_if(bool holds, unsigned i) {
        words_[word_of(i)] |= std::uint64_t{holds} << (i % 64);
    }
    constexpr void erase_if(bool holds, unsigned i) {
        words_[word_of(i)] &= ~((std::uint64_t{1} << (i % 64)) & mask_if(holds));
    }
    [[nodiscard]] constexpr bool contains(unsigned i) const {
        return ((words_[word_of(i)] >> (i % 64)) & 1) != 0;
    }
    [[nodiscard]] constexpr bool any() const {
        std::uint64_t all = 0;
        for (const std::uint64_t word : words_)
            all |= word;
        return all != 0;
    }
    [[nodiscard]] constexpr bool empty() const {
        return !any();
    }
    [[nodiscard]] constexpr unsigned count() const {
        unsigned sum = 0;
        for (const std::uint64_t word : words_)
            sum += count_lanes(word);
        return sum;
    }
    // Of a set that is not empty.
    [[nodiscard]] constexpr unsigned lowest() const {
        unsigned w = 0;
        if constexpr (kWords > 1)
            while (words_[w] == 0)
                ++w;
        return 64 * w + static_cast<unsigned>(std::countr_zero(words_[w]));
    }
    // Takes out lowest().
    constexpr void drop_lowest() {
        unsigned w = 0;
        if constexpr (kWords > 1)
            while (words_[w] == 0)
                ++w;
        words_[w] &= words_[w] - 1;
    }
    [[nodiscard]] constexpr bool has_several() const {
        if constexpr (kWords == 1)
            return (words_[0] & (words_[0] - 1)) != 0;
        bool found = false;
        for (const std::uint64_t word : words_) {
            if ((word & (word - 1)) != 0 || (found && word != 0))
                return true;
            found |= word != 0;
        }
        return false;
    }
    // The first member at or after `from` in cyclic order; of a set that is not empty.
    [[nodiscard]] constexpr unsigned next(unsigned from) const {
        if constexpr (kWords == 1) {
            const auto ahead = static_cast<unsigned>(std::countr_zero(std::rotr(words_[0], static_cast<int>(from))));
            return (from + ahead) % 64;
        }
        const BitMask behind = *this & ~first(from);
        return behind.any() ? behind.lowest() : lowest();
    }
    // Calls f(member) for each, in ascending order. What f does to this set changes nothing.
    template <class F>
    constexpr void for_each(F&& f) const {
        const BitMask all = *this;
        for (unsigned w = 0; w < kWords; ++w)
            for (std::uint64_t word = all.words_[w]; word != 0; word &= word - 1)
                f(64 * w + static_cast<unsigned>(std::countr_zero(word)));
    }

    // Bit i of word w: 64 w + i.
    [[nodiscard]] constexpr std::span<const std::uint64_t> words() const {
        return words_;
    }

    constexpr BitMask& operator|=(const BitMask& other) {
        for (unsigned w = 0; w < kWords; ++w)
            words_[w] |= other.words_[w];
        return *this;
    }
    constexpr BitMask& operator&=(const BitMask& other) {
        for (unsigned w = 0; w < kWords; ++w)
            words_[w] &= other.words_[w];
        return *this;
    }
    [[nodiscard]] friend constexpr BitMask operator|(BitMask a, const BitMask& b) {
        return a |= b;
    }
    [[nodiscard]] friend constexpr BitMask operator&(BitMask a, const BitMask& b) {
        return a &= b;
    }
    [[nodiscard]] constexpr BitMask operator~() const {
        BitMask out;
        for (unsigned w = 0; w < kWords; ++w)
            out.words_[w] = ~words_[w];
        return out;
    }
    bool operator==(const BitMask&) const = default;

private:
    [[nodiscard]] static constexpr unsigned word_of(unsigned i) {
        return kWords == 1 ? 0 : i / 64;
    }

    std::array<std::uint64_t, kWords> words_{};
};

} // namespace heddle
