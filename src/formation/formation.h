// The formation contract: which threads form an issue unit, their PCs, and their SIMT stacks and split tables.
//
// A formation does not decide when a unit issues (sched/ does) and does not depend on ports, hazards or caches (sm/
// does). It is called at these moments only:
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

// A unit makes no progress while other threads of its stack wait at a reconvergence point: a spin lock under stack
// reconvergence.
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
        std::uint8_t issue_slots = 1; // units a cycle; if several, units of one thread form a bundle (mimd: one a lane)
        std::uint8_t extra_stages = 0;    // in front of execution (dwf: 1)
        std::uint8_t register_cycles = 1; // the most register-file cycles of a group (dwf lanes = conflict)
        bool ideal_fetch = false;         // no instruction cache (mimd)
        bool divides_rows = false;        // several units may hold threads of one row at one time
        // Unit u holds home row u, at all times. Its running threads change only at branch targets and reconvergence
        // points, and by instructions other than operations on registers.
        bool units_are_rows = false;
        bool runs_ahead = false;           // flights may be divided by what hit in the data cache (maws)
        bool swizzles = false;             // even and odd threads of every other row have swapped lanes (dwf)
        bool convergence_barriers = false; // threads meet at BSSY and BSYNC of native code, not at post-dominators
    };

    explicit Formation(unsigned units) : units(units) {}
    virtual ~Formation() = default;
    Formation(const Formation&) = delete;
    Formation& operator=(const Formation&) = delete;

    warp::UnitTable units;

    [[nodiscard]] virtual Needs needs() const {
        return {};
    }
    // The properties of its units that schedulers depend on.
    [[nodiscard]] virtual warp::UnitTraits traits() const {
        return {};
    }
    // Contradictions between its settings, or of a setting with the shape; each message names the settings. Used when a
    // machine is read; a formation with problems is used for nothing else.
    [[nodiscard]] virtual std::vector<std::string> problems() const {
        return {};
    }
    // The reason why it cannot run blocks of `threads` threads; empty when it can.
    [[nodiscard]] virtual std::string refusal(unsigned /*threads*/) const {
        return {};
    }
    // The executor with the threads' registers, by which livelocks are distinguished from loops that end.
    void read_registers_of(exec::Executor& executor) {
        spin_watch_.read_registers_of(executor);
    }
    // The program of the following blocks, for a formation that analyses the code.
    virtual void use(const ir::Program& /*program*/) {}
    // Threads of a new block, by home row, all at `entry`.
    virtual void launch(std::uint16_t block, std::span<const warp::Part> rows, Pc entry) = 0;
    // The threads that a unit holds now: for hazard checks before issue, dumps and traces. Valid until the next call.
    [[nodiscard]] virtual std::span<const warp::Part> members(UnitId unit) const = 0;
    // Called once a cycle until group.last, for a unit that has been fetched (the core removed it from `eligible`).
    // group.parts == 0: no group in this cycle, because every thread left is interlocked; if group.last too, the unit
    // leaves the front end, and becomes eligible at the same PC when it can continue. `predicates`: reads the threads'
    // guards.
    virtual void form(UnitId unit, const ir::MicroOp& op, const exec::Executor& predicates, warp::Group& group) = 0;
    // The flight waits for memory from now on, until its advance(); or until returned(), when its next PCs have already
    // counted (flight.committed).
    virtual void put_aside(const warp::Flight& /*flight*/, Cycle /*now*/) {}
    // Next PCs count now. Barrel core: in the last stage; scoreboarded core: at issue, control transfers when resolved;
    // WPU: when the data are there. Throws Livelock.
    virtual void advance(const warp::Flight& flight, Cycle now) = 0;
    // The data of some threads of the flight are there, of others not (flight.hit, a proper subset): whether to divide
    // the flight now. Called before put_aside(). If its next PCs have already counted, its living unit is divided,
    // which may have executed further instructions since.
    [[nodiscard]] virtual bool run_ahead(const warp::Flight& /*flight*/) {
        return false;
    }
    // The core has divided a flight: gives `ahead` a unit of its own (sets ahead.group.unit). `behind` keeps the unit
    // of the flight.
    virtual void divided(warp::Flight& /*ahead*/, warp::Flight& /*behind*/) {}
    // All data of the flight have been written. A core may omit the call for instructions without an access to memory.
    virtual void returned(const warp::Flight& /*flight*/, Cycle /*now*/) {}
    // Of two groups of threads of one row, the one with the larger number is further in its program; 0: not known.
    // Called for each access by a core that counts what accesses of divided rows do for each other.
    [[nodiscard]] virtual std::uint64_t order_of(const warp::Group& /*group*/) const {
        return 0;
    }
    // No unit can issue before memory answers: the waiting flight to divide by its hit mask, or kNoFlight.
    [[nodiscard]] virtual warp::FlightId starved() {
        return warp::kNoFlight;
    }
    // The barrier or warp synchronisation of threads of a block is complete; sm/ counts the threads.
    virtual void resume(std::uint16_t block, std::span<const warp::Part> threads) = 0;
    // The cycle of the next tick(). A member, so that a core can read it every cycle.
    Cycle wake = kNever;
    virtual void tick(Cycle /*now*/) {}
    // Cycles for which the pipeline has to wait, because tables are busy with what advance() inserted. The formation
    // adds cycles, the core counts them down.
    unsigned stall = 0;

    // The formation's state at the end of a cycle, for a trace: "pool:17", words separated by spaces. Empty: no output.
    [[nodiscard]] virtual std::string trace() const {
        return {};
    }
    // Adds the formation's section to the tree, if it has counters; the section is the sum over the SMs.
    virtual void add_statistics(stats::Tree& /*tree*/) {}
    // The structures of one SM that a core without divergence does not need.
    [[nodiscard]] virtual std::vector<cost::HardwareCost> hardware_cost() const {
        return {};
    }

protected:
    // Makes a group of all threads of a unit that lies in one row.
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
