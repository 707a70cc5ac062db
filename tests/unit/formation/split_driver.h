// Drives the warp-splits of maws in the place of a core: accesses that hit, miss or do both.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "contract/formation_driver.h"
#include "formation/maws_units.h"
#include "stats/snapshot.h"

namespace heddle::formation {

class SplitDriver : public Driver {
public:
    static constexpr UnitId kNone = kNoUnit;

    SplitDriver(unsigned width, const std::vector<warp::Part>& rows, const std::vector<std::string>& settings = {})
        : Driver("maws", width, 4, settings) {
        program.ops.resize(64);
        load = of_kind(ir::Kind::Load);
        formation->add_statistics(tree);
        formation->use(program);
        formation->launch(0, rows, 0);
    }

    // The program has a conditional branch at `pc`.
    void branch_at(Pc pc, Pc target, Pc reconvergence) {
        ir::MicroOp& op = program.ops[pc];
        op = of_kind(ir::Kind::Branch);
        op.guard = 0;
        op.target = target;
        op.reconvergence = reconvergence;
    }
    // The unit executes the branch at which it stands.
    void branch(UnitId unit, LaneMask taken) {
        const ir::MicroOp& op = program.ops[pc(unit)];
        step(unit, op, [&](warp::Flight& flight) {
            flight.outcome.kind = warp::Outcome::Kind::Branch;
            flight.outcome.target = op.target;
            flight.outcome.taken[0] = taken;
        });
    }
    // So many instructions that access no memory; the count of the last (MAWS 5.4).
    std::uint64_t run(UnitId unit, unsigned instructions = 1) {
        std::uint64_t order = 0;
        for (unsigned i = 0; i < instructions; ++i)
            step(unit, plain, [&](const warp::Flight& flight) { order = formation->order_of(flight.group); });
        return order;
    }

    // The unit executes an access, in which the threads in `hit` hit. Where some miss, its flight waits until back(),
    // and run_ahead() decides on its division. Returns the run-ahead unit; kNone when there is none.
    UnitId access(UnitId unit, LaneMask hit, Cycle now = 0) {
        warp::Flight flight;
        flight.id = next_id_++;
        formation->units.eligible.erase(unit);
        formation->form(unit, load, executor, flight.group);
        flight.op = &load;
        flight.outcome.kind = warp::Outcome::Kind::Memory;
        flight.hit[0] = hit & flight.group.part[0].lanes;
        last = flight.id;
        if (flight.hit[0] == flight.group.part[0].lanes) {
            finish(flight, now);
            return kNone;
        }
        UnitId ran = kNone;
        if (flight.hit[0] != 0 && formation->run_ahead(flight))
            ran = divide(flight, now);
        formation->put_aside(flight, now);
        waiting.emplace(flight.id, flight);
        return ran;
    }
    // The same on a core whose units go on while their accesses are under way: the unit executes the load, and its next
    // PC counts.
    warp::Flight load_and_go_on(UnitId unit) {
        warp::Flight flight;
        flight.id = next_id_++;
        flight.committed = true;
        flight.generation = formation->units.generation[unit];
        formation->units.eligible.erase(unit);
        formation->form(unit, load, executor, flight.group);
        flight.op = &load;
        flight.outcome.kind = warp::Outcome::Kind::Memory;
        formation->advance(flight, 0);
        return flight;
    }
    // It is looked up: the threads in `hit` hit. The run-ahead unit; kNone when there is none.
    UnitId look_up(warp::Flight flight, LaneMask hit, Cycle now = 0) {
        flight.hit[0] = hit & flight.group.part[0].lanes;
        std::optional<warp::Flight> ahead;
        if (formation->run_ahead(flight))
            ahead = part(flight);
        formation->put_aside(flight, now);
        waiting.emplace(flight.id, flight);
        last = flight.id;
        if (!ahead)
            return kNone;
        finish(*ahead, now);
        return ahead->group.unit;
    }
    // The data of a flight that waits have come.
    void back(warp::FlightId id, Cycle now = 0) {
        const warp::Flight flight = waiting.at(id);
        waiting.erase(id);
        finish(flight, now);
    }
    // No unit can execute: the flight that is divided, kNoFlight when none is.
    warp::FlightId starve(Cycle now = 0) {
        const warp::FlightId id = formation->starved();
        if (id != warp::kNoFlight)
            divide(waiting.at(id), now);
        return id;
    }

    [[nodiscard]] bool boosted(UnitId unit) const {
        return formation->units.boosted.contains(unit);
    }
    [[nodiscard]] std::uint32_t hint(UnitId unit) const {
        return miss_free_cycles_left(formation->units, unit);
    }
    [[nodiscard]] std::vector<UnitId> units() const {
        std::vector<UnitId> out;
        formation->units.alive.for_each([&](UnitId u) { out.push_back(u); });
        return out;
    }
    [[nodiscard]] std::uint64_t counter(const std::string& name) const {
        return tree.snapshot().counter("maws." + name);
    }

    ir::Program program;
    ir::MicroOp load;
    std::map<warp::FlightId, warp::Flight> waiting;
    warp::FlightId last = warp::kNoFlight; // of the last access
    stats::Tree tree;

private:
    void finish(const warp::Flight& flight, Cycle now) {
        formation->returned(flight, now);
        if (!flight.committed)
            formation->advance(flight, now);
    }
    // What a core does: `behind` keeps the threads that missed, the others get a flight of their own.
    UnitId divide(warp::Flight& behind, Cycle now) {
        const warp::Flight ahead = part(behind);
        finish(ahead, now);
        return ahead.group.unit;
    }
    warp::Flight part(warp::Flight& behind) {
        warp::Flight ahead = behind;
        ahead.id = next_id_++;
        const auto keep = [](warp::Flight& flight, LaneMask lanes) {
            flight.group.part[0].lanes = lanes;
            flight.group.threads = static_cast<std::uint16_t>(count_lanes(lanes));
        };
        keep(ahead, behind.hit[0]);
        keep(behind, behind.group.part[0].lanes & ~behind.hit[0]);
        behind.hit[0] = 0;
        formation->divided(ahead, behind);
        return ahead;
    }

    warp::FlightId next_id_ = 0;
};

} // namespace heddle::formation
