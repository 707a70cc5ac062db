// The common part of all timed core models, over the frame of the SM and its load/store unit.
#pragma once

#include <algorithm>

#include "sm/frame/frame.h"
#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

class TimedCore : public Core {
public:
    std::string refusal(const exec::Launch& launch) const override {
        return frame_.formation.refusal(static_cast<unsigned>(launch.block.count()));
    }
    void share_with(Core& first) override {
        frame_.contexts.executor.share_tables_of(first.executor());
        load_store_.share_with(static_cast<TimedCore&>(first).load_store_);
        leads_ = false;
    }
    // Most SMs have no block of a small launch: what only blocks use begins the launch with the first block. It begins
    // at once on the SM that the others share tables with, and on an SM that has had blocks since it began last: their
    // launch may have been stopped.
    void begin(const exec::Launch& launch, Cycle now) final {
        catch_up(now);
        load_store_.begin(launch);
        frame_.contexts.make_room(launch);
        frame_.count_warps(now);
        begin_kernel(*launch.kernel, now);
        blocks_have_begun_ = false;
        if (had_blocks_ || leads_)
            begin_blocks();
        had_blocks_ = false;
    }
    bool can_accept() const override {
        return frame_.contexts.can_accept();
    }
    unsigned room() const override {
        return frame_.contexts.blocks.room();
    }
    void cluster_met(unsigned slot, Cycle now) override {
        catch_up(now);
        wake_ = now;
        frame_.contexts.cluster_met(slot);
        threads_released(now);
    }
    void report_deadlock(Cycle now) override {
        frame_.contexts.report_deadlock(now);
    }
    void count_threads(ThreadsByPlace& at) const override {
        frame_.contexts.count_threads(at);
    }
    void set_blocks_left(bool left) override {
        frame_.view.blocks_left = left;
    }
    Cycle wake() const override {
        return std::min(wake_, frame_.memory.next());
    }
    Cycle now() const override {
        return frame_.clock;
    }
    void record(probe::Timeline& timeline) override {
        frame_.record(timeline);
    }
    void count_in(probe::SmProfile& profile, const config::Machine& machine) override {
        frame_.contexts.profile = &profile;
        load_store_.count_in(profile, machine);
    }
    probe::SmShape shape() const override;
    void end_kernel(Cycle now) override {
        catch_up(now);
        load_store_.flush(now);
    }
    const probe::MissIntervals* miss_intervals() const override {
        return load_store_.miss_intervals();
    }
    MemoryPort* port() override {
        return &frame_.memory;
    }
    unsigned resident_blocks() const override {
        return frame_.contexts.blocks.resident();
    }
    exec::Executor& executor() override {
        return frame_.contexts.executor;
    }
    CoreStats& stats() override {
        frame_.count_warps(frame_.clock); // of a launch that was stopped
        return frame_.contexts.stats;
    }

protected:
    // `flights`: the most instructions in flight that keep a flight; `holds`: see LoadStoreUnit.
    TimedCore(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
              const TraceSink& trace, std::size_t flights, bool holds);

    // A launch of the kernel begins, whether or not the SM gets a block of it.
    virtual void begin_kernel(const ir::Kernel& /*kernel*/, Cycle /*now*/) {}
    // What only blocks use begins the launch.
    virtual void begin_blocks() {
        frame_.contexts.begin_threads();
        blocks_have_begun_ = true;
    }
    // Threads may go on although no flight of this core has released them.
    virtual void threads_released(Cycle /*now*/) {}
    // A block becomes resident at `now`. Returns its slot.
    unsigned place_block(Dim3 ctaid, std::uint64_t global_id, Cycle now);
    // Calls `simulate(stop)`, which simulates cycles and moves `now`, until `until` or the end of a block.
    template <class Simulate>
    void run_to(Cycle& now, Cycle until, Simulate&& simulate) {
        catch_up(now);
        now = frame_.clock;
        frame_.block_ended = false;
        try {
            while (now < until && !frame_.block_ended) {
                simulate(std::min(until, frame_.sample_due));
                if (now >= frame_.sample_due) [[unlikely]]
                    sample(now);
            }
        } catch (const formation::Livelock& livelock) {
            frame_.clock = now;
            frame_.contexts.report_livelock(livelock);
        } catch (const exec::Fault&) {
            frame_.clock = now;
            throw;
        }
        frame_.clock = now;
    }
    // Takes a sample of the SM for the timeline.
    [[gnu::noinline]] void sample(Cycle clock);

    Frame frame_;
    LoadStoreUnit load_store_;
    Cycle wake_ = kNever;

private:
    bool leads_ = true;              // no other SM has begun the launch before this one
    bool blocks_have_begun_ = false; // begin_blocks() has been called for the launch
    bool had_blocks_ = false;        // since begin()
};

} // namespace heddle::sm
