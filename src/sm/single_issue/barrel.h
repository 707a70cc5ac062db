// The barrel core (LWM11 2.1, Figure 2): one unit is fetched a cycle, and cannot be fetched again before it has left
// the pipeline. Stages: fetch, decode, and a back end whose last two stages are memory and write-back.
//
//   fetch    the scheduler picks, the instruction cache is looked up
//   decode   the formation forms the group, and it executes (functionally: here and only here)
//   memory   the data path; an access that needs several cycles holds everything before it
//   write-back   next PCs count; the unit can be fetched in the following cycle
//
// A unit may form several groups of one instruction, one a cycle (large warps): it stays in decode meanwhile. So does a
// unit whose operands take several register-file cycles (dwf.lanes = conflict).
//
// Where a formation has several issue slots (mimd), a unit of one thread is fetched for each slot in a cycle. These
// units go through the pipeline as a bundle, in one place (barrel_bundle.cpp). Units that wait for memory leave it one
// by one.
//
// A flight that misses leaves the pipeline at the memory stage. When its last line has come at cycle T it writes back
// at T + 1: beside the pipeline (assumed), or instead of the pipeline's last stage with core.shared_write_back (DWF07
// 4). A flight that hits in a memory of latency n leaves the pipeline too, and writes back n cycles after the memory
// stage.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "sm/frame/timed_core.h"
#include "sm/load_store/bundle_stage.h"
#include "sm/single_issue/single_issue.h"

namespace heddle::sm {

class Barrel final : public TimedCore {
public:
    Barrel(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
           const TraceSink& trace);

    // The reason why the core cannot run a formation. It can run all.
    static std::string objection(const formation::Formation& /*how*/) {
        return {};
    }

    void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) override;
    void threads_released(Cycle now) override;
    Cycle run(Cycle now, Cycle until) override;
    void catch_up(Cycle now) override;
    std::vector<std::uint64_t> block_order() const override {
        return issue_.block_order();
    }
    void add_statistics(stats::Tree& tree) override;

private:
    static constexpr unsigned kMaxStages = 40;

    // The pipeline stages, a ring that turns by one a cycle: a flight keeps its place in the array.
    struct Pipe {
        std::array<warp::FlightId, kMaxStages> place;
        unsigned stages = 7;
        unsigned head = 0;
        std::uint64_t occupied = 0; // bit s: a flight is in stage s
        std::uint64_t accesses = 0; // bit s: the flight in stage s has work in the memory stage

        [[nodiscard]] warp::FlightId at(unsigned stage) const {
            return place[index(stage)];
        }
        [[nodiscard]] bool holds(unsigned stage) const {
            return (occupied >> stage & 1) != 0;
        }
        void put(unsigned stage, warp::FlightId flight, bool access) {
            place[index(stage)] = flight;
            occupied |= std::uint64_t{1} << stage;
            accesses |= std::uint64_t{access} << stage;
        }
        void take(unsigned stage) {
            occupied &= ~(std::uint64_t{1} << stage);
            accesses &= ~(std::uint64_t{1} << stage);
        }
        void turn(unsigned cycles) {
            head = head >= cycles ? head - cycles : head + stages - cycles;
            occupied <<= cycles;
            accesses <<= cycles;
        }
        // Cycles until a flight has work: an access at `memory_at`, other flights in the last stage.
        [[nodiscard]] unsigned until_work(unsigned memory_at) const {
            const std::uint64_t ahead = accesses & ((std::uint64_t{2} << memory_at) - 1);
            unsigned cycles = kMaxStages;
            if (occupied != 0)
                cycles = stages - static_cast<unsigned>(std::bit_width(occupied));
            if (ahead != 0)
                cycles = std::min(cycles, memory_at + 1 - static_cast<unsigned>(std::bit_width(ahead)));
            return cycles;
        }

    private:
        [[nodiscard]] std::size_t index(unsigned stage) const {
            const unsigned i = head + stage;
            return i < stages ? i : i - stages;
        }
    };

    // Compiled twice: a core with one issue slot needs no code for bundles.
    template <bool kBundles>
    void simulate(Cycle& now, Cycle until);
    // The parts of one cycle, in order.
    template <bool kBundles>
    [[gnu::always_inline]] bool memory_stage(Cycle now);
    template <bool kBundles>
    void decode(Cycle now);
    template <bool kBundles>
    probe::Slot fetch(Cycle now);
    template <bool kBundles>
    void write_back(Cycle now);

    void execute(warp::Flight& flight, Cycle now);
    bool prepare_fence(const warp::Flight& flight);
    // The flight is done in the memory stage. True when it leaves the pipeline.
    bool leaves(warp::Flight& flight, Cycle now) {
        if (flight.lines_left != 0) {
            issue_.divide_by_hits(flight, now);
            issue_.put_aside(flight, now);
            return true;
        }
        const unsigned latency = load_store_.latency(flight.id);
        if (latency <= 1) [[likely]]
            return false;
        issue_.hits(flight.id, now + latency);
        return true;
    }

    // The stages for a bundle. Out of line, so that cores without bundles do not pay for them.
    [[gnu::noinline]] void fetch_along(Cycle now);
    [[gnu::noinline]] void decode_bundle(Cycle now);
    [[gnu::noinline]] bool memory_stage_of_bundle(Cycle now);
    [[nodiscard]] unsigned lanes_of_place(unsigned stage) const;

    bool divide_starved(Cycle now);
    bool formation_stalls();
    [[nodiscard]] bool front_end_empty() const {
        return decoding_ == kNoUnit && reading_.cycles == 0;
    }
    [[nodiscard]] probe::Slot idle_cause() const {
        return issue_.idle_cause(pipe_.occupied != 0 || fetched_ != kNoUnit);
    }
    Cycle skip(Cycle now, Cycle until);
    [[nodiscard]] bool write_back_contended(Cycle now) const;
    bool take_write_back(Cycle now);
    void account(probe::Slot slot, Cycle cycles = 1) {
        slot_ = slot;
        frame_.contexts.stats.slots[static_cast<std::size_t>(slot)] += cycles;
        if (frame_.contexts.profile != nullptr && slot != probe::Slot::Issued) [[unlikely]]
            profile_slot(slot, cycles);
    }
    [[gnu::noinline]] void profile_slot(probe::Slot slot, Cycle cycles);
    // The instruction that a slot was empty for; kNoPc: none.
    [[nodiscard]] Pc waits_at(probe::Slot cause) const;
    void trace_cycle(Cycle now);

    const bool shared_write_back_;
    const unsigned slots_; // units fetched a cycle
    const bool divides_;   // the formation divides flights
    unsigned memory_at_;   // index of the memory stage

    SingleIssue issue_;
    BundleStage bundles_{load_store_};
    Pipe pipe_;
    std::vector<UnitId> along_; // by unit in the front end: the next unit of its bundle
    UnitId fetched_ = kNoUnit;  // the unit in the fetch stage
    UnitId decoding_ = kNoUnit; // the unit in decode; it stays while groups are left to form
    bool interlocked_ = false;  // no group could be formed in the last cycle
    struct Reading {            // the flight in decode for further register-file cycles
        warp::FlightId flight = warp::kNoFlight;
        bool access = false;
        unsigned cycles = 0;
    } reading_;
    probe::Slot slot_ = probe::Slot::Empty; // cause of the last slot, for the trace
};

} // namespace heddle::sm
