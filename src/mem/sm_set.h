// A set of SMs. Operations touch only the words in use: a device of up to 64 SMs pays for one.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "base/types.h"

namespace heddle::mem {

class SmSet {
public:
    static constexpr unsigned kCapacity = 1024;

    SmSet() = default; // never holds one
    // Of SMs below `sms`, at most kCapacity; empty.
    explicit SmSet(unsigned sms) : words_((sms + 63) / 64) {
        assert(sms <= kCapacity);
        clear();
    }
    SmSet(unsigned sms, std::initializer_list<unsigned> members) : SmSet(sms) {
        for (const unsigned sm : members)
            insert(sm);
    }
    // Of SMs below 64 * words.size(): bit i of word w stands for SM 64 w + i.
    explicit SmSet(std::span<const std::uint64_t> words) : words_(static_cast<unsigned>(words.size())) {
        for (unsigned w = 0; w < words_; ++w)
            bits_[w] = words[w];
    }
    SmSet(const SmSet& other) : SmSet(std::span(other.bits_).first(other.words_)) {}
    SmSet& operator=(const SmSet& other) {
        words_ = other.words_;
        for (unsigned w = 0; w < words_; ++w)
            bits_[w] = other.bits_[w];
        return *this;
    }

    [[nodiscard]] unsigned words() const {
        return words_;
    }
    [[nodiscard]] std::uint64_t word(unsigned w) const {
        return bits_[w];
    }
    void insert(unsigned sm) {
        assert(sm / 64 < words_);
        bits_[sm / 64] |= std::uint64_t{1} << (sm % 64);
    }
    void erase(unsigned sm) {
        assert(sm / 64 < words_);
        bits_[sm / 64] &= ~(std::uint64_t{1} << (sm % 64));
    }
    void clear() {
        for (unsigned w = 0; w < words_; ++w)
            bits_[w] = 0;
    }
    // All SMs below `sms`.
    void fill(unsigned sms) {
        for (unsigned sm = 0; sm < sms; ++sm)
            insert(sm);
    }
    [[nodiscard]] bool contains(unsigned sm) const {
        return sm / 64 < words_ && ((bits_[sm / 64] >> (sm % 64)) & 1) != 0;
    }
    [[nodiscard]] bool empty() const {
        std::uint64_t all = 0;
        for (unsigned w = 0; w < words_; ++w)
            all |= bits_[w];
        return all == 0;
    }
    [[nodiscard]] unsigned count() const {
        unsigned sum = 0;
        for (unsigned w = 0; w < words_; ++w)
            sum += count_lanes(bits_[w]);
        return sum;
    }
    // Calls f(sm) for each, in ascending order.
    template <class F>
    void for_each(F&& f) const {
        for (unsigned w = 0; w < words_; ++w)
            for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1)
                f(64 * w + static_cast<unsigned>(std::countr_zero(word)));
    }
    SmSet& operator|=(const SmSet& other) {
        assert(words_ == other.words_);
        for (unsigned w = 0; w < words_; ++w)
            bits_[w] |= other.bits_[w];
        return *this;
    }
    [[nodiscard]] bool operator==(const SmSet& other) const { // the same members
        for (unsigned w = 0; w < words_ || w < other.words_; ++w)
            if ((w < words_ ? bits_[w] : 0) != (w < other.words_ ? other.bits_[w] : 0))
                return false;
        return true;
    }

private:
    unsigned words_ = 0;
    std::array<std::uint64_t, kCapacity / 64> bits_; // the first words_ have a value
};

} // namespace heddle::mem
