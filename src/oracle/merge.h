// One order in which a warp issues the basic blocks of all its threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "oracle/align.h"

namespace heddle::oracle {

struct Issue {
    Block block;
    LaneMask threads; // that execute it together
    bool operator==(const Issue&) const = default;
};

using Order = std::vector<Issue>; // holds every thread's sequence, in its order

struct Merged {
    Order order; // the best found
    std::uint64_t instructions = 0;
    std::uint64_t in_pairs = 0; // of the order that alignment in pairs gives alone
    // A lower bound: an order has each block as often as the thread that executes it most often, and the alignment of
    // any two threads. An order with this number of instructions is optimal.
    std::uint64_t at_least = 0;
    bool in_band = true; // no alignment was kept from a better one by the band
};

// Threads with equal sequences go together, without loss. The other sequences are aligned in pairs, by the pairing with
// the largest saving; the results are aligned in pairs again, until one order is left. A sequence without a pair waits
// for the next round. For two different sequences the order is optimal. For more, each round takes its best pairing,
// without regard to the next round (DWF07 3.3 says only that all pair-wise alignments are searched).
//
// This order and `known`, another order of these threads (empty: none), are then improved: the threads of one sequence
// after the other are removed and aligned again with the rest, while a pass shortens the order by more than half a
// percent. The shorter of the two is the result.
[[nodiscard]] Merged merge(std::span<const Sequence> threads, const Order& known,
                           std::span<const std::uint32_t> weights, std::uint32_t band);

} // namespace heddle::oracle
