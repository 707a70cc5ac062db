// An access to memory from its execution until it waits for nothing more: its work in the load/store unit, and its
// progress. There is one for each flight.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "exec/executor.h"
#include "ir/cache_operator.h"
#include "mem/cache/tags.h"
#include "mem/request.h"
#include "sm/load_store/store_table.h"
#include "warp/flight.h"

namespace heddle::sm {

// What one thread of a bundle accesses (mimd, bundle_stage.h), kept from decode to the load/store unit.
struct ThreadAccess {
    enum class Memory : std::uint8_t { None, Data, Constant, Texels, Shared, Private } memory = Memory::None;
    std::uint8_t lane = 0; // home lane
    std::uint8_t bytes = 0;
    Address address = 0;
};

struct alignas(64) PendingAccess { // its head and first lines lie in one cache line of the host
    enum class State : std::uint8_t {
        InUnit,  // prepared; the unit serves its lines and words
        Waiting, // has left the unit; some of its lines or stores are on their way
        Done,    // has left the unit and waits for nothing
    };

    std::uint16_t lines = 0;
    std::uint16_t data_lines = 0; // of `lines`, those of the data cache
    std::uint16_t next = 0;       // index of the next line
    std::uint8_t per_cycle = 1;   // lines looked up in a cycle in which banks serve words
    std::uint16_t bank_cycles = 0;
    std::uint16_t latency = 1;
    std::uint8_t operations = 1; // atomics: the most operations on one word
    bool store = false;
    bool atomic = false;
    bool fence = false;
    bool acquire = false;  // no access: drops the lines of the data cache
    bool uncached = false; // a cache operator keeps its lines out of the first level
    bool texels = false;   // through a texture or surface object: the address unit keeps its lines
    UnitId unit = kNoUnit; // of the instruction, for the policies of caches
    Pc pc = kNoPc;
    State state = State::InUnit;
    mem::Level level = mem::Level::Llc; // the farthest level that has answered for one of its missing lines
    StoreId sent = kNoStore;
    bool into_line = false; // a store into a present line: open in the store table until the line is written
    warp::FlightId rider = warp::kNoFlight;     // in a bundle: the next thread on the same line, which waits for it too
    std::array<Address, kMaxWidth> line;        // line numbers: of the data cache, then of the constant cache
    std::array<std::uint16_t, kMaxWidth> bytes; // bytes of a store or atomic, by line; not set for loads
    std::array<mem::SectorMask, kMaxWidth> sectors; // by line of the data cache; only where it has sectors
    ThreadAccess thread;                            // only in a bundle

    void start(const warp::Flight& flight, const exec::Access& access) {
        reset(flight);
        store = access.store;
        atomic = access.atomic;
    }
    // A fence only waits for stores.
    void start_fence(const warp::Flight& flight) {
        reset(flight);
        fence = true;
    }
    void start_acquire(const warp::Flight& flight) {
        reset(flight);
        acquire = true;
    }
    // The look-up of line `index`, whose first byte is at `address`.
    [[nodiscard]] mem::CacheAccess look_up(unsigned index, Address address, mem::AccessKind kind, bool writes) const {
        return {.address = address, .pc = pc, .requester = unit, .kind = kind, .writes = writes, .first = index == 0};
    }
    // The access leaves the unit. `waits`: some of its lines or stores are on their way.
    void leave(bool waits) {
        state = waits ? State::Waiting : State::Done;
    }

private:
    // All fields but those that no line has yet (`line`, `bytes`), and `thread`, which BundleStage sets.
    void reset(const warp::Flight& flight) {
        unit = flight.group.unit;
        pc = flight.group.pc;
        uncached = ir::is_uncached(*flight.op);
        lines = data_lines = next = 0;
        per_cycle = 1;
        bank_cycles = 0;
        latency = 1;
        operations = 1;
        store = atomic = fence = acquire = texels = into_line = false;
        state = State::InUnit;
        level = mem::Level::Llc;
        sent = kNoStore;
        rider = warp::kNoFlight;
    }
};

} // namespace heddle::sm
