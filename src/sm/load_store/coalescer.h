// The cache lines that a group of threads touches, and the conflicts of their accesses in the banks of an on-chip
// memory.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.h"

namespace heddle::sm {

// Writes the distinct lines (addresses >> line_shift) of up to 64 naturally aligned accesses to `lines`, in order of
// first appearance; returns their number.
unsigned distinct_lines(std::span<const Address> addresses, unsigned line_shift, Address* lines);

// Whether addresses of accesses of `bytes` each, which rise from one to the next or are all equal, leave no gap: their
// first and last tell it.
[[nodiscard]] inline bool have_no_gap(std::span<const Address> addresses, unsigned bytes) {
    const Address reach = addresses.back() - addresses.front();
    return reach == 0 || reach == (addresses.size() - 1) * bytes;
}

// Counts the accesses to each of the distinct lines, by index in `lines`.
void count_on_lines(std::span<const Address> addresses, unsigned line_shift, std::span<const Address> lines,
                    std::uint16_t* counts);

// Cycles that banked on-chip memory takes for up to 64 aligned accesses of `bytes` each, at most 16, or 256 of one
// word. This is the largest number of distinct words in one bank (threads that read one word share it). Words are 4
// bytes; word w lies in bank w % banks; there are at most 64 banks. `ascend`: offsets rise from one to the next, or are
// all equal; false where this is not known.
unsigned bank_cycles(std::span<const Address> offsets, unsigned bytes, unsigned banks, bool ascend = false);

// bank_cycles() for atomic operations, which do not share equal words.
unsigned atomic_bank_cycles(std::span<const Address> offsets, unsigned bytes, unsigned banks);

// The largest number of operations on one word among up to 64 atomic accesses.
unsigned most_on_one_word(std::span<const Address> addresses);

} // namespace heddle::sm
