// The instruction stream of a core that has one: its scheduler and its instructions, the units that they may go to, and
// its flights that wait for data beside the pipeline. The core says when each of these happens.
#pragma once

#include <memory>
#include <vector>

#include "base/ring_queue.h"
#include "sm/frame/eligible_edges.h"
#include "sm/frame/fetch_unit.h"
#include "sm/load_store/division.h"
#include "sm/single_issue/aside.h"

namespace heddle::sm {

class SingleIssue {
public:
    SingleIssue(Frame& frame, LoadStoreUnit& load_store, const config::Machine& machine);

    void block_started(unsigned slot, Cycle now);
    [[nodiscard]] std::vector<std::uint64_t> block_order() const {
        return scheduler_->block_order(frame_.view);
    }
    [[nodiscard]] std::string trace() const {
        return scheduler_->trace();
    }
    void add_statistics(stats::Tree& tree);

    // What memory delivers by `now`: instructions, and data of flights aside.
    void answers(Cycle now);

    // Formation and scheduler learn that it is `now`.
    void tick(Cycle now) {
        if (frame_.formation.wake <= now)
            frame_.formation.tick(now);
        if (scheduler_->wake <= now)
            scheduler_->tick(frame_.view, now);
        if (tells_edges_)
            edges_.tell(frame_.units, [&](UnitId) -> sched::Scheduler& { return *scheduler_; });
    }
    // Units that may be picked: eligible, with their instructions at hand; of these only the boosted ones, if there are
    // any. False when there is none.
    [[nodiscard]] bool find_candidates();
    // One of them; kNoUnit when the scheduler holds them back.
    [[nodiscard]] UnitId pick(Cycle now);
    void pass_over(UnitId unit) { // no candidate any more
        candidates_.erase(unit);
    }
    [[nodiscard]] bool any_candidate() const {
        return !candidates_.empty();
    }
    // Its instruction is there; else the unit waits for it.
    [[nodiscard]] bool fetch(UnitId unit, Cycle now);
    // It goes on with its instruction.
    void take(UnitId unit) {
        frame_.units.eligible.erase(unit);
        if (tells_edges_)
            edges_.take(unit, *scheduler_);
    }

    // The flight that is opened next.
    [[nodiscard]] warp::Flight& next_flight() {
        return frame_.open_flight(free_flights_.back());
    }
    void open_flight() {
        free_flights_.pop_back();
    }
    // Its next PCs count, and it ends.
    void complete(warp::FlightId flight, Cycle now);

    // Its data are there at `at`, without memory.
    void hits(warp::FlightId flight, Cycle at) {
        hitting_.push_sorted({at, flight}, [](const Timed& a, const Timed& b) { return a.at < b.at; });
    }
    // It waits for memory; its unit with it, unless that ended when the flight was formed (dwf).
    void put_aside(warp::Flight& flight, Cycle now);
    // It misses in part: where the formation divides it now, its threads that have their data go on beside the
    // pipeline.
    void divide_by_hits(warp::Flight& flight, Cycle now) {
        if (division_.divides(flight))
            hits(divide(flight).id, now + load_store_.latency(flight.id));
    }
    // Nothing can issue before memory answers: the flight that the formation divides then, or kNoFlight; and its
    // threads that have their data, as a flight of their own.
    [[nodiscard]] bool may_divide() const {
        return division_.may_divide();
    }
    [[nodiscard]] warp::FlightId starved() {
        return division_.starved();
    }
    warp::Flight& divide(warp::Flight& flight);
    // When the hits of a flight aside have, or had, their data.
    [[nodiscard]] Cycle hits_since(warp::FlightId flight) const {
        return aside_.since(flight) + load_store_.latency(flight);
    }
    [[nodiscard]] unsigned aside() const {
        return aside_.count();
    }

    // Flights with their data by `now`: one that hits, in the order of the cycle in which its data are there...
    [[nodiscard]] bool hit_due(Cycle now) const {
        return !hitting_.empty() && hitting_.front().at <= now;
    }
    void complete_hit(Cycle now) {
        complete(hitting_.pop().flight, now);
    }
    // ... and one from memory, likewise, a cycle after its last line has come. Of the first `n` of these, how many.
    [[nodiscard]] bool return_due(Cycle now) const {
        return !returning_.empty() && returning_.front().at <= now;
    }
    [[nodiscard]] unsigned returns_due(Cycle now, unsigned n) const;
    void complete_return(Cycle now);

    // Flights on their way with their data.
    [[nodiscard]] bool data_under_way() const {
        return !hitting_.empty() || !returning_.empty();
    }
    // The next cycle in which something happens by itself while nothing can be picked. A scheduler's tick is not among
    // it: nothing comes of that before a unit can be.
    [[nodiscard]] Cycle next_event() const;
    // Why no unit can be picked, the reason that lasts longest first. `works`: instructions are in the pipeline.
    [[nodiscard]] probe::Slot idle_cause(bool works) const;

private:
    struct Timed {
        Cycle at = 0;
        warp::FlightId flight = warp::kNoFlight;
    };

    void come_back(warp::FlightId flight, Cycle now);

    Frame& frame_;
    LoadStoreUnit& load_store_;
    Division division_;
    std::unique_ptr<sched::Scheduler> scheduler_;
    const bool tells_edges_;
    EligibleEdges edges_;
    FetchUnit fetch_;
    UnitSet candidates_;
    UnitSet blocked_; // waiting for instructions
    std::vector<warp::FlightId> free_flights_;
    Aside aside_;
    RingQueue<Timed> hitting_;
    RingQueue<Timed> returning_;
    std::vector<warp::FlightId> came_back_;
};

} // namespace heddle::sm
