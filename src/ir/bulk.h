// Bulk copies as micro-ops of the opcode CpBulk (src/ir/selection/bulk.cpp makes them, exec/bulk_copy.h executes them).
// All addresses have 64 bits.
//   Texture           to shared memory: src[0] the address in shared memory; src[1] the source; src[2] bytes (u32); or,
//                     of a tensor, src[1] the map and src[2..] coordinates (s32; of four rows: the column, then the
//                     rows); src[kPacked] four numbers of 16 bits: the offsets of im2col, the multicast mask. Its bytes
//                     arrive at barrier objects by micro-ops of their own behind it, which have the flag kWithCopy
//   Surface, Atomic   from shared memory, a piece: src[0], [1], [2] as above; src[kPacked] the first byte of the piece
//   in
//                     shared memory (u32); Atomic: `sub` and `type` of the reduction
//   Special           dst[0] the bytes of a box (u32): src[1] the map
//   Nop               imm: kClosesGroup, or kWaits plus a number of groups; 0: without effect (a prefetch)
// imm of the others: dimensions of the tensor (0: bytes), and flags.
#pragma once

#include <cstdint>

namespace heddle::ir::bulk {

inline constexpr std::int64_t kRank = 7; // mask of the dimensions
inline constexpr std::int64_t kMulticast = 8;
inline constexpr std::int64_t kFromShared = 16;
inline constexpr std::int64_t kIm2col = 32;
inline constexpr std::int64_t kRows = 64;       // tile::gather4, tile::scatter4: four rows, by a coordinate each
inline constexpr std::int64_t kClosesGroup = 1; // cp.async.bulk.commit_group
inline constexpr std::int64_t kWaits = 2;       // cp.async.bulk.wait_group
inline constexpr unsigned kPacked = 7;          // place in MicroOp::src
inline constexpr std::uint32_t kPiece = 1024;   // bytes

} // namespace heddle::ir::bulk
