// The formation contract: which threads make up an issue unit, their PCs, the SIMT stacks and split tables.
//
// A formation never decides when a unit issues (sched/ does) and never sees ports, hazards or caches (sm/ does). It is
// called at these moments only:
//
//   use         the program that the threads will run
//   launch      a block's threads arrive at their home rows
//   form        a picked unit is about to execute: which of its threads go in this slot
//   put_aside   a flight has left the pipeline to wait for memory
//   advance     the outcome of a group counts now (each core model fixes the moment)
//   returned    all data of a flight have been written
//   run_ahead, divided, starved   a flight with a partial hit may be divided (maws)
//   resume      threads that waited at a barrier or for their warp may go on
//   tick        time passes (compactors, table ports)
#pragma once

#include <memory>
#include <span>
#include <stdexcept>

#include "base/registry.h"
#include "base/types.h"
#include "config/parameter.h"
#include "cost/hardware_cost.h"
#include "exec/executor.h"
#include "formation/spin_watch.h"
#include "ir/program.h"
#include "stats/tree.h"
#include "warp/flight.h"
#include "warp/unit_table.h"

namespace heddle::formation {

struct Shape {
    unsigned width = 32; // lanes of a row
    unsigned rows = 32;  // home rows of the SM
    unsigned block_slots = 32;
};

// Siblings wait at a reconvergence point for a unit that makes no headway: a spin lock under stack reconvergence.
class Livelock : public std::runtime_error {
public:
    Livelock(UnitId unit, Pc spinning_pc, Pc waiting_pc, warp::Part waiting_threads, std::uint64_t count)
        : std::runtime_error("livelock"), unit(unit), spinning(spinning_pc), waiting(waiting_pc),
          siblings(waiting_threads), instructions(count) {}
    UnitId unit;
    Pc spinning;
    Pc waiting;
    warp::Part siblings;
    std::uint64_t instructions;
};

class Formation {
public:
    struct Needs {
        std::uint8_t issue_slots = 1; // units a cycle; several: each of one thread, a bundle of them (mimd: one a lane)
        std::uint8_t extra_stages = 0;    // in front of execution (dwf: 1)
        std::uint8_t register_cycles = 1; // that a group takes in the register file, at most (dwf lanes = conflict)
        bool ideal_fetch = false;         // no instruction cache (mimd)
        bool divides_rows = false;        // several units may hold threads of one row at one time
        bool units_are_rows = false;      // unit u holds home row u, at all times
        bool runs_ahead = false;          // flights may be divided by what hit in the data cache (maws)
        bool swizzles = false;            // even and odd threads of every other row have swapped lanes (dwf)
    };

    explicit Formation(unsigned units) : units(units) {}
    virtual ~Formation() = default;
    Formation(const Formation&) = delete;
    Formation& operator=(const Formation&) = delete;

    warp::UnitTable units;

