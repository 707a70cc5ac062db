// What memory instructions do to the 32 lanes of a frame at once, for the best instruction set of this processor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.h"

namespace heddle::exec {

// What is known of the addresses of the lanes in a mask.
struct AddressScan {
    Address min = 0;
    Address max = 0;
    Address bits = 0;         // enough of their bitwise or to check alignment
    bool consecutive = false; // lane i is at (lane 0's address) + i * bytes
    bool uniform = false;     // all the same
    Address first = 0;        // of the lowest lane in the mask
};

struct RowVectorOps {
    // Addresses base[lane] + displacement into address[0..32) (inactive lanes: whatever their registers give) and
    // what is known of them. `wide`: base is 64-bit lanes, else zero-extended 32-bit ones. mask is not 0; `bytes`, a
    // power of two, is what each lane accesses. Pointers are 64-byte aligned.
    void (*scan)(const std::byte* base, bool wide, std::int64_t displacement, std::uint32_t mask, unsigned bytes,
                 Address* address, AddressScan& result);
    // Copies the lanes in `mask` of 32 values of 32 or 64 bits; `from` need not be aligned, all of it is read.
    void (*copy32)(std::byte* to, const std::byte* from, std::uint32_t mask);
    void (*copy64)(std::byte* to, const std::byte* from, std::uint32_t mask);
    void (*fill32)(std::byte* to, std::uint32_t value, std::uint32_t mask);
    void (*fill64)(std::byte* to, std::uint64_t value, std::uint32_t mask);
    // Entries of exec::Access for all 32 lanes; none of the three need be aligned.
    void (*record)(Address* to, std::uint8_t* lanes, RowId* rows, const Address* address, unsigned first_lane,
                   RowId row);
};

[[nodiscard]] const RowVectorOps& row_vector_ops();

} // namespace heddle::exec
