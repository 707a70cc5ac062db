// Addresses in the shared memory of a cluster (.shared::cluster). The bits from kRankShift on are the number of a block
// in its cluster (its rank) plus 1, or 0 for the thread's own block; those below are an offset in the block's shared
// memory. So an address of .shared is one of .shared::cluster, too; in the thread of another block it means that
// block's memory. An address with a number (of mapa) means the same memory in all threads of the cluster.
#pragma once

#include "base/types.h"

namespace heddle::ir {

inline constexpr unsigned kRankShift = 24, kRankBits = 8;
inline constexpr Address kOffsetInBlock = (Address{1} << kRankShift) - 1;

} // namespace heddle::ir
