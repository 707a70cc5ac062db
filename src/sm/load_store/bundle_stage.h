// A bundle: threads with different PCs that share a place of the pipeline (mimd), served by the load/store unit.
//
// Every memory serves the threads of a bundle in parallel. The bundle stays in the load/store unit for as many cycles
// as the memory with the most work takes (assumed):
//   caches    a port slot for each line and kind of access. It serves all threads that read the line, or all that
//             write it, or all that do atomic operations on it. A banked data cache has as many slots in a cycle as
//             are needed to look all lines up while its words are served.
//             Texels of several lines take a port slot for each line, which serves one thread.
//   banks     a cycle for each distinct word of the bank with the most words; in shared memory another for each
//             atomic operation
//   private   each home lane has a bank, which takes a cycle for each word
// A thread only waits for its own line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

// The lines of the bundle that is in the load/store unit.
struct Bundle {
    enum class Kind : std::uint8_t { Load, Store, Atomic, Constant, Texels };

    bool open = false; // has begun in the load/store unit
    std::uint8_t lines = 0;
    std::uint8_t next = 0; // index of the next line to look up
    std::uint8_t per_cycle = 1;
    std::uint16_t bank_cycles = 0;                    // cycles left
    std::array<warp::FlightId, kMaxWidth> head, tail; // by line: the first thread, which requests it; the last
    std::array<Address, kMaxWidth> key;               // by line: its number and the kind of access

    [[nodiscard]] static Address key_of(Address line, Kind kind) {
        return line << kKindBits | static_cast<Address>(kind);
    }
    // The index of a line; `lines` when no thread accesses it.
    [[nodiscard]] unsigned find(Address wanted) const {
        const auto end = key.begin() + lines;
        if (lines != 0 && end[-1] == wanted) // most neighbouring threads access one line
            return lines - 1U;
        return static_cast<unsigned>(std::find(key.begin(), end, wanted) - key.begin());
    }
    [[nodiscard]] bool has(Kind kind) const {
        return std::any_of(key.begin(), key.begin() + lines,
                           [&](Address k) { return k % (1U << kKindBits) == static_cast<Address>(kind); });
    }
    static constexpr unsigned kKindBits = 3;
};

// Serves bundles instead of LoadStoreUnit::prepare() and step(), with the caches of the unit.
class BundleStage {
public:
    explicit BundleStage(LoadStoreUnit& unit) : unit_(unit) {}

    // Prepares a thread of a bundle, whether it accesses memory or not; for a fence, before prepare_fence(). `block`:
    // the slot of the thread's block.
    void prepare(const warp::Flight& flight, const exec::Access& access, unsigned block);
    // One cycle of the bundle whose first flight is `first`.
    LoadStoreUnit::Step step(warp::FlightId first, Cycle now);

private:
    void open(warp::FlightId first);
    void merge_line(warp::FlightId flight);
    void prepare_line(warp::FlightId head);
    void count(unsigned data_cycles, unsigned shared_cycles, unsigned private_cycles);
    [[gnu::noinline]] void profile(warp::FlightId first);
    void close(warp::FlightId first);

    LoadStoreUnit& unit_;
    Bundle bundle_;
};

} // namespace heddle::sm
