// The single instruction stream of a core: its scheduler, its instruction fetch, the units that may issue, and the
// flights that wait for data outside the pipeline. The core calls it when one of these has work.
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
    // `sm`: the SM's number.
    SingleIssue(Frame& frame, LoadStoreUnit& load_store, const config::Machine& machine, unsigned sm);

    void block_started(unsigned slot, Cycle now);
    [[nodiscard]] std::vector<std::uint64_t> block_order() const {
        return scheduler_->block_order(frame_.view);
    }
    [[nodiscard]] std::string trace() const {
        return scheduler_->trace();
    }
    void add_statistics(stats::Tree& tree);

    // Takes what memory delivers by `now`: instructions, and data of flights put aside.
    void answers(Cycle now);

    // Calls the ticks of formation and scheduler that are due at `now`.
    void tick(Cycle now) {
        if (frame_.formation.wake <= now)
            frame_.formation.tick(now);
        if (scheduler_->wake <= now)
            scheduler_->tick(frame_.view, now);
        pass_eligible();
    }
    // Passes on which units have become eligible, have grown or are no longer eligible, to a scheduler with lists.
    void pass_eligible() {
        if (tells_edges_)
            edges_.tell(frame_.units, [&](UnitId) -> sched::Scheduler& { return *scheduler_; });
    }
    // Finds the units that may be picked: eligible, with their next instruction present; only the boosted ones, if
    // there are any. False when there is none.
    [[nodiscard]] bool find_candidates();
    // Picks one of the candidates; kNoUnit when the scheduler holds them back.
    [[nodiscard]] UnitId pick(Cycle now);
    void pass_over(UnitId unit) { // it is no longer a candidate
        candidates_.erase(unit);
    }
    [[nodiscard]] bool any_candidate() const {
        return !candidates_.empty();
    }
    // True when the unit's instruction is present; else the unit waits for it.
    [[nodiscard]] bool fetch(UnitId unit, Cycle now);
    // The unit continues with its instruction.
    void take(UnitId unit) {
        frame_.units.eligible.erase(unit);
        if (tells_edges_)
            edges_.take(unit, *scheduler_);
    }

    // The flight that open_flight() opens next.
    [[nodiscard]] warp::Flight& next_flight() {
        return frame_.open_flight(free_flights_.back());
    }
    void open_flight() {
        free_flights_.pop_back();
    }
    // Tells the scheduler about blocks whose threads have gone on, waited or ended.
    void pass_block_changes(Cycle now);
    // The flight's next PCs count, and the flight ends.
    void complete(warp::FlightId flight, Cycle now);

    // The flight's data are there at `at`, without memory.
    void hits(warp::FlightId flight, Cycle at) {
        hitting_.push_sorted({at, flight}, [](const Timed& a, const Timed& b) { return a.at < b.at; });
    }
    // The flight waits for memory. Its unit waits too, unless the unit ended when the flight was formed (dwf).
    void put_aside(warp::Flight& flight, Cycle now);
    // For a flight with some lines missing: where the formation divides it now, the threads whose data are there
    // continue outside the pipeline.
    void divide_by_hits(warp::Flight& flight, Cycle now) {
        if (division_.divides(flight))
            hits(divide(flight).id, now + load_store_.latency(flight.id));
    }
    // Nothing can issue before memory answers: the flight that the formation divides then, or kNoFlight; and the
    // division of its threads whose data are there, as a flight of their own.
    [[nodiscard]] bool may_divide() const {
        return division_.may_divide();
    }
    [[nodiscard]] warp::FlightId starved() {
        return division_.starved();
    }
    warp::Flight& divide(warp::Flight& flight);
    // The cycle in which the data of a flight's hits are (or were) there.
    [[nodiscard]] Cycle hits_since(warp::FlightId flight) const {
        return aside_.since(flight) + load_store_.latency(flight);
    }
    [[nodiscard]] unsigned aside() const {
        return aside_.count();
    }

    // Whether the data of a flight that hit are there by `now`. Such flights complete in the order of those cycles.
    [[nodiscard]] bool hit_due(Cycle now) const {
        return !hitting_.empty() && hitting_.front().at <= now;
    }
    void complete_hit(Cycle now) {
        complete(hitting_.pop().flight, now);
    }
    // Whether a flight from memory is due by `now`, one cycle after its last line. returns_due() counts such flights
    // among the first n.
    [[nodiscard]] bool return_due(Cycle now) const {
        return !returning_.empty() && returning_.front().at <= now;
    }
    [[nodiscard]] unsigned returns_due(Cycle now, unsigned n) const;
    void complete_return(Cycle now);

    // Whether data of any flight are on their way from a cache or memory.
    [[nodiscard]] bool data_under_way() const {
        return !hitting_.empty() || !returning_.empty();
    }
    // The next cycle in which anything happens while no unit can be picked. A scheduler's tick does not count: it has
    // no effect before a unit can be picked.
    [[nodiscard]] Cycle next_event() const;
    // Why no unit can be picked: of several reasons, the one that lasts longest. `works`: the pipeline has
    // instructions.
    [[nodiscard]] probe::Slot idle_cause(bool works) const;
    // The instruction that a slot was empty for, for the causes that an instruction stream knows: of several, that of
    // the access that waits longest, or of the first unit. kNoPc: none.
    [[nodiscard]] Pc waits_at(probe::Slot cause) const;

private:
    struct Timed {
        Cycle at = 0;
        warp::FlightId flight = warp::kNoFlight;
    };

    void come_back(warp::FlightId flight, Cycle now);
    [[nodiscard]] Pc pc_of(UnitId unit) const {
        return unit == kNoUnit ? kNoPc : frame_.units.pc[unit];
    }

    Frame& frame_;
    LoadStoreUnit& load_store_;
    Division division_;
    std::unique_ptr<sched::Scheduler> scheduler_;
    const bool tells_edges_;
    EligibleEdges edges_;
    FetchUnit fetch_;
    UnitSet candidates_;
    UnitSet blocked_; // units that wait for instructions
    std::vector<warp::FlightId> free_flights_;
    Aside aside_;
    RingQueue<Timed> hitting_;
    RingQueue<Timed> returning_;
    std::vector<warp::FlightId> came_back_;
    // For a profile only:
    std::vector<warp::FlightId> in_order_aside_; // flights put aside, the first one first
    UnitId missed_ = kNoUnit;                    // the unit whose instruction was missing last
};

} // namespace heddle::sm
