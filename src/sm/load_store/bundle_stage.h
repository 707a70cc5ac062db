// A bundle: threads at PCs of their own that share a place of the pipeline (mimd), served by the load/store unit.
//
// Every memory serves a bundle's threads side by side, and the bundle stays in the load/store unit as long as the
// busiest one takes (assumed):
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

#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

// The lines of the bundle that is in the load/store unit.
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

// Serves bundles in the place of LoadStoreUnit::prepare() and step(), on the unit's caches.
class BundleStage {
public:
    explicit BundleStage(LoadStoreUnit& unit) : unit_(unit) {}

    // For each thread of a bundle, before prepare_fence() if it is a fence, whether it accesses memory or not; `block`:
    // the slot of the thread's block.
    void prepare(const warp::Flight& flight, const exec::Access& access, unsigned block);
    // One cycle of the bundle whose first flight this is.
    LoadStoreUnit::Step step(warp::FlightId first, Cycle now);

private:
    void open(warp::FlightId first);
    void merge_line(warp::FlightId flight);
    void prepare_line(warp::FlightId head);
    void count(unsigned data_cycles, unsigned shared_cycles, unsigned private_cycles);
    void close(warp::FlightId first);

    LoadStoreUnit& unit_;
    Bundle bundle_;
};

} // namespace heddle::sm
