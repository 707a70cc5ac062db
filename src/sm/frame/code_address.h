// Where code and the constants of operands lie. They have addresses of their own, so no DRAM row holds them and data.
#pragma once

#include "base/types.h"

namespace heddle::sm {

inline constexpr Address kCodeBase = 0x0400'0000'0000;     // of the instruction with PC 0
inline constexpr Address kConstantBase = 0x0500'0000'0000; // of c[0x0][0x0]: behind all code

// Of c[bank][offset], behind kConstantBase: a bank has 64 KiB.
constexpr std::uint32_t constant_offset(unsigned bank, Address offset) {
    return static_cast<std::uint32_t>((bank << 16) + offset);
}
inline constexpr unsigned kMemoryBank = 3; // what programs declare as constant

} // namespace heddle::sm
