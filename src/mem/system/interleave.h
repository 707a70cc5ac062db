// Which slice and which DRAM channel an address belongs to, and where in each it lies.
#pragma once

#include <bit>

#include "base/divider.h"
#include "mem/system/llc_config.h"

namespace heddle::mem {

class Interleave {
public:
    Interleave(const LlcConfig& llc, std::uint64_t channels)
        : shift_(static_cast<unsigned>(std::countr_zero(llc.interleave))), slices_(llc.slices),
          per_channel_(llc.slices / channels), hashed_(llc.slice_index == "hashed") {}

    // Each group of as many consecutive blocks as there are slices has one in every slice.
    [[nodiscard]] unsigned slice_of(Address address) const {
        const std::uint64_t block = address >> shift_;
        const std::uint64_t group = slices_.quotient(block);
        const std::uint64_t turn = block - group * slices_.divisor();
        return static_cast<unsigned>(hashed_ ? slices_.remainder(turn + shift_of(group)) : turn);
    }
    [[nodiscard]] unsigned channel_of(unsigned slice) const {
        return static_cast<unsigned>(per_channel_.quotient(slice));
    }
    // The address within its slice: what the slice holds, without gaps.
    [[nodiscard]] Address in_slice(Address address) const {
        return (slices_.quotient(address >> shift_) << shift_) | offset(address);
    }
    // The address within the channel, of an address in_slice(): what the channel's slices hold, without gaps.
    [[nodiscard]] Address in_channel(Address in_slice, unsigned slice) const {
        const std::uint64_t block = (in_slice >> shift_) * per_channel_.divisor() + per_channel_.remainder(slice);
        return (block << shift_) | offset(in_slice);
    }

    // The address that is in_slice() in the slice.
    [[nodiscard]] Address address_of(Address in_slice, unsigned slice) const {
        const std::uint64_t group = in_slice >> shift_;
        const std::uint64_t turn = slices_.remainder(slice + slices_.divisor() - shift_of(group));
        return ((group * slices_.divisor() + turn) << shift_) | offset(in_slice);
    }

private:
    // By how many slices the turns of a group are shifted.
    [[nodiscard]] std::uint64_t shift_of(std::uint64_t group) const {
        if (!hashed_)
            return 0;
        group ^= group >> 24;
        group ^= group >> 12;
        group ^= group >> 6;
        return slices_.remainder(group);
    }
    [[nodiscard]] Address offset(Address address) const {
        return address & ((Address{1} << shift_) - 1);
    }

    unsigned shift_;
    Divider slices_;
    Divider per_channel_;
    bool hashed_;
};

} // namespace heddle::mem
