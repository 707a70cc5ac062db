// Errors that the checker has found: each once, with the number of its occurrences.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/types.h"
#include "check/history.h"

namespace heddle::check {

enum class Space : std::uint8_t { Global, Shared, Local };

enum class Kind : std::uint8_t {
    Race,               // two accesses without an order, at least one of them a write
    Uninitialised,      // a read of bytes that nothing has written
    BarrierInstruction, // threads of a block meet at one barrier by different instructions
    BarrierWarp,        // threads of a warp part at a barrier that they must execute together
    BarrierExited,      // threads wait at a barrier that others of the block have left out by exiting
    BarrierCount,       // threads of a barrier expect different numbers of threads, or more than there are
    BarrierStuck,       // threads wait at a barrier to which others never come
    WarpMask,           // a thread is no member of its own mask
    Leak,               // an allocation that was not freed
};

// Where a thread did something.
struct Place {
    Pc pc = kNoPc;
    std::uint32_t block = 0;  // of the grid, x fastest
    std::uint32_t thread = 0; // of the block, x fastest
    How how = How::Read;
    bool by_copy = false; // by an asynchronous copy of the thread
};

struct Finding {
    Kind kind = Kind::Race;
    Space space = Space::Global;
    std::uint64_t launch = 0;           // number of the first one's launch
    Address address = 0;                // device address, or offset in shared or local memory
    std::uint64_t bytes = 0;            // of the second access; of all such allocations
    Place first{};                      // none: pc is kNoPc
    Place second{};                     // the later one
    std::uint32_t number = 0;           // of a barrier
    std::uint32_t expected[2] = {0, 0}; // BarrierCount: threads that `first` and `second` expect
    std::uint64_t count = 1;
    std::string what{}; // Leak: the label
};

class Findings {
public:
    // The same error at the same instructions, in whatever order, is counted where it was found first.
    void add(const Finding& finding);
    [[nodiscard]] std::span<const Finding> all() const {
        return all_;
    }
    // Those since the last call.
    [[nodiscard]] std::span<const Finding> take_new();

private:
    using Key = std::tuple<Kind, Space, Pc, Pc, std::string>;

    std::vector<Finding> all_;
    std::map<Key, std::size_t> known_;
    std::size_t taken_ = 0;
};

} // namespace heddle::check
