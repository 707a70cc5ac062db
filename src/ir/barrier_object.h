// The word of a barrier object in shared memory (mbarrier), of 64 bits. PTX leaves its layout open. In heddle it is
//   bits 0 to 19   pending arrivals of the phase
//   bits 20 to 39  expected arrivals of a phase
//   bits 40 to 61  bytes that are still expected in the phase (tx-count), a signed number
//   bit 63         the parity of the phase, which changes when nothing is pending and no bytes are expected
// PTX names arrivals up to 2^20 - 1. Chips before sm_90, whose objects have no tx-count, take up to 2^29 - 1, and
// CUDA's cuda_awbarrier.h counts on that. An object for so many has bit 62 set:
//   bits 0 to 29   pending arrivals of the phase
//   bits 30 to 59  expected arrivals of a phase
// An arrival, or a change of the tx-count, is an atomic operation on the word (exec/atomics.cpp). Its operand has the
// change of the tx-count in the low half, the arrivals in the high half. The old value of the word is the state that
// the instruction returns.
#pragma once

#include <cstdint>

namespace heddle::ir::barrier_object {

inline constexpr unsigned kCountBits = 20, kManyBits = 30; // of a number of arrivals, without and with kMany
inline constexpr unsigned kTxShift = 2 * kCountBits, kTxBits = 22;
inline constexpr std::uint64_t kMany = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kPhase = std::uint64_t{1} << 63;

// The largest number of so many bits.
[[nodiscard]] constexpr std::uint64_t mask(unsigned bits) {
    return (std::uint64_t{1} << bits) - 1;
}

} // namespace heddle::ir::barrier_object
