// Drives a formation by hand: a core without time, whose outcomes the test writes.
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

    // Lets the unit execute one micro-op whose outcome `fill` writes; its next PC counts at once.
    template <class Fill>
    void step(UnitId unit, const ir::MicroOp& op, Fill&& fill) {
        warp::Flight flight;
        formation->units.eligible.erase(unit);
        formation->form(unit, op, executor, flight.group);
        flight.op = &op;
        flight.outcome.taken.fill(0);
        fill(flight.outcome);
        formation->returned(flight);
        formation->advance(flight, 0);
    }
    void next(UnitId unit) {
        step(unit, plain, [](warp::Outcome&) {});
    }
    void branch(UnitId unit, Pc target, LaneMask taken, Pc reconvergence) {
        ir::MicroOp op;
        op.kind = ir::Kind::Branch;
        op.reconvergence = reconvergence;
        step(unit, op, [&](warp::Outcome& o) {
            o.kind = warp::Outcome::Kind::Branch;
            o.target = target;
            o.taken[0] = taken;
        });
    }
    void exit(UnitId unit, LaneMask taken) {
        step(unit, plain, [&](warp::Outcome& o) {
            o.kind = warp::Outcome::Kind::Exit;
            o.taken[0] = taken;
        });
    }
    void barrier(UnitId unit, LaneMask taken) {
        step(unit, plain, [&](warp::Outcome& o) {
            o.kind = warp::Outcome::Kind::Barrier;
            o.taken[0] = taken;
        });
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
