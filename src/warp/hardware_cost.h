// What a mechanism costs in hardware.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::warp {

struct HardwareCost {
    std::string structure; // "warp pool"
    std::uint64_t entries = 0;
    std::uint64_t bits = 0; // of an entry
    std::string source;     // "DWF07 Table 1"
    std::string note;       // what an entry holds, what is assumed
    double mm2 = 0;         // 0: no paper gives an area
};

} // namespace heddle::warp
