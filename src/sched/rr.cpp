#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Every unit has the same priority; a unit that cannot issue loses its turn. LWM11 2.1 does this with the ready units
// of a barrel core, and PRO I calls it loose.
class RoundRobin final : public Scheduler {
public:
    RoundRobin(const Share& /*share*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        last_ = can_issue.next_after(last_);
        return last_;
    }

private:
    UnitId last_ = UnitSet::kCapacity - 1; // unit 0 goes first
};

HEDDLE_SCHEDULER(RoundRobin, "rr", "round-robin over the ready units", "LWM11 2.1");

using LooseRoundRobin = RoundRobin;
HEDDLE_SCHEDULER(LooseRoundRobin, "lrr", "loose round-robin, which skips units that cannot issue: another name of rr",
                 "PRO I");

} // namespace
} // namespace heddle::sched
