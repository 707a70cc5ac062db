#include "sm/single_issue/single_issue.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;

SingleIssue::SingleIssue(Frame& frame, LoadStoreUnit& load_store, const config::Machine& machine, unsigned sm)
    : frame_(frame), load_store_(load_store), division_(machine, frame, load_store),
      scheduler_(sched::schedulers().make(
          frame.contexts.config.scheduler,
          {.units = frame.units.capacity(), .block_slots = static_cast<unsigned>(frame.contexts.config.blocks)},
          machine)),
      tells_edges_(scheduler_->keeps_lists()), edges_(frame.units.capacity()),
      fetch_(machine.get<ICacheConfig>(), frame.formation.needs().ideal_fetch, frame.units.capacity(), frame.memory,
             sm),
      candidates_(frame.units.capacity()), blocked_(frame.units.capacity()),
      aside_(frame.units.capacity(), frame.flights.capacity()) {
    for (std::size_t f = frame.flights.capacity(); f-- > 0;)
        free_flights_.push_back(static_cast<FlightId>(f));
}

void SingleIssue::block_started(unsigned slot, Cycle now) {
    scheduler_->block_event(static_cast<std::uint16_t>(slot), sched::BlockEvent::Started, frame_.view, now);
}

void SingleIssue::add_statistics(stats::Tree& tree) {
    tree.add_one_of("core", frame_.contexts.stats);
    fetch_.add_statistics(tree);
    load_store_.add_statistics(tree);
    frame_.formation.add_statistics(tree);
    scheduler_->add_statistics(tree);
    frame_.memory.add_statistics(tree);
}

void SingleIssue::answers(Cycle now) {
    while (frame_.memory.next() <= now) {
        const mem::Reply reply = frame_.memory.take();
        if (reply.requester == mem::Requester::Instruction)
            fetch_.fill(reply.id, blocked_);
        else
            load_store_.answer(reply, now, came_back_);
        if (reply.requester == mem::Requester::Credit)
            fetch_.retry(blocked_);
        if (frame_.timeline != nullptr && reply.requester == mem::Requester::Instruction)
            frame_.record_fill(now, [&](UnitId unit) { return blocked_.contains(unit); });
    }
    for (const FlightId f : came_back_)
        come_back(f, now);
    came_back_.clear();
}

// The flight's last line has come.
void SingleIssue::come_back(FlightId f, Cycle now) {
    const Flight& flight = frame_.flights[f];
    load_store_.stats().wait_cycles += now - aside_.since(f);
    if (frame_.contexts.profile != nullptr) [[unlikely]]
        std::erase(in_order_aside_, f);
    if (aside_.take(flight)) {
        frame_.long_wait.erase(flight.group.unit);
        scheduler_->long_wait(flight.group.unit, false);
    }
    returning_.push({now + 1, f});
}

bool SingleIssue::find_candidates() {
    const warp::UnitTable& units = frame_.units;
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
    const UnitId unit = scheduler_->pick(candidates_, frame_.view, now);
    if (unit == kNoUnit)
        return unit;
    assert(candidates_.contains(unit));
    frame_.at_barrier.erase(unit);
    return unit;
}

bool SingleIssue::fetch(UnitId unit, Cycle now) {
    if (fetch_.fetch(unit, frame_.units.pc[unit], now)) [[likely]]
        return true;
    blocked_.insert(unit);
    missed_ = unit;
    if (frame_.timeline != nullptr)
        frame_.timeline->units.waits(unit, probe::Activity::Instructions, now);
    return false;
}

void SingleIssue::complete(FlightId f, Cycle now) {
    const Flight& flight = frame_.flights[f];
    load_store_.written(f, now);
    frame_.formation.returned(flight, now);
    frame_.commit(flight, now);
    if (!frame_.contexts.changes.empty())
        pass_block_changes(now);
    free_flights_.push_back(f);
}

void SingleIssue::pass_block_changes(Cycle now) {
    for (const ThreadContexts::Change& change : frame_.contexts.changes)
        scheduler_->block_event(change.block, change.event, frame_.view, now);
    frame_.contexts.changes.clear();
}

void SingleIssue::put_aside(Flight& flight, Cycle now) {
    const UnitId unit = flight.group.unit;
    if (aside_.put(flight, frame_.unit_lives(flight), now)) {
        frame_.long_wait.insert(unit);
        scheduler_->long_wait(unit, true);
    }
    if (frame_.timeline != nullptr && flight.waits_long)
        frame_.timeline->units.waits(unit, probe::Activity::Memory, now);
    if (frame_.contexts.profile != nullptr) [[unlikely]]
        in_order_aside_.push_back(flight.id);
    frame_.formation.put_aside(flight, now);
    division_.put_aside();
}

Flight& SingleIssue::divide(Flight& flight) {
    Flight& ahead = next_flight();
    open_flight();
    division_.divide(flight, ahead);
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
    if (frame_.timeline != nullptr && frame_.flights[f].waits_long)
        frame_.timeline->units.goes_on(frame_.flights[f].group.unit, probe::Activity::Memory, now);
    complete(f, now);
}

Cycle SingleIssue::next_event() const {
    Cycle next = std::min(frame_.memory.next(), frame_.formation.wake);
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
    if (frame_.contexts.sync.threads_at_barriers() != 0)
        return Slot::Barrier;
    if (frame_.contexts.sync.threads_at_rendezvous() != 0)
        return Slot::WarpSync;
    return works || data_under_way() ? Slot::Pipeline : Slot::Empty;
}

Pc SingleIssue::waits_at(Slot cause) const {
    const auto pc_of_flight = [&](FlightId f) { return frame_.flights[f].group.pc; };
    const SyncUnit& sync = frame_.contexts.sync;
    switch (cause) {
    case Slot::FetchMiss:
        return pc_of(missed_);
    case Slot::Fetch:
        return pc_of(blocked_.first());
    case Slot::HeldBack:
        return pc_of(candidates_.first());
    case Slot::Memory:
        return in_order_aside_.empty() ? kNoPc : pc_of_flight(in_order_aside_.front());
    case Slot::Tables:
        return frame_.contexts.profile->tables();
    case Slot::Barrier:
        return sync.first_at_barrier();
    case Slot::WarpSync:
        return sync.first_at_rendezvous();
    case Slot::WriteBack:
        return returning_.empty() ? kNoPc : pc_of_flight(returning_.front().flight);
    case Slot::Pipeline:
        if (!returning_.empty())
            return pc_of_flight(returning_.front().flight);
        return hitting_.empty() ? kNoPc : pc_of_flight(hitting_.front().flight);
    default:
        return kNoPc;
    }
}

} // namespace heddle::sm
