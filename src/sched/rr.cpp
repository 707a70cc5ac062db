#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

class RoundRobin final : public Scheduler {
public:
    RoundRobin(const Share& /*share*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        last_ = can_issue.next_after(last_);
        return last_;
    }

private:
    UnitId last_ = UnitSet::kCapacity - 1; // so that unit 0 goes first
};

HEDDLE_SCHEDULER(RoundRobin, "rr", "round-robin over the ready units", "LWM11 2.1");

} // namespace
} // namespace heddle::sched
