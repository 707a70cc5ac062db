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
    std::uint64_t in_pairs = 0; // of the order that aligning in pairs gives by itself
    // No order issues fewer: it holds each block as often as the thread that executes it most often, and what two
    // threads need together. An order of as many is the best.
    std::uint64_t at_least = 0;
    bool in_band = true; // no alignment was kept from a better one by the band
};

// Threads with the same sequence go together, which loses nothing. The others are aligned in pairs, by the pairing that
// saves most; what comes of them is aligned in pairs again, until one order is left. Who is in no pair waits for the
// next round. Of two different sequences that is the best order there is; of more, each round does its best and knows
// nothing of the next (DWF07 3.3 says no more than that all pair-wise alignments are searched).
//
// So the order is improved, and so is `known`, an order of the same threads (empty: none): the threads of one sequence
// after the other are taken out and aligned with the rest anew, as long as that shortens it by more than half a
// percent a pass. The shorter of the two counts.
[[nodiscard]] Merged merge(std::span<const Sequence> threads, const Order& known,
                           std::span<const std::uint32_t> weights, std::uint32_t band);

} // namespace heddle::oracle
