#include "sm/single_issue/single_issue.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;

SingleIssue::SingleIssue(TimedCore& core, const config::Machine& machine)
    : core_(core),
      scheduler_(sched::schedulers().make(
          core.contexts_.config.scheduler,
          {.units = core.units_.capacity(), .block_slots = static_cast<unsigned>(core.contexts_.config.blocks)},
          machine)),
      tells_edges_(scheduler_->keeps_lists()), edges_(core.units_.capacity()),
      fetch_(machine.get<ICacheConfig>(), core.formation_.needs().ideal_fetch, core.units_.capacity(), core.memory_),
      candidates_(core.units_.capacity()), blocked_(core.units_.capacity()),
      aside_(core.units_.capacity(), core.flights_.size()) {
    for (std::size_t f = core.flights_.size(); f-- > 0;)
        free_flights_.push_back(static_cast<FlightId>(f));
}

void SingleIssue::block_started(unsigned slot, Cycle now) {
    scheduler_->block_event(static_cast<std::uint16_t>(slot), sched::BlockEvent::Started, core_.view_, now);
}

void SingleIssue::add_statistics(stats::Tree& tree) {
    tree.add_one_of("core", core_.contexts_.stats);
    tree.add_one_of("icache", fetch_.stats());
    core_.data_.add_statistics(tree);
    core_.formation_.add_statistics(tree);
    scheduler_->add_statistics(tree);
    core_.memory_.add_statistics(tree);
}

void SingleIssue::answers(Cycle now) {
    while (core_.memory_.next() <= now) {
        const mem::Reply reply = core_.memory_.take();
        if (reply.requester == mem::Requester::Instruction)
            fetch_.fill(reply.id, blocked_);
        else
            core_.data_.answer(reply, now, came_back_);
        if (reply.requester == mem::Requester::Credit)
            fetch_.retry(blocked_);
        if (core_.timeline_ != nullptr && reply.requester == mem::Requester::Instruction)
            core_.record_fill(now, [&](UnitId unit) { return blocked_.contains(unit); });
    }
    for (const FlightId f : came_back_)
        come_back(f, now);
    came_back_.clear();
}

// Its last line has come.
void SingleIssue::come_back(FlightId f, Cycle now) {
    const Flight& flight = core_.flights_[f];
    core_.data_.stats().wait_cycles += now - aside_.since(f);
    if (aside_.take(flight)) {
        core_.long_wait_.erase(flight.group.unit);
        scheduler_->long_wait(flight.group.unit, false);
    }
    returning_.push({now + 1, f});
}

bool SingleIssue::find_candidates() {
    const warp::UnitTable& units = core_.units_;
    if (units.words == 1) [[likely]] { // a core of up to 64 units
        const std::uint64_t w = units.eligible.word(0) & units.alive.word(0) & ~blocked_.word(0);
        const std::uint64_t first = w & units.boosted.word(0);
        candidates_.word(0) = first != 0 ? first : w;
        return w != 0;
    }
    std::uint64_t any = 0;
    std::uint64_t boosted = 0;
    for (unsigned i = 0; i < units.words; ++i) {
        const std::uint64_t w = units.eligible.word(i) & units.alive.word(i) & ~blocked_.word(i);
        candidates_.word(i) = w;
        any |= w;
        boosted |= w & units.boosted.word(i);
    }
    if (boosted != 0)
        for (unsigned i = 0; i < units.words; ++i)
            candidates_.word(i) &= units.boosted.word(i);
    return any != 0;
}

UnitId SingleIssue::pick(Cycle now) {
    const UnitId unit = scheduler_->pick(candidates_, core_.view_, now);
    if (unit == kNoUnit)
        return unit;
    assert(candidates_.contains(unit));
    core_.at_barrier_.erase(unit);
    return unit;
}

bool SingleIssue::fetch(UnitId unit, Cycle now) {
    if (fetch_.fetch(unit, core_.units_.pc[unit], now)) [[likely]]
        return true;
    blocked_.insert(unit);
    if (core_.timeline_ != nullptr)
        core_.timeline_->units.waits(unit, probe::Activity::Instructions, now);
    return false;
}

void SingleIssue::complete(FlightId f, Cycle now) {
    const Flight& flight = core_.flights_[f];
    core_.formation_.returned(flight, now);
    core_.block_ended_ |= core_.contexts_.commit(flight, now);
    if (flight.outcome.kind == warp::Outcome::Kind::Barrier && core_.unit_lives(flight))
        core_.at_barrier_.insert(flight.group.unit);
    std::vector<ThreadContexts::Change>& changes = core_.contexts_.changes;
    if (!changes.empty()) {
        for (const ThreadContexts::Change& change : changes)
            scheduler_->block_event(change.block, change.event, core_.view_, now);
        changes.clear();
    }
    free_flights_.push_back(f);
}

void SingleIssue::put_aside(Flight& flight, Cycle now) {
    const UnitId unit = flight.group.unit;
    if (aside_.put(flight, core_.unit_lives(flight), now)) {
        core_.long_wait_.insert(unit);
        scheduler_->long_wait(unit, true);
    }
    if (core_.timeline_ != nullptr && flight.waits_long)
        core_.timeline_->units.waits(unit, probe::Activity::Memory, now);
    core_.formation_.put_aside(flight, now);
}

Flight& SingleIssue::divide(Flight& flight) {
    Flight& ahead = next_flight();
    open_flight();
    core_.divide(flight, ahead);
    return ahead;
}

unsigned SingleIssue::returns_due(Cycle now, unsigned n) const {
    unsigned due = 0;
    while (due < n && due < returning_.size() && returning_.at(due).at <= now)
        ++due;
    return due;
}

void SingleIssue::complete_return(Cycle now) {
    const FlightId f = returning_.pop().flight;
    if (core_.timeline_ != nullptr && core_.flights_[f].waits_long)
        core_.timeline_->units.goes_on(core_.flights_[f].group.unit, probe::Activity::Memory, now);
    complete(f, now);
}

Cycle SingleIssue::next_event() const {
    Cycle next = std::min(core_.memory_.next(), core_.formation_.wake);
    if (!returning_.empty())
        next = std::min(next, returning_.front().at);
    if (!hitting_.empty())
        next = std::min(next, hitting_.front().at);
    return next;
}

Slot SingleIssue::idle_cause(bool works) const {
    if (aside_.count() != 0)
        return Slot::Memory;
    if (fetch_.waiting_units() != 0)
        return Slot::Fetch;
    if (core_.contexts_.sync.threads_at_barriers() != 0)
        return Slot::Barrier;
    if (core_.contexts_.sync.threads_at_rendezvous() != 0)
        return Slot::WarpSync;
    return works || data_under_way() ? Slot::Pipeline : Slot::Empty;
}

} // namespace heddle::sm