    [[nodiscard]] virtual Needs needs() const {
        return {};
    }
    // What schedulers need to know of its units.
    [[nodiscard]] virtual warp::UnitTraits traits() const {
        return {};
    }
    // What of its settings contradicts the shape or each other, a message each that names them. Asked when a machine is
    // read; a formation with problems is used for nothing else.
    [[nodiscard]] virtual std::vector<std::string> problems() const {
        return {};
    }
    // Why it cannot run blocks of so many threads; empty when it can.
    [[nodiscard]] virtual std::string refusal(unsigned /*threads*/) const {
        return {};
    }
    // Whose registers the threads have: livelocks are told from loops that end by them.
    void read_registers_of(exec::Executor& executor) {
        spin_watch_.read_registers_of(executor);
    }
    // The program of the blocks that follow, for a formation that looks at what units come to.
    virtual void use(const ir::Program& /*program*/) {}
    // Threads of a new block, by home row, all at `entry`.
    virtual void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) = 0;
    // The threads a unit holds now: for hazard checks before issue, dumps and traces. Valid until the next call.
    [[nodiscard]] virtual std::span<const warp::Part> members(UnitId unit) const = 0;
    // Called once a cycle until group.last for a unit that has been fetched (the core took it out of `eligible`).
    // group.parts == 0: no group this time, for every thread left is interlocked; with group.last the unit gives the
    // front end back and becomes eligible again at the same PC when it can go on. `predicates` tells whose guard is
    // true.
    virtual void form(UnitId unit, const ir::MicroOp& op, const exec::Executor& predicates, warp::Group& group) = 0;
    // The flight waits for memory from now on, up to its advance(); up to returned(), when its next PCs count already
    // (flight.committed).
    virtual void put_aside(const warp::Flight& /*flight*/, Cycle /*now*/) {}
    // The core's moment at which next PCs count: barrel in the last stage; scoreboard at issue, control when resolved;
    // wpu when the data are there. Throws Livelock.
    virtual void advance(const warp::Flight& flight, Cycle now) = 0;
    // Some threads of the flight have their data, others do not (flight.hit, a proper subset): divide it now? Asked
    // before put_aside(). Where its next PCs count already, its unit, which lives, is what is divided: it may have gone
    // on since.
    [[nodiscard]] virtual bool run_ahead(const warp::Flight& /*flight*/) {
        return false;
    }
    // The core has divided a flight: gives `ahead` a unit of its own (sets ahead.group.unit); `behind` keeps the one
    // that the flight had.
    virtual void divided(warp::Flight& /*ahead*/, warp::Flight& /*behind*/) {}
    // All data of the flight are written. A core need not tell of instructions that access no memory.
    virtual void returned(const warp::Flight& /*flight*/, Cycle /*now*/) {}
    // Of two groups of threads of one row, the one with the larger number is further on in its program; 0: not known.
    // Asked once an access, where a core counts what accesses of divided rows do for each other.
    [[nodiscard]] virtual std::uint64_t order_of(const warp::Group& /*group*/) const {
        return 0;
    }
    // No unit can issue, and none will before memory answers: a waiting flight to divide by its hit mask, or kNoFlight.
    [[nodiscard]] virtual warp::FlightId starved() {
        return warp::kNoFlight;
    }
    // Threads of a block whose barrier or warp synchronisation is complete; sm/ has counted them.
    virtual void resume(std::uint16_t block, std::span<const warp::Part> threads) = 0;
    // When tick() is next due; kept by the formation, so that a core need not ask.
    Cycle wake = kNever;
    virtual void tick(Cycle /*now*/) {}
    // Cycles for which the pipeline has to stand still, because tables are busy with what advance() gave them; kept by
    // the formation, counted down by the core.
    unsigned stall = 0;

    // What a trace shows of its state at the end of a cycle: "pool:17", words apart by spaces. Empty: nothing.
    [[nodiscard]] virtual std::string trace() const {
        return {};
    }
    // Adds its section to the tree, if it counts anything; it is the sum over the SMs.
    virtual void add_statistics(stats::Tree& /*tree*/) {}
    // The structures it needs beside a core without divergence, of one SM.
    [[nodiscard]] virtual std::vector<cost::HardwareCost> hardware_cost() const {
        return {};
    }

protected:
    // A group of all threads of a unit that lies in one row.
    void form_row(UnitId unit, const warp::Part& part, warp::Group& group) {
        group.unit = unit;
        group.pc = units.pc[unit];
        group.parts = 1;
        group.threads = units.threads[unit];
        group.index = 0;
        group.extra_threads = 0;
        group.last = true;
        group.register_cycles = 1;
        group.part[0] = part;
    }

    SpinWatch spin_watch_;
};

// Formations by name. A formation's file ends with HEDDLE_FORMATION(Class, "name", "meaning", "source"); its
// constructor takes (const Shape&, const config::Machine&).
using Formations = Registry<Formation, const Shape&, const config::Machine&>;
[[nodiscard]] Formations& formations();

#define HEDDLE_FORMATION(Class, ...) HEDDLE_REGISTERED(::heddle::formation::formations(), Class, __VA_ARGS__)

} // namespace heddle::formation
