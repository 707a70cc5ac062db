// What every core model that knows time has in common: threads, flights, the way to memory, what schedulers see.
#pragma once

#include <algorithm>
#include <vector>

#include "sched/scheduler.h"
#include "sm/frame/core.h"
#include "sm/frame/memory_port.h"
#include "sm/frame/thread_contexts.h"
#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

class TimedCore : public Core {
    friend class SingleIssue; // a part that cores with one instruction stream have in common

public:
    std::string refusal(const exec::Launch& launch) const override {
        return formation_.refusal(static_cast<unsigned>(launch.block.count()));
    }
    void begin(const exec::Launch& launch, Cycle now) override {
        catch_up(now);
        contexts_.begin(launch);
    }
    bool can_accept() const override {
        return contexts_.can_accept();
    }
    void set_blocks_left(bool left) override {
        view_.blocks_left = left;
    }
    Cycle wake() const override {
        return std::min(wake_, memory_.next());
    }
    Cycle now() const override {
        return clock_;
    }
    void record(probe::Timeline& timeline) override;
    probe::SmShape shape() const override;
    void end_kernel(Cycle now) override {
        catch_up(now);
        data_.flush(now);
    }
    const probe::MissIntervals* miss_intervals() const override {
        return data_.miss_intervals();
    }
    MemoryPort* port() override {
        return &memory_;
    }
    unsigned resident_blocks() const override {
        return contexts_.blocks.resident();
    }
    exec::Executor& executor() override {
        return contexts_.executor;
    }
    CoreStats& stats() override {
        return contexts_.stats;
    }

protected:
    // `flights`: instructions in flight at most that keep one; `holds`: the data path does (data_path.h).
    TimedCore(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
              const TraceSink& trace, std::size_t flights, bool holds);

    // A block becomes resident at `now`; its slot.
    unsigned place_block(Dim3 ctaid, std::uint64_t global_id, Cycle now);
    // Has `simulate(stop)` simulate cycles from `now` on, and move `now`, until `until` or the end of a block.
    template <class Simulate>
    void run_to(Cycle& now, Cycle until, Simulate&& simulate) {
        catch_up(now);
        now = clock_;
        block_ended_ = false;
        try {
            while (now < until && !block_ended_) {
                simulate(std::min(until, sample_due_));
                if (now >= sample_due_) [[unlikely]]
                    sample(now);
            }
        } catch (const formation::Livelock& livelock) {
            clock_ = now;
            contexts_.report_livelock(livelock);
        } catch (const exec::Fault&) {
            clock_ = now;
            throw;
        }
        clock_ = now;
    }
    // The unit of a flight, not another with its number.
    [[nodiscard]] bool unit_lives(const warp::Flight& flight) const {
        return units_.alive.contains(flight.group.unit) && units_.generation[flight.group.unit] == flight.generation;
    }
    // Divides a flight by its hit mask (MAWS 5.4): its threads that have their data go on as `ahead`, in a unit of
    // their own.
    void divide(warp::Flight& behind, warp::Flight& ahead);
    // Takes a sample of the SM for the timeline.
    [[gnu::noinline]] void sample(Cycle clock);
    // A unit has waited for instructions until now.
    template <class Waits>
    void record_fill(Cycle now, Waits&& still_waits) {
        timeline_->units.waiting(probe::Activity::Instructions).for_each([&](UnitId unit) {
            if (!still_waits(unit))
                timeline_->units.goes_on(unit, probe::Activity::Instructions, now);
        });
    }

    ThreadContexts contexts_;
    formation::Formation& formation_;
    warp::UnitTable& units_;
    const bool runs_ahead_; // the formation divides flights

    MemoryPort memory_;
    std::vector<warp::Flight> flights_;
    LoadStoreUnit data_;
    exec::Access access_;

    UnitSet long_wait_;  // a flight of it is put aside by a first-level miss
    UnitSet at_barrier_; // came to a barrier and were not picked since
    std::vector<std::uint64_t> progress_;
    warp::View view_;

    bool block_ended_ = false;
    Cycle clock_ = 0; // the first cycle that has not been simulated
    Cycle wake_ = kNever;
    TraceSink trace_;
    probe::Timeline* timeline_ = nullptr; // null: nobody records
    Cycle sample_due_ = kNever;           // the first cycle that must not be simulated before a sample is taken
};

} // namespace heddle::sm
