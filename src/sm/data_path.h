// The memory stage of the barrel core (LWM11 2.2, Table 1): data cache with one read and one write port, private and
// shared memory, and the flights that wait for lines.
//
// An access takes a port slot for each line it touches, a cycle each; on-chip memories take a cycle for each word of
// their busiest bank. A flight with a missing line is put aside until all its lines are in. Misses of one line merge.
// A line whose set has no free way waits for a fill of that set.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "exec/executor.h"
#include "mem/cache.h"
#include "sm/core_config.h"
#include "sm/main_memory.h"
#include "stats/statistic.h"
#include "warp/flight.h"

namespace heddle::sm {

struct DataStats {
    std::uint64_t loads = 0; // instructions with an access to global memory
    std::uint64_t stores = 0;
    std::uint64_t atomics = 0;
    std::uint64_t lines = 0; // line look-ups
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t merges = 0;
    std::uint64_t full_sets = 0;
    std::uint64_t write_backs = 0;
    std::uint64_t port_conflicts = 0;
    std::uint64_t put_aside = 0;
    std::uint64_t wait_cycles = 0;
    std::uint64_t shared_accesses = 0;
    std::uint64_t shared_cycles = 0;
    std::uint64_t private_accesses = 0;
    std::uint64_t private_cycles = 0;
    std::uint64_t spilled_accesses = 0;
    static std::span<const stats::Statistic<DataStats>> statistics();
    static std::span<const stats::Formula> formulas();
};

class DataPath {
public:
    enum class Step : std::uint8_t {
        Done, // this cycle is its last in the memory stage
        Line, // it stays: further lines, or the write port is taken
        Bank, // it stays: further words of a bank
    };

    DataPath(const config::Machine& machine, MainMemory& memory, std::span<warp::Flight> flights);

    // Works out what the access of a flight has to do when it comes to the memory stage.
    void prepare(const warp::Flight& flight, const exec::Access& access);
    // One cycle of the flight in the memory stage. After Done the flight is put aside when flight.lines_left is not 0.
    Step step(warp::Flight& flight, Cycle now);
    // A line has come from memory at `now`. Appends flights that wait for nothing more to `ready`.
    void fill(mem::LineId line, Cycle now, std::vector<warp::FlightId>& ready);
    // The memory has done an atomic line of a flight.
    void atomic_done(warp::FlightId flight, std::vector<warp::FlightId>& ready);

    [[nodiscard]] DataStats& stats() {
        return stats_;
    }

private:
    struct Job {
        std::array<Address, kMaxWidth> line; // line numbers
        std::uint8_t lines = 0;
        std::uint8_t next = 0; // of `line`
        std::uint16_t bank_cycles = 0;
        std::uint8_t operations = 1; // atomics: most on one word
        bool store = false;
        bool atomic = false;
        bool left = false; // the memory stage
    };
    struct Waiter {
        warp::FlightId flight = warp::kNoFlight;
        std::uint32_t next = kNone;
    };
    struct Blocked { // a line that found its set full
        warp::FlightId flight = warp::kNoFlight;
        Address line = 0;
    };
    struct List {
        std::uint32_t head = kNone, tail = kNone;
    };
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    void prepare_on_chip(Job& job, const exec::Access& access);
    [[nodiscard]] Address spill_address(const exec::Access& access, unsigned entry) const;
    void look_up(warp::FlightId flight, Address line, Cycle now);
    void request_atomic(warp::FlightId flight, Address line, Cycle now);
    void wait_for(mem::LineId line, warp::FlightId flight);
    void count_down(warp::FlightId flight, std::vector<warp::FlightId>& ready);

    MainMemory& memory_;
    std::span<warp::Flight> flights_;
    mem::Cache cache_;
    bool ideal_;
    std::uint64_t line_bytes_;
    std::uint64_t private_bytes_;
    std::uint64_t threads_;
    unsigned width_;
    unsigned shared_banks_;
    Cycle fill_cycle_ = kNever; // in which a fill holds the write port
    std::vector<Job> jobs_;     // by flight
    std::vector<List> waiters_; // by line
    std::vector<Waiter> nodes_;
    std::uint32_t free_node_ = kNone;
    std::vector<Blocked> blocked_;
    std::vector<Blocked> again_; // of these, those that try again now
    DataStats stats_;
};

} // namespace heddle::sm
