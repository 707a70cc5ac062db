// A bundle: threads at PCs of their own that share a place of the pipeline (mimd), and what they ask of the memories.
//
// Every memory serves a bundle's threads side by side, and the bundle stays in the memory stage as long as the busiest
// one takes (assumed):
//   caches    a port slot for each line and kind of access: all threads that read the line ride along, or all that
//             write it, or all that do atomic operations on it. A banked data cache as many slots side by side as
//             bring the look-ups to an end with its words
//             texels of several lines: a port slot each, which serves their thread alone
//   banks     a cycle for each distinct word of the busiest bank; shared memory another for each atomic operation
//   private   a bank a home lane, a cycle for each word
// A thread waits for its own line only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/types.h"
#include "warp/flight.h"

namespace heddle::sm {

// What one thread of a bundle accesses, kept from decode to the memory stage.
struct ThreadAccess {
    enum class Memory : std::uint8_t { None, Data, Constant, Texels, Shared, Private } memory = Memory::None;
    std::uint8_t lane = 0; // home lane
    std::uint8_t bytes = 0;
    Address address = 0;
};

// The lines of the bundle that is in the memory stage.
struct Bundle {
    enum class Kind : std::uint8_t { Load, Store, Atomic, Constant, Texels };

    bool open = false; // it has begun
    std::uint8_t lines = 0;
    std::uint8_t next = 0; // of them
    std::uint8_t per_cycle = 1;
    std::uint16_t bank_cycles = 0;                    // left
    std::array<warp::FlightId, kMaxWidth> head, tail; // by line: the first of its threads asks for all; the last one
    std::array<Address, kMaxWidth> key;               // by line: its number, and the kind of access

    [[nodiscard]] static Address key_of(Address line, Kind kind) {
        return line << kKindBits | static_cast<Address>(kind);
    }
    // The line's index; `lines` when no thread has asked for it.
    [[nodiscard]] unsigned find(Address wanted) const {
        const auto end = key.begin() + lines;
        if (lines != 0 && end[-1] == wanted) // neighbours mostly lie on one line
            return lines - 1U;
        return static_cast<unsigned>(std::find(key.begin(), end, wanted) - key.begin());
    }
    [[nodiscard]] bool has(Kind kind) const {
        return std::any_of(key.begin(), key.begin() + lines,
                           [&](Address k) { return k % (1U << kKindBits) == static_cast<Address>(kind); });
    }
    static constexpr unsigned kKindBits = 3;
};

} // namespace heddle::sm
