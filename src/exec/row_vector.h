// Operations of memory instructions on the 32 lanes of a frame at once, for the best instruction set of this processor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.h"

namespace heddle::exec {

// The result of a pass over the addresses of a row, for the lanes in its mask.
struct AddressScan {
    bool good = false;        // all aligned and in the given range
    bool consecutive = false; // lane i is at (lane 0's address) + i * bytes
    bool uniform = false;     // all addresses equal
    Address first = 0;        // of the lowest lane
};

struct AddressQuery {
    const std::byte* base; // 32 values of 64 bits, or with `wide` false of 32, zero-extended; 64-byte aligned
    bool wide;
    std::uint8_t bytes; // that each lane accesses, a power of two; addresses must be multiples of it
    std::uint32_t mask; // not 0
    std::int64_t displacement;
    Address begin; // valid addresses are those with address - begin <= span
    Address span;
};

struct RowVectorOps {
    // Writes the addresses base[lane] + displacement to address[0..32) (inactive lanes: from the contents of their
    // registers).
    void (*scan)(const AddressQuery& query, Address* address, AddressScan& result);
    // Copies the lanes in `mask` of 32 values of 32 or 64 bits; `from` need not be aligned, all of it is read.
    void (*copy32)(std::byte* to, const std::byte* from, std::uint32_t mask);
    void (*copy64)(std::byte* to, const std::byte* from, std::uint32_t mask);
    void (*fill32)(std::byte* to, std::uint32_t value, std::uint32_t mask);
    void (*fill64)(std::byte* to, std::uint64_t value, std::uint32_t mask);
};

[[nodiscard]] const RowVectorOps& row_vector_ops();

} // namespace heddle::exec
