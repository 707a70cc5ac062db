// What a mechanism costs in hardware: one structure of an SM.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::cost {

// A structure that a paper names and gives no storage has no entries and no bits: its note says what it is.
struct HardwareCost {
    std::string structure; // "warp pool"
    std::uint64_t entries = 0;
    std::uint64_t bits = 0;     // of an entry
    std::string source;         // "DWF07 Table 1"; begins with "assumed" where entries or bits are in no paper
    std::string note;           // what an entry holds, what is assumed
    double mm2 = 0;             // that the paper gives; 0: none
    std::uint64_t mm2_bits = 0; // of the whole structure in the paper, when the machine's may have others; 0: mm2 holds
                                // as it is
    bool compared = false;      // what another row is the difference of: the totals are without it

    [[nodiscard]] std::uint64_t total_bits() const {
        return entries * bits;
    }
    [[nodiscard]] bool is_assumed() const {
        return std::string_view(source).starts_with("assumed");
    }
    // Whether the area is not the paper's but in proportion to the bits.
    [[nodiscard]] bool is_scaled() const {
        return mm2_bits != 0 && total_bits() != mm2_bits;
    }
    [[nodiscard]] double area() const {
        return is_scaled() ? mm2 * static_cast<double>(total_bits()) / static_cast<double>(mm2_bits) : mm2;
    }
};

} // namespace heddle::cost
