// The line and the set of a cache that an address belongs to.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "base/types.h"

namespace heddle::mem {

class SetIndex {
public:
    // `line`: bytes of a line; both numbers are powers of two. `hashed`: the set is the exclusive or of all groups of
    // index bits above the line, not the lowest group.
    SetIndex(std::uint64_t line, std::uint64_t sets, bool hashed)
        : line_shift_(static_cast<unsigned>(std::countr_zero(line))), set_mask_(sets - 1),
          set_bits_(static_cast<unsigned>(std::bit_width(set_mask_))), hashed_(hashed) {
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
        if (hashed_)
            for (Address rest = number >> set_bits_; rest != 0 && set_bits_ != 0; rest >>= set_bits_)
                number ^= rest;
        return static_cast<unsigned>(number & set_mask_);
    }

private:
    unsigned line_shift_;
    std::uint64_t set_mask_;
    unsigned set_bits_;
    bool hashed_;
};

} // namespace heddle::mem
