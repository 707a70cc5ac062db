// The barrel core's stages for bundles: units of one thread each, as many as there are issue slots, which are fetched
// in one cycle and share a place of the pipeline. Units in the front end and flights in the pipeline are chained in the
// order in which they were picked.
#include <utility>

#include "sm/single_issue/barrel.h"

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;
using warp::kNoFlight;

// Fetches further units for the issue slots of a cycle whose first unit is fetched. A machine with several slots has an
// ideal fetch, so their instructions are present.
void Barrel::fetch_along(Cycle now) {
    UnitId last = fetched_;
    for (unsigned n = 1; n < slots_; ++n) {
        issue_.pass_over(last);
        if (!issue_.any_candidate())
            break;
        const UnitId unit = issue_.pick(now);
        if (unit == kNoUnit)
            break;
        issue_.take(unit);
        last = along_[last] = unit;
    }
    along_[last] = kNoUnit;
}

void Barrel::decode_bundle(Cycle now) {
    FlightId first = kNoFlight;
    FlightId* end = &first;
    unsigned threads = 0;
    bool accesses = false;
    for (UnitId unit = std::exchange(decoding_, kNoUnit); unit != kNoUnit; unit = along_[unit]) {
        Flight& flight = issue_.next_flight();
        flight.generation = frame_.units.generation[unit];
        frame_.formation.form(unit, frame_.contexts.program.ops[frame_.units.pc[unit]], frame_.contexts.executor,
                              flight.group);
        execute(flight, now);
        bundles_.prepare(flight, frame_.access, frame_.units.block[unit]);
        accesses |= frame_.access.count != 0;
        accesses |= prepare_fence(flight);
        *end = flight.id;
        end = &flight.along;
        ++threads;
    }
    *end = kNoFlight;
    frame_.contexts.count_slot(frame_.flights[first].group.pc, threads);
    pipe_.put(1, first, accesses);
}

// True when the bundle needs another cycle in the memory stage. Threads that continue stay together; threads that wait
// for memory leave the bundle.
bool Barrel::memory_stage_of_bundle(Cycle now) {
    FlightId f = pipe_.at(memory_at_);
    const LoadStoreUnit::Step step = bundles_.step(f, now);
    if (step != LoadStoreUnit::Step::Done) {
        account(step == LoadStoreUnit::Step::Line ? Slot::DataPort : Slot::BankConflict);
        return true;
    }
    pipe_.take(memory_at_);
    FlightId first = kNoFlight;
    FlightId* end = &first;
    while (f != kNoFlight) {
        Flight& flight = frame_.flights[f];
        f = std::exchange(flight.along, kNoFlight);
        if (leaves(flight, now))
            continue;
        *end = flight.id;
        end = &flight.along;
    }
    if (first != kNoFlight)
        pipe_.put(memory_at_, first, false);
    return false;
}

unsigned Barrel::lanes_of_place(unsigned stage) const {
    unsigned lanes = 0;
    for (FlightId f = pipe_.at(stage); f != kNoFlight; f = frame_.flights[f].along)
        ++lanes;
    return lanes;
}

} // namespace heddle::sm
