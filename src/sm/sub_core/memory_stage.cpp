#include "sm/sub_core/memory_stage.h"

#include "sm/sub_core/pipes.h"

namespace heddle::sm {

using probe::Slot;
using Step = LoadStoreUnit::Step;

MemoryStage::MemoryStage(const config::Machine& machine, LoadStoreUnit& unit, std::size_t flights)
    : unit_(unit), capacity_(places_of(1, machine.get<SubCoreConfig>().collectors_ldst)),
      writes_(1, LoadStoreUnit::longest_latency(machine) + flights),
      miss_latency_(machine.get<DCacheConfig>().latency) {}

warp::FlightId MemoryStage::step(Cycle now) {
    const warp::FlightId flight = accesses_.front().flight;
    const Step step = unit_.step(flight, now);
    again_ = step == Step::Held ? kNever : now + 1;
    next_ = again_;
    cause_ = cause_of(step);
    if (step != Step::Done)
        return warp::kNoFlight;
    accesses_.pop();
    find_next();
    return flight;
}

Slot MemoryStage::cause_of(Step step) const {
    switch (step) {
    case Step::Line:
        return Slot::DataPort;
    case Step::Bank:
        return Slot::BankConflict;
    case Step::Held:
        switch (unit_.refusal()) {
        case Refusal::SetReserved:
            return Slot::SetReserved;
        case Refusal::MshrFull:
            return Slot::MshrFull;
        case Refusal::MshrMergeFull:
            return Slot::MshrMergeFull;
        default:
            return Slot::PortFull;
        }
    case Step::Done:
        break;
    }
    return Slot::PipeLdSt;
}

} // namespace heddle::sm
