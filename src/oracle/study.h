// The saving of reconvergence at the best points over stack reconvergence, from the traces of a launch: DWF07 3.3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "probe/thread_traces.h"

namespace heddle::oracle {

inline constexpr std::uint32_t kBand = 256;

// Sums over warps.
struct Tally {
    std::uint64_t warps = 0, threads = 0;
    std::uint64_t thread_instructions = 0; // with true and false guards
    std::uint64_t pdom = 0;                // instructions that the warps issued
    std::uint64_t in_pairs = 0;            // in the order that alignment in pairs gives
    std::uint64_t oracle = 0;              // in the best order found
    std::uint64_t at_least = 0;            // no order needs fewer
    std::uint64_t best_warps = 0;          // whose order is proven to be the best there is
    std::uint64_t banded_warps = 0;        // where an alignment outside the band might have been better

    Tally& operator+=(const Tally& other);
};

struct LaunchStudy {
    std::string kernel;
    Dim3 grid, block;
    bool cut = false;               // LaunchTrace::cut
    std::uint64_t basic_blocks = 0; // that were executed
    std::vector<Tally> warps;
    Tally total;
};

[[nodiscard]] LaunchStudy study(const probe::LaunchTrace& launch, std::uint32_t band = kBand);

} // namespace heddle::oracle
