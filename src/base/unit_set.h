// A set of issue units as a bit mask. Operations touch only the words in use: a core of 32 warps pays for one word, one
// of 1024 threads for sixteen. The words of most machines lie in the set itself, so that sets side by side share lines
// of the host's cache.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <memory>

#include "base/select.h"
#include "base/types.h"

namespace heddle {

class UnitSet {
public:
    static constexpr unsigned kCapacity = 4096;

    UnitSet() = default;
    explicit UnitSet(unsigned units) : words_((units + 63) / 64) {
        assert(units <= kCapacity);
        place();
    }
    UnitSet(const UnitSet& other) : words_(other.words_) {
        place();
        std::copy_n(other.bits_, words_, bits_);
    }
    UnitSet& operator=(const UnitSet& other) {
        if (this != &other) {
            words_ = other.words_;
            place();
            std::copy_n(other.bits_, words_, bits_);
        }
        return *this;
    }

    [[nodiscard]] unsigned words() const {
        return words_;
    }
    [[nodiscard]] std::uint64_t word(unsigned i) const {
        return bits_[i];
    }
    std::uint64_t& word(unsigned i) {
        return bits_[i];
    }

    void insert(UnitId u) {
        bits_[u / 64] |= std::uint64_t{1} << (u % 64);
    }
    void erase(UnitId u) {
        bits_[u / 64] &= ~(std::uint64_t{1} << (u % 64));
    }
    void put(UnitId u, bool member) {
        if (member)
            insert(u);
        else
            erase(u);
    }
    [[nodiscard]] bool contains(UnitId u) const {
        return (bits_[u / 64] >> (u % 64)) & 1;
    }
    [[nodiscard]] bool empty() const {
        for (unsigned i = 0; i < words_; ++i)
            if (bits_[i] != 0)
                return false;
        return true;
    }
    [[nodiscard]] unsigned count() const {
        unsigned n = 0;
        for (unsigned i = 0; i < words_; ++i)
            n += static_cast<unsigned>(std::popcount(bits_[i]));
        return n;
    }
    // The smallest member that is not below `from`; kNoUnit if there is none.
    [[nodiscard]] UnitId first_from(unsigned from) const {
        unsigned i = from / 64;
        if (i >= words_)
            return kNoUnit;
        std::uint64_t w = bits_[i] & (~std::uint64_t{0} << (from % 64));
        while (w == 0) {
            if (++i >= words_)
                return kNoUnit;
            w = bits_[i];
        }
        return static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(w)));
    }
    [[nodiscard]] UnitId first() const {
        return first_from(0);
    }
    // The first member after `u` in cyclic order, `u` itself last; kNoUnit if the set is empty.
    [[nodiscard, gnu::always_inline]] UnitId next_after(UnitId u) const {
        if (words_ == 1) [[likely]] { // whether one is behind `u` is anybody's guess: no branch
            const std::uint64_t behind = bits_[0] & (~std::uint64_t{1} << (u % 64));
            const std::uint64_t w = select(behind != 0, behind, bits_[0]);
            return w != 0 ? static_cast<UnitId>(std::countr_zero(w)) : kNoUnit;
        }
        const UnitId next = first_from(static_cast<unsigned>(u) + 1);
        return next != kNoUnit ? next : first();
    }

    template <class F>
    void for_each(F&& f) const {
        for (unsigned i = 0; i < words_; ++i)
            for (std::uint64_t w = bits_[i]; w != 0; w &= w - 1)
                f(static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(w))));
    }

private:
    static constexpr unsigned kFew = 2;

    // All words are empty then.
    void place() {
        few_ = {};
        many_.reset(words_ <= kFew ? nullptr : new std::uint64_t[words_]());
        bits_ = many_ ? many_.get() : few_.data();
    }

    std::array<std::uint64_t, kFew> few_{};
    std::uint64_t* bits_ = few_.data();
    unsigned words_ = 0;
    std::unique_ptr<std::uint64_t[]> many_;
};

} // namespace heddle
