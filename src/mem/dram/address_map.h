// Which bank and row a byte of a memory channel lies in, from a string that names every low address bit.
//
//   "RRRR_BBB_CCCC_B_CCCCCCCC"   most significant first: R row, B bank, C column; '_' and spaces are ignored
//
// The last character is address bit 0. The leading run of R takes all higher address bits, too. Bank and row numbers
// are made of their bits in the order in which they stand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace heddle::mem {

struct DramPlace {
    std::uint64_t row;
    unsigned bank;
};

class AddressMap {
public:
    // `mapping` has no problems(); "" puts consecutive rows in consecutive banks. `banks` and `row_bytes` are powers of
    // two.
    AddressMap(std::string_view mapping, std::uint64_t banks, std::uint64_t row_bytes);

    // What is wrong with a mapping, one message each: wrong letters, wrong counts of them, no R in front, or fewer than
    // `burst_bytes` in a row without a break.
    [[nodiscard]] static std::vector<std::string> problems(std::string_view mapping, std::uint64_t banks,
                                                           std::uint64_t row_bytes, std::uint64_t burst_bytes);

    // `address` counts the bytes of the channel from 0.
    [[nodiscard]] DramPlace place(Address address) const {
        return {gather(row_, address), static_cast<unsigned>(gather(bank_, address))};
    }

private:
    struct Run { // neighbouring address bits that are neighbours in the number, too
        unsigned shift;
        unsigned to;
        std::uint64_t mask; // after the shift
    };
    using Runs = std::vector<Run>;

    static Runs runs_of(char letter, std::string_view bits);
    static std::uint64_t gather(const Runs& runs, Address address) {
        std::uint64_t out = 0;
        for (const Run& run : runs)
            out |= ((address >> run.shift) & run.mask) << run.to;
        return out;
    }

    Runs row_;
    Runs bank_;
};

} // namespace heddle::mem
