// The frame of an SM whose core model knows time: its threads, their barriers and blocks, the flights of its
// instructions, its way to memory, and what schedulers see. Core models and their parts share it.
#pragma once

#include <vector>

#include "base/slot_array.h"
#include "probe/timeline.h"
#include "sm/frame/core.h"
#include "sm/frame/memory_port.h"
#include "sm/frame/thread_contexts.h"
#include "warp/view.h"

namespace heddle::sm {

struct Frame {
    // `flights`: instructions in flight at most that keep one.
    Frame(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
          TraceSink trace, std::size_t flights);
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    // The unit of a flight, not another with its number.
    [[nodiscard]] bool unit_lives(const warp::Flight& flight) const {
        return units.alive.contains(flight.group.unit) && units.generation[flight.group.unit] == flight.generation;
    }
    // The flight's next PCs count now.
    void commit(const warp::Flight& flight, Cycle now) {
        block_ended |= contexts.commit(flight, now);
        if (flight.outcome.kind == warp::Outcome::Kind::Barrier && unit_lives(flight))
            at_barrier.insert(flight.group.unit);
    }
    // Flight number `f` is opened.
    warp::Flight& open_flight(warp::FlightId f) {
        warp::Flight& flight = flights.use(f);
        flight.id = f;
        return flight;
    }
    // Executes a formed group of a flight; what it accesses is in `access`.
    void execute(warp::Flight& flight, Cycle now) {
        flight.lines_left = 0;
        contexts.execute(flight, now, access);
        progress[flight.group.unit] += flight.group.threads;
    }

    // Is told from now on what happens.
    void record(probe::Timeline& to);
    // Units that have waited for instructions until now, but those of which still_waits(unit) is true.
    template <class Waits>
    void record_fill(Cycle now, Waits&& still_waits) {
        timeline->units.waiting(probe::Activity::Instructions).for_each([&](UnitId unit) {
            if (!still_waits(unit))
                timeline->units.goes_on(unit, probe::Activity::Instructions, now);
        });
    }

    ThreadContexts contexts;
    formation::Formation& formation;
    warp::UnitTable& units;
    MemoryPort memory;
    SlotArray<warp::Flight> flights; // a core makes a flight when it first opens it: open_flight()
    exec::Access access;             // of the instruction that has executed last

    UnitSet long_wait;  // a flight of it is put aside by a first-level miss
    UnitSet at_barrier; // came to a barrier and were not picked since
    std::vector<std::uint64_t> progress;
    warp::View view;

    bool block_ended = false;
    Cycle clock = 0; // the first cycle that has not been simulated
    TraceSink trace;
    probe::Timeline* timeline = nullptr; // null: nothing is recorded
    Cycle sample_due = kNever;           // the first cycle that must not be simulated before a sample is taken
};

} // namespace heddle::sm
