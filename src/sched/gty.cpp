#include "sched/scheduler.h"

namespace heddle::sched {
namespace {

// Greedy then youngest: the unit that issued last while it can issue, else the unit that was made last. What the
// compiler says of a stall or a yield is in the control bits: such a unit cannot issue.
class GreedyThenYoungest final : public Scheduler {
public:
    GreedyThenYoungest(const Share& /*share*/, const config::Machine& /*machine*/) {}

    UnitId pick(const UnitSet& can_issue, const warp::View& view, Cycle /*now*/) override {
        const auto& birth = view.units.birth();
        if (last_ != kNoUnit && can_issue.contains(last_) && birth[last_] == born_) // not a new unit with its number
            return last_;
        last_ = kNoUnit;
        can_issue.for_each([&](UnitId unit) {
            const bool younger = last_ == kNoUnit || birth[unit] >= born_;
            last_ = younger ? unit : last_;
            born_ = younger ? birth[unit] : born_;
        });
        return last_;
    }

private:
    UnitId last_ = kNoUnit;
    std::uint64_t born_ = 0; // when last_ was made
};

HEDDLE_SCHEDULER(GreedyThenYoungest, "gty",
                 "greedy then youngest: the unit that issued last while it can issue, else the youngest",
                 "Huerta et al., MICRO 2025, 4.1");

} // namespace
} // namespace heddle::sched
