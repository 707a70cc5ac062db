#include "sched/scheduler.h"
#include "sched/unit_list.h"

namespace heddle::sched {
namespace {

// Time stamp (DWF07 4.3): the oldest unit. The age counts from the unit's entry into the scheduler, which for units of
// dwf is their allocation in the pool (assumed); units of one cycle have rising numbers.
class TimeStamp final : public Scheduler {
public:
    TimeStamp(const Share& share, const config::Machine& /*machine*/) : links_(share.units) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        return links_.first_of(all_, can_issue);
    }

    bool keeps_lists() const override {
        return true;
    }
    void entered(UnitId unit, Pc /*pc*/, unsigned /*threads*/) override {
        links_.append(all_, unit);
    }
    void left(UnitId unit) override {
        links_.remove(all_, unit);
    }

private:
    UnitLinks links_;
    UnitLinks::List all_;
};

HEDDLE_SCHEDULER(TimeStamp, "dtime", "the unit that entered the scheduler first", "DWF07 4.3");

} // namespace
} // namespace heddle::sched
