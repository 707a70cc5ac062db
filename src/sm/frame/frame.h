// The state of an SM that all parts of a timed core model share: threads, barriers and blocks, the flights of
// instructions, the port to memory, the view of the schedulers.
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
    // `flights`: the most instructions in flight that keep a flight.
    Frame(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
          TraceSink trace, std::size_t flights);
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    // Whether the flight's unit is alive: not another unit with the same number.
    [[nodiscard]] bool unit_lives(const warp::Flight& flight) const {
        return units.alive.contains(flight.group.unit) && units.generation[flight.group.unit] == flight.generation;
    }
    // The flight's next PCs count now.
    void commit(const warp::Flight& flight, Cycle now) {
        block_ended |= contexts.commit(flight, now);
        if (flight.outcome.kind == warp::Outcome::Kind::Exit)
            count_warps(now + 1);
        if (flight.outcome.kind == warp::Outcome::Kind::Barrier && unit_lives(flight))
            at_barrier.insert(flight.group.unit);
    }
    // Whether threads are left although nothing is on its way for them. Threads of other SMs may complete the barrier
    // of a cluster.
    [[nodiscard]] bool stands_still() const {
        return memory.outstanding() == 0 && contexts.blocks.resident() != 0 && !contexts.waits_for_clusters();
    }
    // Opens flight number `f`.
    warp::Flight& open_flight(warp::FlightId f) {
        warp::Flight& flight = flights.use(f);
        flight.id = f;
        return flight;
    }
    // Executes a formed group of a flight. Its access to memory is then in `access`.
    void execute(warp::Flight& flight, Cycle now) {
        flight.lines_left = 0;
        contexts.execute(flight, now, access);
        progress[flight.group.unit] += flight.group.threads;
    }

    // Counts the warps that were resident up to cycle now - 1, and looks how many are from `now` on. To be called when
    // their number may have changed.
    void count_warps(Cycle now);

    // Records events in a timeline from now on.
    void record(probe::Timeline& to);
    // Records that units wait no longer for instructions, except units for which still_waits(unit) is true.
    template <class Waits>
    void record_fill(Cycle now, Waits&& still_waits) {
        timeline->units.waiting(probe::Activity::Instructions).for_each([&](UnitId unit) {
            if (!still_waits(unit))
                timeline->units.goes_on(unit, probe::Activity::Instructions, now);
        });
    }
    // Records that a unit begins or ends to wait for memory: its next instruction needs a result of a long operation,
    // or its stores, fence or atomic operation is not answered.
    void record_memory_wait(UnitId unit, bool waits) {
        if (timeline == nullptr) [[likely]]
            return;
        if (waits)
            timeline->units.waits(unit, probe::Activity::Memory, clock);
        else
            timeline->units.goes_on(unit, probe::Activity::Memory, clock);
    }

    ThreadContexts contexts;
    formation::Formation& formation;
    warp::UnitTable& units;
    MemoryPort memory;
    SlotArray<warp::Flight> flights; // made when the core first opens it: open_flight()
    exec::Access access;             // of the instruction that has executed last

    UnitSet long_wait;  // units with a flight that was put aside by a first-level miss
    UnitSet at_barrier; // units that came to a barrier and were not picked since
    std::vector<std::uint64_t> progress;
    warp::View view;

    bool block_ended = false;
    Cycle clock = 0; // the first cycle that has not been simulated
    TraceSink trace;
    probe::Timeline* timeline = nullptr; // null: nothing is recorded
    Cycle sample_due = kNever;           // the first cycle before which a sample has to be taken

private:
    Cycle warps_counted_ = 0; // up to this cycle
    unsigned warps_ = 0;      // resident from there on
};

} // namespace heddle::sm
