// Which slice and which DRAM channel an address belongs to, and where in each it lies. Consecutive slices share a
// channel; or a slice has several channels with consecutive numbers, to which its blocks go in turn, in an order that
// depends on higher address bits unless the slices take turns in the same order throughout.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "base/divider.h"
#include "mem/system/llc_config.h"

namespace heddle::mem {

class Interleave {
public:
    Interleave(const LlcConfig& llc, std::uint64_t channels)
        : shift_(static_cast<unsigned>(std::countr_zero(llc.interleave))), slices_(llc.slices),
          per_channel_(std::max<std::uint64_t>(llc.slices / channels, 1)),
          per_slice_(std::max<std::uint64_t>(channels / llc.slices, 1)), hashed_(llc.slice_index == "hashed"),
          polynomial_(llc.slice_index == "ipoly") {
        if (polynomial_)
            residues_ = residues(static_cast<unsigned>(std::countr_zero(llc.slices)));
    }

    // Each group of as many consecutive blocks as there are slices has one in every slice.
    [[nodiscard]] unsigned slice_of(Address address) const {
        const std::uint64_t block = address >> shift_;
        const std::uint64_t group = slices_.quotient(block);
        const std::uint64_t turn = block - group * slices_.divisor();
        if (polynomial_) [[unlikely]]
            return static_cast<unsigned>(turn ^ residue(group));
        return static_cast<unsigned>(hashed_ ? slices_.remainder(turn + shift_of(group)) : turn);
    }
    // The channel of a slice; the first one of several.
    [[nodiscard]] unsigned channel_of(unsigned slice) const {
        return static_cast<unsigned>(per_channel_.quotient(slice) * per_slice_.divisor());
    }
    [[nodiscard]] unsigned channels_of_slice() const {
        return static_cast<unsigned>(per_slice_.divisor());
    }
    // Which one of a slice's channels an address in_slice() belongs to, from 0.
    [[nodiscard]] unsigned channel_in_slice(Address in_slice) const {
        const std::uint64_t block = in_slice >> shift_;
        const std::uint64_t round = per_slice_.quotient(block);
        const std::uint64_t turn = block - round * per_slice_.divisor();
        return static_cast<unsigned>(hashed_ || polynomial_ ? per_slice_.remainder(turn + fold(round)) : turn);
    }
    // The address within its slice: what the slice holds, without gaps.
    [[nodiscard]] Address in_slice(Address address) const {
        return (slices_.quotient(address >> shift_) << shift_) | offset(address);
    }
    // The address within its channel, of an address in_slice(): what the channel holds, without gaps.
    [[nodiscard]] Address in_channel(Address in_slice, unsigned slice) const {
        const std::uint64_t block =
            per_slice_.quotient(in_slice >> shift_) * per_channel_.divisor() + per_channel_.remainder(slice);
        return (block << shift_) | offset(in_slice);
    }

    // The address that is in_slice() in the slice.
    [[nodiscard]] Address address_of(Address in_slice, unsigned slice) const {
        const std::uint64_t group = in_slice >> shift_;
        if (polynomial_)
            return ((group * slices_.divisor() + (slice ^ residue(group))) << shift_) | offset(in_slice);
        const std::uint64_t turn = slices_.remainder(slice + slices_.divisor() - shift_of(group));
        return ((group * slices_.divisor() + turn) << shift_) | offset(in_slice);
    }

private:
    // By how many slices the turns of a group are shifted.
    [[nodiscard]] std::uint64_t shift_of(std::uint64_t group) const {
        if (!hashed_)
            return 0;
        return slices_.remainder(fold(group));
    }
    [[nodiscard]] static std::uint64_t fold(std::uint64_t number) {
        number ^= number >> 24;
        number ^= number >> 12;
        return number ^ number >> 6;
    }
    // The remainders of x^k, x^(k+1), ... by a primitive polynomial over GF(2) of degree k (Rau, ISCA 1991).
    [[nodiscard]] static std::vector<std::uint16_t> residues(unsigned k) {
        // The polynomials without their highest term, by degree.
        constexpr std::uint16_t kPolynomials[] = {0, 1, 3, 3, 3, 5, 3, 3, 0x1d, 0x11, 9};
        std::vector<std::uint16_t> out;
        std::uint32_t power = kPolynomials[k];
        for (unsigned bit = 0; bit < 64; ++bit) {
            out.push_back(static_cast<std::uint16_t>(power));
            power <<= 1;
            if ((power >> k & 1) != 0)
                power = (power ^ kPolynomials[k]) & ((1U << k) - 1);
        }
        return out;
    }
    [[nodiscard]] std::uint64_t residue(std::uint64_t group) const {
        std::uint64_t out = 0;
        for (; group != 0; group &= group - 1)
            out ^= residues_[static_cast<std::size_t>(std::countr_zero(group))];
        return out;
    }
    [[nodiscard]] Address offset(Address address) const {
        return address & ((Address{1} << shift_) - 1);
    }

    unsigned shift_;
    Divider slices_;
    Divider per_channel_; // slices
    Divider per_slice_;   // channels
    bool hashed_, polynomial_;
    std::vector<std::uint16_t> residues_; // polynomial: of each bit of the group
};

} // namespace heddle::mem
