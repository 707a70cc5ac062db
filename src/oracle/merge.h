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
};

struct Merged {
    std::vector<Issue> order; // holds every thread's sequence in its order
    std::uint64_t instructions = 0;
    // No order issues fewer: what the two threads need that have least in common. An order of as many is the best.
    std::uint64_t at_least = 0;
    bool in_band = true; // no alignment was kept from a better one by the band
};

// Threads with the same sequence go together, which loses nothing. The others are aligned in pairs, by the pairing that
// saves most; what comes of them is aligned in pairs again, until one order is left. Who is in no pair waits for the
// next round. Of two different sequences the order is the best there is; of more, each round does its best and knows
// nothing of the next (DWF07 3.3 says no more than that all pair-wise alignments are searched).
[[nodiscard]] Merged merge(std::span<const Sequence> threads, std::span<const std::uint32_t> weights,
                           std::uint32_t band);

} // namespace heddle::oracle
