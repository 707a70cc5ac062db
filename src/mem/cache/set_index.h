// The line and the set of a cache that an address belongs to.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <string_view>

#include "base/types.h"

namespace heddle::mem {

// How the bits of an address above its line make a set.
enum class SetHash : std::uint8_t {
    Linear, // the lowest group of index bits
    Xor,    // the exclusive or of all groups of index bits
    Fermi,  // as the L1 of a Fermi GPU, 32 or 64 sets of lines of 128 bytes (Nugteren et al., HPCA 2014): the lowest
            // group, whose five lowest bits are changed by bits 6, 7, 8, 10 and 12 of the line number. Of other shapes
            // it is assumed to be the same.
};
// By the value of a cache's `index`.
[[nodiscard]] constexpr SetHash set_hash(std::string_view index) {
    if (index == "fermi")
        return SetHash::Fermi;
    return index == "hashed" ? SetHash::Xor : SetHash::Linear;
}

class SetIndex {
public:
    // `line`: bytes of a line; both numbers are powers of two.
    SetIndex(std::uint64_t line, std::uint64_t sets, SetHash hash)
        : line_shift_(static_cast<unsigned>(std::countr_zero(line))), set_mask_(sets - 1),
          set_bits_(static_cast<unsigned>(std::bit_width(set_mask_))), hash_(hash) {
        assert(std::has_single_bit(line) && std::has_single_bit(sets));
    }

    // The line of an address: its bits from there up.
    [[nodiscard]] unsigned line_shift() const {
        return line_shift_;
    }
    [[nodiscard]] unsigned sets() const {
        return static_cast<unsigned>(set_mask_ + 1);
    }
    [[nodiscard]] Address line_number(Address address) const {
        return address >> line_shift_;
    }
    // The first byte of a line.
    [[nodiscard]] Address address_of(Address line_number) const {
        return line_number << line_shift_;
    }
    [[nodiscard]] unsigned set_of(Address address) const {
        Address number = address >> line_shift_;
        if (hash_ != SetHash::Linear)
            number = hash_ == SetHash::Xor ? folded(number) : fermi(number);
        return static_cast<unsigned>(number & set_mask_);
    }

private:
    [[nodiscard]] Address folded(Address number) const {
        for (Address rest = number >> set_bits_; rest != 0 && set_bits_ != 0; rest >>= set_bits_)
            number ^= rest;
        return number;
    }
    [[nodiscard]] static Address fermi(Address number) {
        return number ^ ((number >> 6 & 7) | (number >> 10 & 1) << 3 | (number >> 12 & 1) << 4);
    }

    unsigned line_shift_;
    std::uint64_t set_mask_;
    unsigned set_bits_;
    SetHash hash_;
};

} // namespace heddle::mem
