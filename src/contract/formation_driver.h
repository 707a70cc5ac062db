// Drives a formation by hand: a core without time, whose outcomes a check or a test writes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/executor.h"
#include "exec/memory_image.h"
#include "formation/formation.h"

namespace heddle::formation {

class Driver {
public:
    explicit Driver(const std::string& name, unsigned width = 4, unsigned rows = 4,
                    std::vector<std::string> settings = {})
        : machine(config::Machine::defaults(settings)), executor(image),
          formation(formations().make(name, Shape{width, rows, rows}, machine)) {}

    // Lets the unit execute one micro-op, all groups of it at once; `fill` writes their outcomes.
    template <class Fill>
    void step(UnitId unit, const ir::MicroOp& op, Fill&& fill) {
        formation->units.eligible.erase(unit);
        std::vector<warp::Flight> flights;
        do {
            warp::Flight& flight = flights.emplace_back();
            formation->form(unit, op, executor, flight.group);
            flight.op = &op;
            flight.outcome.taken.fill(0);
            fill(flight);
            for (unsigned p = 0; p < flight.group.parts; ++p)
                flight.outcome.executed += static_cast<std::uint16_t>(count_lanes(flight.outcome.taken[p]));
        } while (!flights.back().group.last);
        for (const warp::Flight& flight : flights) {
            formation->returned(flight, 0);
            formation->advance(flight, 0);
        }
    }
    void next(UnitId unit) {
        step(unit, plain, [](warp::Flight&) {});
    }
    void branch(UnitId unit, Pc target, LaneMask taken, Pc reconvergence) {
        ir::MicroOp op;
        op.kind = ir::Kind::Branch;
        op.reconvergence = reconvergence;
        op.guard = 0;
        step(unit, op, [&](warp::Flight& flight) {
            warp::Outcome& o = flight.outcome;
            o.kind = warp::Outcome::Kind::Branch;
            o.target = target;
            o.taken[0] = taken;
        });
    }
    void exit(UnitId unit, LaneMask taken) {
        step(unit, of_kind(ir::Kind::Exit), [&](warp::Flight& flight) {
            warp::Outcome& o = flight.outcome;
            o.kind = warp::Outcome::Kind::Exit;
            o.taken[0] = taken;
        });
    }
    void barrier(UnitId unit, LaneMask taken) {
        step(unit, of_kind(ir::Kind::Barrier), [&](warp::Flight& flight) {
            warp::Outcome& o = flight.outcome;
            o.kind = warp::Outcome::Kind::Barrier;
            o.taken[0] = taken;
        });
    }

    // All its threads.
    void barrier(UnitId unit) {
        step(unit, of_kind(ir::Kind::Barrier), [&](warp::Flight& flight) {
            flight.outcome.kind = warp::Outcome::Kind::Barrier;
            for (unsigned p = 0; p < flight.group.parts; ++p)
                flight.outcome.taken[p] = flight.group.part[p].lanes;
        });
    }

    // Time passes until the formation has nothing more to do by itself.
    void settle() {
        for (Cycle now = 0; formation->wake != kNever; ++now)
            formation->tick(now);
    }
    [[nodiscard]] static ir::MicroOp of_kind(ir::Kind kind) {
        ir::MicroOp op;
        op.kind = kind;
        return op;
    }
    [[nodiscard]] Pc pc(UnitId unit) const {
        return formation->units.pc[unit];
    }
    [[nodiscard]] LaneMask lanes(UnitId unit) const {
        return formation->members(unit).front().lanes;
    }
    [[nodiscard]] bool eligible(UnitId unit) const {
        return formation->units.eligible.contains(unit);
    }
    [[nodiscard]] unsigned alive() const {
        return formation->units.alive.count();
    }

    config::Machine machine;
    exec::MemoryImage image{1 << 20};
    exec::Executor executor;
    std::unique_ptr<Formation> formation;
    ir::MicroOp plain;
};

} // namespace heddle::formation
