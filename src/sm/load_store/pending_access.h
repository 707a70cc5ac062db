// An access to memory from its execution until it waits for nothing more: what it has to do in the load/store unit, and
// how far it has come. There is one for each flight.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "exec/executor.h"
#include "ir/cache_operator.h"
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

struct alignas(64) PendingAccess { // its head and the first lines lie in one line of the host's cache
    enum class State : std::uint8_t {
        InUnit,  // prepared; its lines are looked up, its words served
        Waiting, // it has left the unit, and lines or stores of it are on their way
        Done,    // it has left the unit and waits for nothing
    };

    std::uint16_t lines = 0;
    std::uint16_t data_lines = 0; // of them, those of the data cache
    std::uint16_t next = 0;       // of `line`
    std::uint8_t per_cycle = 1;   // lines looked up in a cycle in which banks serve words
    std::uint16_t bank_cycles = 0;
    std::uint16_t latency = 1;
    std::uint8_t operations = 1; // atomics: most on one word
    bool store = false;
    bool atomic = false;
    bool fence = false;
    bool uncached = false; // a cache operator of it keeps lines out of the first level
    bool texels = false;   // through a texture or surface object: its lines are kept by the address unit
    UnitId unit = kNoUnit; // of the instruction, for the policies of caches
    Pc pc = kNoPc;
    State state = State::InUnit;
    mem::Level level = mem::Level::Llc; // of its lines that missed, the farthest that has answered
    StoreId sent = kNoStore;
    bool into_line = false; // a store into a line, which is open in the store table until it has the line
    warp::FlightId rider = warp::kNoFlight;     // of a bundle, the next thread on the same line: it waits as long
    std::array<Address, kMaxWidth> line;        // line numbers: of the data cache, then of the constant cache
    std::array<std::uint16_t, kMaxWidth> bytes; // that a store or atomic carries, by line; not set for loads
    ThreadAccess thread;                        // in a bundle

    void start(const warp::Flight& flight, const exec::Access& access) {
        unit = flight.group.unit;
        pc = flight.group.pc;
        uncached = ir::is_uncached(*flight.op);
        lines = data_lines = next = 0;
        per_cycle = 1;
        bank_cycles = 0;
        latency = 1;
        operations = 1;
        store = access.store;
        atomic = access.atomic;
        fence = texels = into_line = false;
        state = State::InUnit;
        level = mem::Level::Llc;
        sent = kNoStore;
        rider = warp::kNoFlight;
    }
    // A fence has nothing but stores to wait for.
    void start_fence() {
        lines = data_lines = next = 0;
        bank_cycles = 0;
        latency = 1;
        fence = true;
        into_line = false;
        state = State::InUnit;
    }
    // As the caches see line `index`, whose first byte is at `address`.
    [[nodiscard]] mem::CacheAccess look_up(unsigned index, Address address, mem::AccessKind kind, bool writes) const {
        return {.address = address, .pc = pc, .requester = unit, .kind = kind, .writes = writes, .first = index == 0};
    }
    // It leaves the unit; `waits`: something of it is on its way.
    void leave(bool waits) {
        state = waits ? State::Waiting : State::Done;
    }
};

} // namespace heddle::sm
